import { Database as File } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../src/database/open-database";
import { schemaSteps } from "../src/database/schema-steps";
import { readSettings } from "../src/settings/settings";
import { createTestDatabase, type TestDatabase, testsOnPostgres } from "./test-database";

/** The database that belongs to a data directory, for as long as somebody holds it. */
export interface HeldDatabase {
  url: string;
  /** Lets go of it. The last one to do so removes it, unless it is a file in the directory. */
  release(): Promise<void>;
}

const held = new Map<string, { database: Promise<TestDatabase>; holders: number }>();

/** Gives the database of a data directory: a file in it, or one on PostgreSQL where tests are to run there. */
export async function holdDatabase(folder: string): Promise<HeldDatabase> {
  if (!testsOnPostgres()) return { url: `sqlite:${folder}/holdfast.db`, release: async () => {} };
  const known = held.get(folder) ?? { database: createTestDatabase(prepareTemplate), holders: 0 };
  held.set(folder, known);
  known.holders += 1;
  const database = await known.database;
  return {
    url: database.url,
    async release() {
      known.holders -= 1;
      if (known.holders > 0) return;
      held.delete(folder);
      await database.drop();
    },
  };
}

let tables: Promise<Uint8Array> | undefined;
/** The name of the file in which a run of all tests has all tables, made once for all of its processes. */
const tablesFile = process.env.HOLDFAST_TEST_TABLES;

/** Puts a file with all tables into a new data directory, where SQLite is tested: copying takes less time than migrating. */
export async function layTables(folder: string): Promise<void> {
  if (testsOnPostgres()) return;
  tables ??= tablesFile === undefined ? makeTables() : Bun.file(tablesFile).bytes();
  writeFileSync(join(folder, "holdfast.db"), await tables, { mode: 0o600 });
}

/** Makes the file of all tables for a run, and gives its name. */
export async function prepareTables(folder: string): Promise<string> {
  const path = join(folder, "tables.db");
  await Bun.write(path, await makeTables());
  return path;
}

/** Gives the bytes of a file with all tables and nothing in them. */
async function makeTables(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-tables-"));
  const path = join(folder, "holdfast.db");
  await prepareTemplate(`sqlite:${path}`);
  const file = new File(path);
  const bytes = file.serialize();
  file.close();
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Opens a database by its address, as a command would; with the steps of another version, where they are given. */
export async function openByUrl(url: string, steps = schemaSteps) {
  const settings = readSettings({
    flags: { database_url: url },
    environment: {},
    file: null,
  });
  return openDatabase(settings, { isServing: false, notify: () => {}, steps });
}

/** Everything that a database holds, as text: what somebody reads who has got hold of it. */
export async function readWhole(url: string): Promise<string> {
  if (url.startsWith("sqlite:")) {
    const path = url.slice("sqlite:".length);
    return [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("");
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  let whole = "";
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ fields: string[] }>(
      `select array(select value from jsonb_each_text(to_jsonb(${name}))) as fields from ${name}`,
    );
    whole += rows.map(({ fields }) => fields.join(" ")).join("\n");
  }
  await client.end();
  return whole;
}

async function prepareTemplate(url: string): Promise<void> {
  await (await openByUrl(url)).close();
}
