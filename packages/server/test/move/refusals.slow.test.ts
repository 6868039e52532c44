import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { describeProcess, forgetServing, noteServing } from "../../src/database/serving-processes";
import { makeFolder, type Plane } from "../harness";
import { createTestDatabase, type TestDatabase } from "../test-database";
import { type Company, makeCompany, moveAndDie, runMove } from "./company";
import { readFile } from "./read-file";

let company: Company;
let other: Company;
let empty: TestDatabase;
let inUse: TestDatabase;
beforeAll(async () => {
  [company, other, empty, inUse] = await Promise.all([
    makeCompany({ tasks: 300 }),
    makeCompany({ tasks: 10 }),
    createTestDatabase(),
    createTestDatabase(),
  ]);
  await query(inUse, "create table theirs (id int)");
}, 120_000);
afterAll(async () => {
  await Promise.all([empty.drop(), inUse.drop()]);
  company.remove();
  other.remove();
});

async function query(database: TestDatabase, sql: string) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

const tablesIn = (database: TestDatabase) =>
  query(database, "select table_name from information_schema.tables where table_schema = 'public'");
const fileIn = (name: string) => `sqlite:${join(company.folder, name)}`;
const pathOf = (url: string) => url.slice("sqlite:".length);
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, "//");
const refused = (message: string, exitCode = 1) => ({ exitCode, output: "", errors: `holdfast: ${message}\n` });

/** A copy of the company's database in which something is changed. */
function altered(name: string, ...statements: string[]): string {
  const url = fileIn(name);
  copyFileSync(pathOf(company.url), pathOf(url));
  const file = new File(pathOf(url), { readwrite: true });
  for (const statement of statements) file.run(statement);
  file.close();
  return url;
}

test("a source that is not there is refused and not made", async () => {
  const missing = fileIn("missing.db");
  expect(await runMove(missing, empty.url)).toEqual(
    refused(`There is no database ${pathOf(missing)}. Name the one that the service uses with --from.`),
  );
  expect(existsSync(pathOf(missing))).toBe(false);
});

test("a source in which there is no installation is refused, and no tables are made in it", async () => {
  const target = fileIn("target.db");
  const none = (url: string) =>
    refused(
      `There is no installation of Holdfast in ${shown(url)}. Name the database that the service uses with --from.`,
    );
  expect(await runMove(empty.url, target)).toEqual(none(empty.url));
  expect(await runMove(inUse.url, target)).toEqual(none(inUse.url));
  expect(await tablesIn(empty)).toEqual([]);
  expect(existsSync(pathOf(target))).toBe(false);
});

test("a file that is no database is refused and left as it is, on either side", async () => {
  const text = fileIn("text.txt");
  writeFileSync(pathOf(text), "Nothing to see here.\n".repeat(100));
  const damaged = refused(
    `The database ${pathOf(text)} is damaged (file is not a database). Restore it from a backup.`,
  );
  expect(await runMove(text, empty.url)).toEqual(damaged);
  expect(await runMove(company.url, text)).toEqual(damaged);
  expect(readFileSync(pathOf(text), "utf8")).toBe("Nothing to see here.\n".repeat(100));
});

test("a source of an older or a newer version is refused", async () => {
  const old = altered("old.db", "delete from kysely_migration");
  expect(await runMove(old, empty.url)).toEqual(
    refused(
      `The database ${old} was made by an older version of Holdfast. Start this version on it once with holdfast serve, then move it.`,
    ),
  );
  const newer = altered("newer.db", "insert into kysely_migration values ('9999-future', '2099-01-01')");
  expect(await runMove(newer, empty.url)).toEqual(
    refused(
      "The database was made by a newer version of Holdfast (it has the migration 9999-future). Start that version, or restore an older database.",
    ),
  );
  expect(await tablesIn(empty)).toEqual([]);
});

test("a target that is in use is refused and left as it is", async () => {
  const notEmpty = (url: string, table: string) =>
    refused(
      `The database ${shown(url)} is not empty: it has a table ${table} that is in use. Name an empty one with --to.`,
    );
  const before = readFileSync(pathOf(other.url));
  expect(await runMove(company.url, other.url)).toEqual(notEmpty(other.url, "api_tokens"));
  expect(readFileSync(pathOf(other.url)).equals(before)).toBe(true);
  expect(await runMove(company.url, inUse.url)).toEqual(notEmpty(inUse.url, "theirs"));
  expect(await tablesIn(inUse)).toEqual([{ table_name: "theirs" }]);
});

