import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type CommandLine, openCommandLine } from "../../test/open-command-line";

let commandLine: CommandLine;
let folder: string;
beforeEach(() => {
  commandLine = openCommandLine();
  folder = join(commandLine.folder, "copies");
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => commandLine.remove());

const backUp = (...args: string[]) => commandLine.runHere(["database", "backup", ...args]);

test("in a folder a copy gets a name with the time, the oldest give way, and nothing else does", async () => {
  const older = ["holdfast-20261115T023000Z.db", "holdfast-20261116T023000Z.db", "holdfast-20261117T023000Z.db"];
  const others = ["before-upgrade-from-1.db", "holdfast-20261101T023000Z.db.old", "holdfast-Sun.db"];
  for (const name of [...older, ...others]) writeFileSync(join(folder, name), "");
  expect((await backUp("--keep", "2", folder)).exitCode).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([
    "before-upgrade-from-1.db",
    "holdfast-20261101T023000Z.db.old",
    "holdfast-20261117T023000Z.db",
    expect.stringMatching(/^holdfast-\d{8}T\d{6}Z\.db$/),
    "holdfast-Sun.db",
  ]);
}, 60_000);

test("--keep is refused without a folder, and for what is no number of copies", async () => {
  for (const args of [
    ["--keep", "7", join(folder, "copy.db")],
    ["--keep", "0", folder],
    ["--keep", "x", folder],
  ]) {
    expect((await backUp(...args)).exitCode).toBe(2);
  }
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);

const tasks = async () => {
  const shown = ["category", "type", "operation", "status", "outcome", "primary_entity", "error"];
  const lines = (await commandLine.result("task", "list", "-o", "ndjson")).split("\n").filter(Boolean);
  return lines.map((line) => {
    const task: Record<string, unknown> = JSON.parse(line);
    return Object.fromEntries(shown.map((name) => [name, task[name]]));
  });
};

test("with --report a backup is a task of Holdfast's own item, whether there is a copy or not", async () => {
  const name = `${hostname()}/holdfast`;
  const always = {
    category: "backup",
    type: "holdfast_backup",
    operation: `holdfast_backup → ${folder}`,
    primary_entity: { type: "database", id: name, value: name },
  };
  const good = { ...always, status: "completed", outcome: "success", error: null };
  expect((await backUp("--report", folder)).exitCode).toBe(0);
  expect(await tasks()).toEqual([good]);

  const gone = join(commandLine.folder, "gone/copy.db");
  const failed = await backUp("--report", gone);
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringMatching(/^holdfast: There is no folder /)]);
  const error = expect.objectContaining({
    code: "holdfast_backup_failed",
    message: expect.stringMatching(/^There is no folder /),
  });
  const bad = { ...always, operation: `holdfast_backup → ${gone}`, status: "failed", outcome: "error", error };
  expect(await tasks()).toEqual([bad, good]);
}, 60_000);
