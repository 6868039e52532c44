import { Database as File } from "bun:sqlite";
import { expect, test } from "bun:test";
import { Kysely } from "kysely";
import { sqliteColumns } from "../columns";
import type { Schema } from "../schema";
import { sqliteDialect } from "../sqlite/dialect";
import { up } from "./0020-token-addresses";

/** The addresses that tokens made at these times get, in a database with changes of the base URL at 100 and at 200. */
async function addressesOf(createdAt: readonly number[], base_url: string | null): Promise<(string | null)[]> {
  const file = new File(":memory:");
  file.run("create table installation (id integer, base_url text)");
  file.run("create table api_tokens (id text, created_at integer)");
  file.run("create table domain_versions (domain text, version integer)");
  file.run("create table audit_events (number integer, operation text, created_at integer, document text)");
  file.run("insert into installation values (1, ?)", [base_url]);
  for (const at of createdAt) file.run("insert into api_tokens values (?, ?)", [`token ${at}`, at]);
  const changes = [
    [1, "change-base-url", 100, { before: { base_url: "http://a" }, after: { base_url: "http://b" } }],
    [2, "create-api-token", 150, { before: { base_url: "http://never" } }],
    [3, "change-base-url", 200, { before: { base_url: "http://b" }, after: { base_url: "http://c" } }],
  ] as const;
  for (const [number, operation, at, document] of base_url === null ? [] : changes) {
    file.run("insert into audit_events values (?, ?, ?, ?)", [number, operation, at, JSON.stringify(document)]);
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  await up(new Kysely<unknown>({ dialect: sqliteDialect(file) }), sqliteColumns);
  const rows = await db.selectFrom("api_tokens").select("base_url").orderBy("created_at").execute();
  await db.destroy();
  return rows.map((row) => row.base_url);
}

test("older tokens are given the base URL that the service had when they were made", async () => {
  expect(await addressesOf([50, 99, 100, 199, 200, 300], "http://c")).toEqual([
    "http://a",
    "http://a",
    "http://b",
    "http://b",
    "http://c",
    "http://c",
  ]);
});

test("tokens that were made before any service had started have no address", async () => {
  expect(await addressesOf([50, 300], null)).toEqual([null, null]);
});
