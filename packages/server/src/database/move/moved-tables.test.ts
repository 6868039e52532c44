import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tables as descriptions } from "../../resources/index";
import { openSqlite } from "../sqlite/open";
import { foreignTables, planTables } from "./moved-tables";
import { readTables } from "./read-tables";

async function tablesOfNewDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-tables-"));
  const database = await openSqlite(join(folder, "new.db"));
  const tables = await database.snapshot(readTables);
  await database.close();
  rmSync(folder, { recursive: true });
  return tables;
}

test("every table that migrations make is moved, with every column but ids of transactions", async () => {
  const tables = await tablesOfNewDatabase();
  expect(foreignTables(descriptions, tables)).toEqual([]);
  const planned = planTables(descriptions, tables).map(({ name, columns }) => [name, columns] as const);
  const own = /^(kysely_.*|domain_versions|serving_processes)$/;
  const moved = [...tables].filter(([name]) => !own.test(name));
  const columnsOf = (columns: readonly string[]) => columns.filter((column) => column !== "last_xid");
  expect(new Map(planned)).toEqual(new Map(moved.map(([name, columns]) => [name, columnsOf(columns)])));
});

test("every key and every reference is a column of its table", async () => {
  for (const { name, columns, key, numberedBy, refersToItself } of planTables(
    descriptions,
    await tablesOfNewDatabase(),
  )) {
    const named = [...key, numberedBy, refersToItself].filter((column) => column !== undefined);
    expect({ name, unknown: named.filter((column) => !columns.includes(column)) }).toEqual({ name, unknown: [] });
  }
});

test("a table without a rule for moving it is not left behind in silence", async () => {
  const tables = new Map([...(await tablesOfNewDatabase()), ["invoices", ["id"]]]);
  expect(() => planTables(descriptions, tables)).toThrow(
    "There is no rule for moving invoices. Add it to the description of its resource.",
  );
});
