import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { openControlPlane } from "@holdfast/server/installation/control-plane";
import { createUnit } from "@holdfast/server/resources/organizational-units/store";
import { readSettings } from "@holdfast/server/settings/settings";
import { importTasks } from "./import-tasks";

const lines = Array.from({ length: 20_000 }, (_, index) => ({
  number: index + 1,
  text: JSON.stringify({ id: `task-${index}`, category: "backup", type: "restic_backup", status: "completed" }),
}));

async function* read() {
  yield lines;
}

test("while tasks are imported, others can write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  const settings = readSettings({ flags: { data_dir: folder }, environment: {}, file: null });
  const importer = await openControlPlane(settings, Date.now());
  const other = await openControlPlane(settings, Date.now());
  let isDone = false;
  const importing = importTasks(importer.database, read, { now: Date.now(), skipBad: false, report: () => {} }).finally(
    () => {
      isDone = true;
    },
  );
  let written = 0;
  while (!isDone) {
    await other.database.change((db) =>
      createUnit(db, { name: `Unit ${written}`, parentId: rootUnitId, createdAt: Date.now() }),
    );
    written += 1;
    await Bun.sleep(50);
  }
  expect(await importing).toBe(lines.length);
  expect(written).toBeGreaterThan(2);
  await importer.database.close();
  await other.database.close();
  rmSync(folder, { recursive: true });
}, 120_000);