test("while a service uses either database the move is refused, unless a flag allows it", async () => {
  const service = describeProcess("https://backup.example.org");
  const url = altered("served.db");
  const copy = await company.open(url);
  const elsewhere = await other.open();
  const serve = async (plane: Plane) => plane.database.change((db) => noteServing(db, service));
  const isUsed = (place: string) =>
    refused(
      `A service uses the database ${place} (https://backup.example.org, process ${process.pid} on ${service.host}). Stop it first. With --while-serving the move goes on all the same, and what is written meanwhile may stay behind.`,
    );
  const target = fileIn("of-served.db");
  await serve(elsewhere);
  expect(await runMove(url, other.url)).toEqual(isUsed(other.url));
  await serve(copy);
  expect(await runMove(url, target)).toEqual(isUsed(url));
  expect(existsSync(pathOf(target))).toBe(false);
  expect(await runMove(url, target, "--while-serving")).toMatchObject({ exitCode: 0 });
  await elsewhere.database.change((db) => forgetServing(db, service));
  await Promise.all([copy.database.close(), elsewhere.database.close()]);
}, 120_000);

test("a target in a folder that is not there is refused, and so is the source itself", async () => {
  expect(await runMove(company.url, fileIn("no/where.db"))).toEqual(
    refused(`There is no folder ${company.folder}/no. Make it first: mkdir -p -m 700 ${company.folder}/no`),
  );
  expect(await runMove(company.url, company.url)).toEqual(
    refused("Both addresses are the same. Name an empty database with --to."),
  );
});

test("an address with a password in it is refused without showing it", async () => {
  const sentence = (flag: string) =>
    refused(
      `Others on this machine can read the password in ${flag}. Leave the password out and put it into ~/.pgpass or PGPASSWORD.`,
      2,
    );
  const address = "postgres://me:secret@127.0.0.1:1/holdfast";
  expect(await runMove(company.url, address)).toEqual(sentence("--to"));
  expect(await runMove(address, fileIn("never.db"))).toEqual(sentence("--from"));
});

test("an address that is none is refused", async () => {
  expect(await runMove(company.url, "mysql://me@db.example.org/holdfast")).toEqual(
    refused(
      'There is no database at "mysql://db.example.org/holdfast". Write --to as sqlite:/path/to/file or postgres://user:password@host:5432/name.',
      2,
    ),
  );
  const away = "postgres://me@127.0.0.1:1/holdfast";
  const unanswered = (flag: string) =>
    refused(
      `The database at postgres://127.0.0.1:1/holdfast does not answer (connect ECONNREFUSED 127.0.0.1:1). Start it, or correct ${flag}.`,
    );
  expect(await runMove(company.url, away)).toEqual(unanswered("--to"));
  expect(await runMove(away, fileIn("never.db"))).toEqual(unanswered("--from"));
});

test("a move does not go on with another installation than the one that it began with", async () => {
  const target = fileIn("begun.db");
  await moveAndDie(company.url, target, 5, 0);
  const before = readFile(target);
  expect(await runMove(other.url, target)).toEqual(
    refused(
      `The move from ${company.url} into ${target} has not ended, and this is another installation. Go on with that one, or name an empty database with --to.`,
    ),
  );
  expect(readFile(target)).toEqual(before);
  expect((await runMove(company.url, target)).exitCode).toBe(0);
});

test("text that PostgreSQL cannot hold is refused, saying where it is", async () => {
  const odd = altered("odd.db", "update entities set value = 'a' || char(0) || 'b' where key = 1");
  const target = await createTestDatabase();
  expect(await runMove(odd, target.url)).toEqual(
    refused(
      'The target cannot hold a row of the table entities (invalid byte sequence for encoding "UTF8": 0x00). Correct it in the source, and run the command again.',
    ),
  );
  await target.drop();
});

test("counts that are wrong in the source already are found", async () => {
  const miscounted = altered("miscounted.db", "update task_totals set count = count + 1");
  expect(await runMove(miscounted, fileIn("moved.db"))).toEqual(
    refused(
      "The tasks are not as many as task_totals says, in the source as well. Restore that from a backup, and run the command again: it then starts over.",
    ),
  );
});

test("a move without the secret that belongs to the database is refused before anything is copied", async () => {
  const message =
    "The secret that belongs to the database was not found, and without it the audit trail cannot record the move. Give it in HOLDFAST_SECRET_KEY, or name the folder that secret.key is in with --data-dir.";
  // Beside another file there is another secret, and nowhere else is one.
  const folder = makeFolder();
  const lonely = `sqlite:${join(folder, "holdfast.db")}`;
  copyFileSync(pathOf(company.url), pathOf(lonely));
  const arrival = `sqlite:${join(other.folder, "arrived.db")}`;
  expect(await runMove(lonely, arrival)).toEqual(refused(message, 2));
  expect(existsSync(pathOf(arrival))).toBe(false);
  expect(await runMove(lonely, arrival, "--data-dir", other.folder)).toEqual(refused(message, 2));
  expect(await runMove(lonely, arrival, "--data-dir", company.folder)).toMatchObject({ exitCode: 0 });
  rmSync(folder, { recursive: true });
}, 120_000);
