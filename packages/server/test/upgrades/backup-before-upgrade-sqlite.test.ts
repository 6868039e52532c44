import { Database as File } from "bun:sqlite";
import { afterAll, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSqliteBackup } from "../../src/database/sqlite/backup";
import { backUpBeforeUpgrade } from "../../src/database/sqlite/backup-before-upgrade";
import { openSqlite, type SqliteOptions } from "../../src/database/sqlite/open";
import { makeFolder } from "../harness";
import { layKeptFile } from "./kept-data";
import { withSecondStep } from "./second-step";

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true }));

let copies = 0;
let path: string;
let copy: string;
let news: unknown[];

beforeEach(() => {
  copies += 1;
  path = layKeptFile("0001", join(folder, String(copies)));
  copy = `${path}-before-upgrade`;
  news = [];
});

async function open(options: SqliteOptions = {}): Promise<void> {
  const onMigration: SqliteOptions["onMigration"] = (...told) => news.push(told);
  await (await openSqlite(path, { onMigration, steps: withSecondStep, ...options })).close();
}

/** The newest step that was made to a database, and how many tasks are in it. */
function look(file: string) {
  const opened = new File(file, { readonly: true });
  const found = {
    newest: opened.query<{ name: string }, []>("select max(name) as name from kysely_migration").get()?.name,
    tasks: opened.query<{ count: number }, []>("select count(*) as count from tasks").get()?.count,
    integrity: opened.query("pragma integrity_check").all(),
  };
  opened.close();
  return found;
}

test("R23: a database is copied before it is migrated, and the log says where", async () => {
  const before = look(path);
  await open();
  expect(before.newest).toBe("0001-initial-schema");
  expect(look(copy)).toEqual(before);
  expect(look(path).newest).not.toBe(before.newest);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const newest = look(path).newest;
  expect(news).toEqual([
    [
      "info",
      "The database is of an older version, so it is copied and then migrated.",
      `from 0001-initial-schema to ${newest}; the copy is ${copy}`,
    ],
    ["info", "The database was migrated."],
  ]);
  await open();
  expect(news).toHaveLength(2);
  expect(readdirSync(join(folder, String(copies))).filter((name) => name.endsWith("partial"))).toEqual([]);
});

test("a new database is not copied", async () => {
  rmSync(path);
  await open();
  expect([existsSync(copy), news]).toEqual([false, []]);
});

test("with upgrade_backup off no copy is made, and the log has the command that makes one", async () => {
  await open({ isBackedUp: false });
  expect(existsSync(copy)).toBe(false);
  expect(news[0]).toEqual([
    "info",
    "The database is of an older version, so it is migrated.",
    expect.stringMatching(
      /upgrade_backup is false\. Before an upgrade, run: holdfast database backup --database-url sqlite:\//,
    ),
  ]);
});

test("where a copy cannot be made the service starts all the same, and says what to do", async () => {
  // A process that copies at this very moment would have this name.
  writeFileSync(`${copy}.${process.pid}.partial`, "");
  await open();
  expect(look(path).newest).not.toBe("0001-initial-schema");
  expect(news[1]).toEqual([
    "warn",
    "The database was not copied before its migration.",
    expect.stringMatching(
      /^No file can be written in .* Before the next upgrade, make room, or run: holdfast database backup/,
    ),
  ]);
});

test("where there is no room nothing is copied", async () => {
  const problem = await backUpBeforeUpgrade({ source: path, size: 1e18, isOfBefore: async () => true });
  expect(problem).toMatch(/^it needs 2000000000000 MB on the disk, and [0-9]+ MB are free$/);
  expect(existsSync(copy)).toBe(false);
});

test("a copy that another process was faster than does not replace the one from before", async () => {
  writeFileSync(copy, "from before");
  const problem = await backUpBeforeUpgrade({ source: path, size: 1, isOfBefore: async () => false });
  expect([problem, readFileSync(copy, "utf8")]).toEqual([undefined, "from before"]);
  expect(readdirSync(join(folder, String(copies))).filter((name) => name.endsWith("partial"))).toEqual([]);
});

test("what a killed process has left of a copy is removed by the next", async () => {
  const { pid } = Bun.spawnSync(["true"]);
  writeFileSync(`${copy}.${pid}.partial`, "half");
  await open();
  expect(readdirSync(join(folder, String(copies))).filter((name) => name.includes("partial"))).toEqual([]);
  expect(look(copy).newest).toBe("0001-initial-schema");
});

test("a database of an older version is backed up as it is, and not migrated", async () => {
  const target = join(folder, `${copies}.db`);
  await startSqliteBackup({ source: path, target, canReplace: false, onGrowth: () => {} }).finished;
  expect([look(target), look(path).newest]).toEqual([look(path), "0001-initial-schema"]);
});

test("R23: a database of a newer version is refused, and the sentence names the copy from before the upgrade", async () => {
  await open();
  const file = new File(path);
  file.run("insert into kysely_migration values ('9999-later', '')");
  file.close();
  const at = statSync(copy).mtime.toISOString().slice(0, 16).replace("T", " ");
  await expect(open()).rejects.toThrow(
    `The database was made by a newer version of Holdfast (it has the migration 9999-later). Start that version, or go back to the data of ${at} UTC, from before the upgrade: put ${copy} in its place.`,
  );
  expect(look(path).newest).toBe("9999-later");
});
