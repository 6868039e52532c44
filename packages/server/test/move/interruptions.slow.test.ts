import { Database as File } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { moveDatabase } from "../../src/database/move/move-database";
import { tables } from "../../src/resources/index";
import { Refusal } from "../../src/settings/refusal";
import { readSettings } from "../../src/settings/settings";
import { openByUrl } from "../folder-database";
import { firstOf, size, variation } from "../runs";
import { createTestDatabase, type TestDatabase } from "../test-database";
import { type Company, makeCompany, moveAndDie, runMove } from "./company";
import { readFile, readMoved } from "./read-file";
import { endOf, startCommand } from "./run-command";

/** Enough for several batches of tasks. */
const tasks = size({ default: 1_000, long: 5_000 });
/** Number of steps later than the one before each move is killed. */
const stride = size({ default: 14, long: 3 });
const fewestDeaths = size({ default: 2, long: 8 });
let company: Company;
let postgres: TestDatabase;
let back: string;
let contents: Record<string, unknown[]>;
beforeAll(async () => {
  company = await makeCompany({ tasks });
  contents = readFile(company.url);
}, 120_000);
afterAll(() => company.remove());

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${fileOf(back)}${end}`, { force: true });
});

async function makeTargets(): Promise<void> {
  postgres = await createTestDatabase();
  opened.push(postgres);
  back = `sqlite:${join(company.folder, "back.db")}`;
}

const fileOf = (url: string) => url.slice("sqlite:".length);
const unfinished = (from: string) =>
  `The move from ${from} into this database has not ended, so rows are missing. Run it again with the same addresses: holdfast database move --from … --to …`;
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, "//");

/** Lets the move be killed again and again, each time a bit later, until it comes to its end. Gives how often it was. */
async function moveThroughDeaths(from: string, to: string): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    const exitCode = await moveAndDie(from, to, 1 + deaths * stride, deaths % 4);
    if (exitCode === 0) return deaths;
    await expect(openByUrl(to)).rejects.toThrow(unfinished(shown(from)));
  }
}

/** Moves in this process, and stops with an error where something is first shown. */
async function moveUntil(from: string, to: string, stage: string): Promise<void> {
  const stop = new Error("That is far enough.");
  const show = (label: string) => {
    if (label === stage) throw stop;
  };
  // Not with `rejects`, under which everything takes several times as long.
  expect(await move(from, to, { show, advance: () => {} }).catch((error) => error)).toBe(stop);
}

function move(from: string, to: string, progress: { show(label: string): void; advance(): void }) {
  const settings = readSettings({ flags: {}, environment: {}, file: null });
  return moveDatabase({
    from,
    to,
    settings,
    plan: tables,
    prepareRecord: () => async () => {},
    tell: () => {},
    progress,
  });
}

/** Moves in this process to the end, where the command itself is not what is tried. */
async function moveHere(from: string, to: string): Promise<void> {
  await move(from, to, { show: () => {}, advance: () => {} });
}

async function alterPostgres(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function alterFile(url: string, sql: string): void {
  const file = new File(fileOf(url), { readwrite: true });
  file.run(sql);
  file.close();
}

test("a move that is killed at any point goes on where it was, in both directions, and nothing else can open the target before", async () => {
  await makeTargets();
  expect(await moveThroughDeaths(company.url, postgres.url)).toBeGreaterThan(fewestDeaths);
  expect(await moveThroughDeaths(postgres.url, back)).toBeGreaterThan(fewestDeaths);
  expect(readMoved(back)).toEqual(readMoved(company.url));
}, 180_000);

test("no command works on a target that is half filled", async () => {
  await makeTargets();
  await moveUntil(company.url, postgres.url, "Building indexes");
  await moveUntil(company.url, back, "Building indexes");
  for (const url of [postgres.url, back]) {
    const listed = await endOf(startCommand(["token", "list", "--data-dir", company.folder, "--database-url", url]));
    expect(listed).toEqual({ exitCode: 1, output: "", errors: `holdfast: ${unfinished(company.url)}\n` });
  }
  const further = await runMove(back, `sqlite:${join(company.folder, "further.db")}`);
  expect(further).toEqual({ exitCode: 1, output: "", errors: `holdfast: ${unfinished(company.url)}\n` });
}, 120_000);

test("a move that is stopped by a signal says how to go on, and says so when it does", async () => {
  expect(await moveUntilSignal()).toEqual({
    exitCode: 1,
    output: "",
    errors: "holdfast: The move was interrupted. Run the same command again to go on with it.\n",
  });
  const { exitCode, errors } = await runMove(company.url, postgres.url);
  expect({ exitCode, first: errors.split("\n")[0] }).toEqual({
    exitCode: 0,
    first: expect.stringMatching(/^Going on with the move that was interrupted after \d+ rows\.$/),
  });
}, 120_000);

/** Starts a move, and stops it by a signal when it has begun. Where it had ended before, another one is started. */
async function moveUntilSignal() {
  for (let tries = 1; ; tries++) {
    await makeTargets();
    const child = startCommand(["database", "move", "--from", company.url, "--to", postgres.url]);
    await untilCopying();
    child.kill("SIGTERM");
    const ended = await endOf(child);
    if (ended.exitCode !== 0 || tries === 10) return ended;
  }
}

/** Waits until a move has noted in the target that it has begun. */
async function untilCopying(): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  for (let begun = false; !begun; await Bun.sleep(2)) {
    const { rows } = await client.query("select to_regclass('database_move') is not null as begun");
    begun = rows[0].begun;
  }
  await client.end();
}

test("of two who move into the same database at once, one is refused", async () => {
  await makeTargets();
  const both = await Promise.all([runMove(company.url, postgres.url), runMove(company.url, postgres.url)]);
  const [winner, loser] = both.toSorted((one, other) => one.exitCode - other.exitCode);
  expect([winner?.exitCode, loser?.exitCode]).toEqual([0, 1]);
  expect(loser?.errors).toMatch(/Another process is moving into the same database\. Let that one end\.|is not empty/);
  await moveHere(postgres.url, back);
  expect(readMoved(back)).toEqual(readMoved(company.url));
}, 120_000);

const changed = (difference: string) =>
  `holdfast: ${difference} Something was changed meanwhile. Stop the service, and run the command again: it then starts over.\n`;
const interrupted = (rows: number) => `Going on with the move that was interrupted after ${rows} rows.\n`;
const total = () =>
  Object.entries(contents)
    .filter(([name]) => name !== "objects" && name !== "sqlite_sequence")
    .reduce((sum, [, rows]) => sum + rows.length, 0);

const rowsOf = (table: string) => contents[table]?.length;

const differences: [string, string, () => string][] = [
  [
    "a task that was altered",
    "update tasks set document = document || ' ' where id = '00000000-0000-7000-8000-000000900001'",
    () => `The table tasks differs (of ${rowsOf("tasks")} rows, some are not the same).`,
  ],
  [
    "a row that was altered",
    "update users set full_name = full_name || '!' where id = 'ffffffff-ffff-4fff-8fff-ffffffffffff'",
    () => `The table users differs (of ${rowsOf("users")} rows, some are not the same).`,
  ],
  [
    "a row that was removed",
    "delete from task_quarters where quarter = (select max(quarter) from task_quarters)",
    () => "The table task_quarters differs",
  ],
];

test.each(firstOf(1, differences))(
  "%s in the target is found, and the next run begins anew",
  async (_name, sql, difference) => {
    await makeTargets();
    await moveUntil(company.url, postgres.url, "Building indexes");
    await alterPostgres(sql);
    const found = await runMove(company.url, postgres.url);
    expect({ exitCode: found.exitCode, output: found.output }).toEqual({ exitCode: 1, output: "" });
    expect(found.errors).toStartWith(`${interrupted(total())}holdfast: ${difference()}`);
    await expect(openByUrl(postgres.url)).rejects.toThrow(unfinished(company.url));

    const again = await runMove(company.url, postgres.url);
    expect({ exitCode: again.exitCode, first: again.errors.split("\n")[0] }).toEqual({
      exitCode: 0,
      first: "Starting over, because the databases differed in the end.",
    });
    await moveHere(postgres.url, back);
    expect(readMoved(back)).toEqual(readMoved(company.url));
  },
  120_000,
);

variation(
  "a source that was changed behind the part that is copied is found",
  async () => {
    await makeTargets();
    await moveUntil(company.url, postgres.url, "Building indexes");
    expect((await runMove(company.url, postgres.url)).exitCode).toBe(0);
    await moveUntil(postgres.url, back, "Building indexes");
    await alterPostgres("update roles set description = 'Other' where name = 'viewer'");
    expect(await runMove(postgres.url, back)).toEqual({
      exitCode: 1,
      output: "",
      errors: `${interrupted(total() + 1)}${changed(`The table roles differs (of ${rowsOf("roles")} rows, some are not the same).`)}`,
    });
    expect((await runMove(postgres.url, back)).exitCode).toBe(0);
    const { roles = [], ...others } = readMoved(back);
    const { roles: before, ...same } = readMoved(company.url);
    expect(before).toHaveLength(rowsOf("roles") ?? 0);
    expect(roles.filter((role) => String(role).includes('"Other"'))).toHaveLength(1);
    expect(others).toEqual(same);
  },
  120_000,
);

test("a source that is changed while it is being checked is found", async () => {
  await makeTargets();
  const source = `sqlite:${join(company.folder, "source.db")}`;
  await moveHere(company.url, source);
  const alterations = [
    { from: source, to: postgres.url, alter: () => alterFile(source, "update users set last_active_at = 1") },
    { from: postgres.url, to: back, alter: () => alterInProcess("update users set last_active_at = 2") },
  ];
  const refusal =
    "The source was changed while it was being checked. Stop the service, and run the command again: it then starts over.";
  for (const { from, to, alter } of alterations) {
    let stage = "";
    const alterOnce = once(alter);
    const progress = {
      show(label: string) {
        stage = label;
      },
      advance: () => stage === "Checking" && alterOnce(),
    };
    expect(await move(from, to, progress).catch((error) => error)).toEqual(new Refusal(refusal));
    const again = await runMove(from, to);
    expect(again.errors).toStartWith("Starting over, because the databases differed in the end.\nMoved ");
  }
}, 120_000);

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** Alters the database in another process, because here nothing can be waited for. */
function alterInProcess(sql: string): void {
  const script = `const { Client } = require("pg"); const client = new Client({ connectionString: process.argv[1] });
    await client.connect(); await client.query(process.argv[2]); await client.end();`;
  const { exitCode } = Bun.spawnSync([process.execPath, "-e", script, postgres.url, sql], { cwd: import.meta.dir });
  expect(exitCode).toBe(0);
}
