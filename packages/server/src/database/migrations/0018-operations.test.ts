import { Database as File } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openByUrl } from "../../../test/folder-database";
import { makeFolder } from "../../../test/harness";
import { layKeptFile } from "../../../test/upgrades/kept-data";
import { operationsOfRow } from "../protection/entity-rows";

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const old = [
  ["gone-good", "backup", "success", 1_000, 2_000],
  ["gone-failed", "backup", "error", 3_000, 4_000],
];
const at = Date.parse("2026-11-01T00:00:00Z");

/** Data of the step before, with entities as that version stored them. */
function layOldFile() {
  const path = layKeptFile("0017", folder);
  const file = new File(path, { readwrite: true });
  const all: { id: string }[] = file.query<{ id: string }, []>("select id from protected_entities order by id").all();
  const [left, gone, monitored] = all.map(({ id }) => id);
  const monitor = file.query<{ id: string; slug: string }, []>("select id, slug from monitors limit 1").get();
  const stored = file.query<{ id: string }, []>("select id from tasks where category = 'backup' limit 1").get();
  const set = file.query("update protected_entities set evidence = ?, is_retired = ? where id = ?");
  set.run(JSON.stringify([...old, [stored?.id, "backup", "success", at, at]]), 0, left ?? "");
  set.run(JSON.stringify(old), 1, gone ?? "");
  set.run(JSON.stringify([["run", "backup", "success", at, at, monitor?.id]]), 0, monitored ?? "");
  const entities =
    "select key from entities where type || ' ' || id = (select entity_type || ' ' || entity_id from protected_entities where id = ?)";
  const remove = file.query(`delete from tasks where id <> ? and entity_key in (${entities})`);
  for (const id of [left, gone, monitored]) remove.run(stored?.id ?? "", id ?? "");
  const own = file.query(
    "update tasks set type = 'restic_backup', monitor_id = null, outcome = 'success', entity_key = null where id = ?",
  );
  own.run(stored?.id ?? "");
  const run = file
    .query<{ id: string; slug: string }, []>(
      "select tasks.id, slug from tasks join monitors on monitors.id = monitor_id where slug <> tasks.type limit 1",
    )
    .get();
  file.close();
  return { path, left, gone, monitored, monitor, run };
}

test("what was known of entities stays known, for the operations that the tasks tell or that can be guessed", async () => {
  const { path, left, gone, monitored, monitor, run } = layOldFile();
  const database = await openByUrl(`sqlite:${path}`);
  const shown = async (id: string | undefined) => {
    const row = await database.snapshot((db) =>
      db
        .selectFrom("protected_entities")
        .selectAll()
        .where("id", "=", id ?? "")
        .executeTakeFirstOrThrow(),
    );
    const operations = operationsOfRow(row).map(({ operation, type, state, lastGoodBackup }) => ({
      operation,
      type,
      state,
      good: lastGoodBackup?.id,
    }));
    return { state: row.state, isRetired: row.is_retired, operations };
  };
  // Tasks that are gone are taken for runs of what is left.
  expect(await shown(left)).toMatchObject({
    state: "unwatched",
    isRetired: 0,
    operations: [{ operation: "restic_backup", type: "restic_backup", state: "unwatched" }],
  });
  expect(await shown(gone)).toEqual({
    state: "failing",
    isRetired: 1,
    operations: [{ operation: "backup", type: "backup", state: "failing", good: "gone-good" }],
  });
  expect(await shown(monitored)).toMatchObject({ operations: [{ operation: monitor?.slug, good: "run" }] });
  const task = await database.snapshot((db) =>
    db
      .selectFrom("tasks")
      .select(["operation", "document"])
      .where("id", "=", run?.id ?? "")
      .executeTakeFirstOrThrow(),
  );
  expect([task.operation, JSON.parse(task.document).operation]).toEqual([run?.slug ?? "", run?.slug]);
  await database.close();
});
