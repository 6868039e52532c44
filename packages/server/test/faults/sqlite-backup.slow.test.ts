import { afterAll, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { commandLines } from "../built-programs";
import { makeFolder } from "../harness";
import { parseMetrics } from "../metrics/parse-metrics";
import { metricsToken, startProcess } from "../process";
import { firstOf, variation } from "../runs";
import { until } from "../until";
import { inspect, sound } from "./inspect-sqlite";
import { startWriter } from "./writer";
import { type Memory, nothing } from "./writer-steps";

const backupCommand = [process.execPath, commandLines().default, "database", "backup"];
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function temporary(): string {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

/** A data directory with a backup as its database, as after restoring it. */
function restore(from: string, backup: string): string {
  const folder = temporary();
  copyFileSync(backup, join(folder, "holdfast.db"));
  copyFileSync(join(from, "secret.key"), join(folder, "secret.key"));
  return folder;
}

async function backUp(...args: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("HOLDFAST_")));
  const child = Bun.spawn([...backupCommand, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [exitCode, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { exitCode, output, errors };
}

const written = temporary();
const ledger = await startWriter({ folder: written, seed: 1, count: 30 }).ended();

/** A data directory on which nothing runs, and what was done to it: a copy, because to write one takes ten times as long. */
function write() {
  const folder = temporary();
  cpSync(written, folder, { recursive: true });
  return { folder, ledger };
}

test("R24: a backup made while others write holds all that was acknowledged before it began, and can be served", async () => {
  const server = await startProcess({ folder: temporary() });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("viewer");
  await beside.database.close();
  const before: Memory = { ...nothing, tokens: new Map([["viewer token", false]]) };
  const writer = startWriter({ folder: server.folder, seed: 1 });
  await writer.reached(50);
  const { acknowledged } = writer.told();

  const place = temporary();
  const backup = join(place, "backup.db");
  const mereCopy = join(place, "copy.db");
  Bun.spawnSync(["cp", join(server.folder, "holdfast.db"), mereCopy]);
  const shown = async () => {
    const { text } = await server.ask("/metrics", { token: metricsToken });
    return parseMetrics(text).get("holdfast_database_backup_timestamp_seconds") ?? Number.NaN;
  };
  expect(await shown()).toBe(0);
  const startedAt = Date.now() / 1000;
  const { exitCode, output, errors } = await backUp(backup, "--data-dir", server.folder);
  // Writes from now on are not in the backup: enough of it is written below.
  process.kill(writer.pid, "SIGSTOP");
  await until("metrics show the backup", async () => (await shown()) > startedAt);
  expect(await shown()).toBeLessThan(Date.now() / 1000);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "" });
  expect(errors).toMatch(
    /^Copied \d+\.\d MB to .*backup\.db\. The copy is sound\.\nThe copy does not contain the secret\. Back that up/,
  );
  expect(errors).toContain(join(server.folder, "secret.key"));
  expect(readdirSync(place).sort()).toEqual(["backup.db", "copy.db"]);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect((await server.ask("/tasks?limit=1", { token })).status).toBe(200);
  process.kill(writer.pid, "SIGCONT");
  await writer.reached(writer.told().acknowledged + 10);
  const ledger = await writer.kill();
  await server.stop();

  const restored = restore(server.folder, backup);
  const { findings, memory } = await inspect(restored, before, ledger, acknowledged);
  expect(findings).toEqual(sound);
  const next = await startProcess({ folder: restored, flags: { port: String(server.port) } });
  expect((await next.ask("/tasks?limit=1", { token })).body.total_count).toBe(memory.tasks.size);
  await next.stop();

  // The control: what was written last is not in the file alone.
  const looked = inspect(restore(server.folder, mereCopy), before, ledger, acknowledged);
  expect(await looked.then(({ findings }) => Bun.deepEquals(findings, sound)).catch(() => false)).toBe(false);
}, 120_000);

const deaths: [string, string][] = [
  ["a later write", "pwrite64:signal=SIGKILL:when=20"],
  ["giving it its name", "link,linkat:signal=SIGKILL:when=1"],
  ["its first write", "pwrite64:signal=SIGKILL:when=1"],
  ["writing it through to the disk", "fsync:signal=SIGKILL:when=1"],
];

test.each(firstOf(2, deaths))(
  "R24: a backup that is killed at %s leaves no file of that name",
  async (_step, inject) => {
    const { folder, ledger } = write();
    const backup = join(temporary(), "backup.db");
    const strace = ["strace", "-f", "-o", "/dev/null", "-e", `inject=${inject}`];
    const command = [...strace, ...backupCommand, backup, "--data-dir", folder];
    expect(await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited).not.toBe(0);
    expect(existsSync(backup)).toBe(false);
    expect((await backUp(backup, "--data-dir", folder)).exitCode).toBe(0);
    expect((await inspect(restore(folder, backup), nothing, ledger)).findings).toEqual(sound);
  },
);

variation("R24: a backup for which the disk has no room says so and leaves nothing", async () => {
  const { folder } = write();
  const place = temporary();
  const strace = ["strace", "-f", "-o", "/dev/null", "-e", "inject=pwrite64:error=ENOSPC:when=20+"];
  const command = [...strace, ...backupCommand, join(place, "backup.db"), "--data-dir", folder];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect({ errors, exitCode }).toEqual({
    errors: "holdfast: There is no room for the copy. Make some, or name a file on another disk.\n",
    exitCode: 1,
  });
  expect(readdirSync(place)).toEqual([]);
});

test("R24: a backup that replaces an older one leaves that whole until it is whole itself", async () => {
  const { folder, ledger } = write();
  const backup = join(temporary(), "backup.db");
  writeFileSync(backup, "older");
  const strace = ["strace", "-f", "-o", "/dev/null", "-e", "inject=rename,renameat,renameat2:signal=SIGKILL:when=1"];
  const command = [...backupCommand, "--force", backup, "--data-dir", folder];
  const options = { stdout: "ignore", stderr: "ignore" } as const;
  expect(await Bun.spawn([...strace, ...command], options).exited).not.toBe(0);
  expect(readFileSync(backup, "utf8")).toBe("older");
  expect(await Bun.spawn(command, options).exited).toBe(0);
  expect((await inspect(restore(folder, backup), nothing, ledger)).findings).toEqual(sound);
});

test("a backup that is stopped removes what there is of it", async () => {
  const { folder } = write();
  const place = temporary();
  // Slow enough to be caught in the middle; with -D, the process that is started is the command itself.
  const strace = ["strace", "-D", "-f", "-o", "/dev/null", "-e", "inject=pwrite64:delay_enter=200ms"];
  const command = [...strace, ...backupCommand, join(place, "backup.db")];
  const child = Bun.spawn([...command, "--data-dir", folder], { stdout: "ignore", stderr: "pipe" });
  while (!readdirSync(place).some((name) => statSync(join(place, name)).size > 0)) await Bun.sleep(10);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(1);
  // strace may have a word of its own to say after that.
  expect(await child.stderr.text()).toStartWith(
    "holdfast: The backup was stopped, and nothing of it was kept. Start it",
  );
  expect(readdirSync(place)).toEqual([]);
});

test("a backup is good where the service cannot learn of it, and says so", async () => {
  const { folder, ledger } = write();
  const place = temporary();
  // A folder where the note would be: not even root can replace it by a file.
  mkdirSync(join(folder, "holdfast.db-last-backup"));
  const { exitCode, errors } = await backUp(join(place, "backup.db"), "--data-dir", folder);
  expect(exitCode).toBe(0);
  expect(errors).toMatch(
    /^holdfast: The service does not learn of this backup, because .*-last-backup cannot be written \(.*\)\. Make/,
  );
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  expect((await inspect(restore(folder, join(place, "backup.db")), nothing, ledger)).findings).toEqual(sound);
});

test("a backup refuses what would harm, says what to do and changes nothing", async () => {
  const { folder } = write();
  const place = temporary();
  const there = join(place, "there.db");
  const database = join(folder, "holdfast.db");
  const empty = join(place, "empty");
  writeFileSync(there, "precious");
  mkdirSync(empty);
  const refused = async (...args: string[]) => {
    const { exitCode, output, errors } = await backUp("--data-dir", folder, ...args);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
    return errors.replace(/^holdfast: /, "").trimEnd();
  };
  expect(await refused(there)).toBe(`There is a file ${there} already. Name another one, or replace it with --force.`);
  expect(await refused("--force", database)).toBe(`The file ${database} is the database itself. Name another file.`);
  expect(await refused("--force", "/dev/null")).toBe(
    "There is something other than a file at /dev/null. Name another file.",
  );
  expect(await refused(join(place, "nowhere", "a.db"))).toBe(
    `There is no folder ${join(place, "nowhere")}. Make it first: mkdir -p -m 700 ${join(place, "nowhere")}`,
  );
  expect(await refused(join(place, "a.db"), "--database-url", `sqlite:${join(empty, "none.db")}`)).toBe(
    `There is no database ${join(empty, "none.db")}. Name the folder that the service uses with --data-dir.`,
  );
  expect(await refused(join(place, "a.db"), "--database-url", `sqlite:${there}`)).toBe(
    `The database ${there} is damaged (file is not a database). Restore it from an earlier backup.`,
  );
  expect(await refused(join(place, "a.db"), "--database-url", "postgres://holdfast@db.example.org/holdfast")).toBe(
    "Only an SQLite database is backed up with this command. For PostgreSQL run for example: pg_dump --format=custom --file=holdfast.dump postgres://holdfast@db.example.org/holdfast",
  );
  expect(readFileSync(there, "utf8")).toBe("precious");
  expect(readdirSync(place).sort()).toEqual(["empty", "there.db"]);
  expect(readdirSync(empty)).toEqual([]);
});
