import { Database as File } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandLine, openCommandLine } from "../../test/open-command-line";

let commandLine: CommandLine;
let backup: string;
let live: string;
beforeEach(async () => {
  commandLine = openCommandLine();
  backup = join(commandLine.folder, "backup.db");
  live = join(commandLine.data, "holdfast.db");
  await commandLine.result("unit", "create", "--name", "Before");
  expect((await commandLine.run(["database", "backup", backup])).exitCode).toBe(0);
  await commandLine.result("unit", "create", "--name", "After");
});
afterEach(() => commandLine.remove());

const units = () => commandLine.result("unit", "list", "-o", "csv");
const restore = (...args: string[]) => commandLine.runHere(["database", "restore", ...args]);
const isSound = /^The backup is sound and the secret fits: \d\.\d MB with 0 tasks, written on [\d-]+ [\d:]+ UTC\.\n/;

test("R24: a backup is checked, and put into the place of the database, which is kept next to it", async () => {
  writeFileSync(join(commandLine.data, "audit.anchor"), "of the newer database");
  const checked = await restore("--check", backup);
  expect(checked).toEqual({ stdout: "", stderr: expect.stringMatching(isSound), exitCode: 0 });
  expect(await units()).toContain("After");

  const { stderr, exitCode } = await restore(backup);
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(isSound)]);
  expect(await units()).toContain("Before");
  expect(await units()).not.toContain("After");
  const [, aside = ""] = /What was there before is in (\S+): remove it when all is well\./.exec(stderr) ?? [];
  expect(readdirSync(aside).sort()).toEqual(["audit.anchor", "holdfast.db"]);
  const before = new File(join(aside, "holdfast.db"), { readonly: true });
  expect(before.query("select count(*) as count from organizational_units").get()).toEqual({ count: 3 });
  before.close();
  expect((await commandLine.runHere(["audit", "verify"])).exitCode).toBe(0);
}, 120_000);

test("nothing is restored while anything has the database open", async () => {
  const used = new File(live, { readonly: true });
  used.query("select count(*) from tasks").get();
  expect(await restore(backup)).toEqual({
    stdout: "",
    stderr: expect.stringContaining(`holdfast: The database ${live} is in use. Stop the service first,`),
    exitCode: 1,
  });
  used.close();
  expect(await units()).toContain("After");
  expect(readdirSync(commandLine.data).filter((name) => name.includes("restore") || name.includes("partial"))).toEqual(
    [],
  );
}, 120_000);

test("a damaged database is no obstacle, and is kept", async () => {
  for (const file of [`${live}-wal`, `${live}-shm`]) rmSync(file, { force: true });
  writeFileSync(live, "no database any more");
  expect((await restore(backup)).exitCode).toBe(0);
  expect(await units()).toContain("Before");
}, 120_000);

const faults: [string, () => void, RegExp][] = [
  [
    "is damaged",
    () => truncateSync(backup, 500_000),
    /^holdfast: The backup \S+ is damaged \(.*\)\. Use another one\.\n$/,
  ],
  [
    "is something else",
    () => writeFileSync(backup, "x".repeat(5_000)),
    /^holdfast: The backup \S+ is damaged \(.*\)\. Use another one\.\n$/,
  ],
  [
    "is a database of something else",
    () => makeOther(backup),
    /^holdfast: The file \S+ is no backup of Holdfast\. Name a file /,
  ],
  [
    "does not exist",
    () => rmSync(backup),
    /^holdfast: There is no file \S+\. Name a file that holdfast database backup has made\.\n$/,
  ],
  [
    "is of a newer version",
    () => makeNewer(backup),
    /^holdfast: The database was made by a newer version of Holdfast .* or use an older backup\.\n$/,
  ],
  [
    "is the database itself",
    () => {
      backup = live;
    },
    /is the database itself\. Name a backup\.\n$/,
  ],
  [
    "has lost its secret",
    () => rmSync(secretFile()),
    /^holdfast: The secret of the backup is missing\. Put the secret\.key that you keep in another place at \S+,/,
  ],
  [
    "has another secret",
    () => writeFileSync(secretFile(), `${"another secret of 32 characters"} 0123456789\n`),
    /^holdfast: The secret in \S+ is not the one that this backup was made with\./,
  ],
];

test.each(faults)(
  "a backup that %s is refused, and the database stays",
  async (_, spoil, message) => {
    const before = readFileSync(live);
    spoil();
    const { stderr, exitCode } = await restore(backup);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(readFileSync(live).equals(before)).toBe(true);
  },
  120_000,
);

test("for PostgreSQL it says what to run instead", async () => {
  const { stderr, exitCode } = await commandLine.runHere(["database", "restore", backup], {
    HOLDFAST_DATABASE_URL: "postgres://holdfast@db.example.org/holdfast",
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("pg_restore --exit-on-error --no-owner")]);
}, 120_000);

function secretFile(): string {
  return join(commandLine.data, "secret.key");
}

function makeOther(path: string): void {
  rmSync(path);
  const other = new File(path);
  other.run("create table letters (text)");
  other.close();
}

function makeNewer(path: string): void {
  const newer = new File(path);
  newer.run("insert into kysely_migration values ('9999-future', '2999-01-01')");
  newer.close();
}
