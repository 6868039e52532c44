import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { helper } from "../built-programs";
import { openByUrl } from "../folder-database";
import { makeFolder } from "../harness";
import { size } from "../runs";
import { createTestDatabase, testsOnPostgres } from "../test-database";
import { keptSteps, layKeptFile, loadKeptDump } from "./kept-data";
import { withSecondStep } from "./second-step";

const script = helper(fileURLToPath(new URL("./migrate-and-die.ts", import.meta.url)));
/** The oldest: the most is to be done to it. */
const step = keptSteps()[0] ?? "";
const open = async (url: string) => (await openByUrl(url, withSecondStep)).close();
const folder = makeFolder();
const dropped: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const drop of dropped) await drop();
  rmSync(folder, { recursive: true });
});

/** Makes a database of the earlier version and gives its address. */
const makeOld = testsOnPostgres() ? makeOldDatabase : makeOldFile;
const readAll = testsOnPostgres() ? readAllOfDatabase : readAllOfFile;

let copies = 0;

async function makeOldFile(): Promise<string> {
  copies += 1;
  return `sqlite:${layKeptFile(step, join(folder, String(copies)))}`;
}

async function makeOldDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  dropped.push(drop);
  await loadKeptDump(step, url);
  return url;
}

/** All tables and indexes, and all rows. */
function readAllOfFile(url: string): unknown {
  const path = join(folder, "look.db");
  const source = new File(url.slice("sqlite:".length));
  source.run("pragma wal_checkpoint(truncate)");
  source.close();
  copyFileSync(url.slice("sqlite:".length), path);
  const file = new File(path, { readonly: true });
  const schema = file.query<{ name: string; type: string }, []>("select * from sqlite_schema order by name").all();
  const tables = schema.filter(({ type, name }) => type === "table" && !name.startsWith("sqlite_"));
  const rows = tables.map(({ name }) => [name, file.query(`select * from "${name}"`).all()] as const);
  const integrity = file.query("pragma integrity_check").all();
  file.close();
  return { schema: schema.map(({ type, name }) => [type, name]), integrity, rows: comparable(rows) };
}

async function readAllOfDatabase(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const ask = async (sql: string) => (await client.query(sql)).rows;
  const columns = await ask(
    "select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public' order by 1, 2",
  );
  const indexes = await ask("select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1");
  const rows: [string, unknown[]][] = [];
  for (const name of new Set(columns.map(({ table_name }) => String(table_name)))) {
    rows.push([name, await ask(`select to_jsonb(t) as row from "${name}" t order by to_jsonb(t)::text`)]);
  }
  await client.end();
  return { columns, indexes, rows: comparable(rows) };
}

/** Rows without the times at which steps were made, and without ids of transactions, which count on in the whole cluster. */
function comparable(tables: readonly (readonly [string, unknown[]])[]): unknown {
  return tables.map(([name, rows]) => [
    name,
    JSON.stringify(rows).replaceAll(/"timestamp":"[^"]*"|"(?:last_)?xid":\d+/g, ""),
  ]);
}

async function migrateAndDie(url: string, statement: number, when: "before" | "during") {
  const child = Bun.spawn([process.execPath, script, url, String(statement), when], { stdout: "pipe", stderr: "pipe" });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { output, errors, exitCode, signal: child.signalCode };
}

let whole: unknown;
let statements: number;

beforeAll(async () => {
  const url = await makeOld();
  const { output, errors } = await migrateAndDie(url, 0, "before");
  expect(errors).toBe("");
  statements = Number(output);
  whole = await readAll(url);
}, 120_000);

test("R23: a migration of data makes many statements", () => {
  expect(statements).toBeGreaterThan(20);
});

test(
  "R23: killed at any statement of a migration, the next start completes it as if nothing had happened",
  async () => {
    const every = size({ default: Math.ceil(statements / 3), long: 1 });
    for (let statement = every; statement <= statements; statement += every) {
      const url = await makeOld();
      const when = statement % 2 === 0 ? "before" : "during";
      const { signal } = await migrateAndDie(url, statement, when);
      expect({ statement, signal }).toEqual({ statement, signal: "SIGKILL" });
      await open(url);
      const found = await readAll(url);
      expect({ statement, when, found }).toEqual({ statement, when, found: whole });
    }
  },
  size({ default: 120_000, long: 1_800_000 }),
);
