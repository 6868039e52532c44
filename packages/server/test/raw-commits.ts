import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Client } from "pg";

const row = "a row of about the size of a task's document. ".repeat(16);

/** How many rows a second can be inserted and committed one after the other, as durably as the service does it. */
export async function rawCommits(folder: string, databaseUrl: string | undefined, seconds: number): Promise<number> {
  return databaseUrl === undefined ? commitToSqlite(folder, seconds) : commitToPostgres(databaseUrl, seconds);
}

function commitToSqlite(folder: string, seconds: number): number {
  const database = new Database(join(folder, "raw-commits.db"), { create: true });
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run("create table if not exists raw_commits (id integer primary key, document text not null)");
  const insert = database.query("insert into raw_commits (document) values (?)");
  const until = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < until; count++) insert.run(row);
  database.close();
  return count / seconds;
}

async function commitToPostgres(databaseUrl: string, seconds: number): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create table if not exists raw_commits (id bigserial primary key, document text not null)");
  const until = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < until; count++)
    await client.query("insert into raw_commits (document) values ($1)", [row]);
  await client.query("drop table raw_commits");
  await client.end();
  return count / seconds;
}
