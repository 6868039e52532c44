import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeFolder } from "../../../test/harness";
import type { Database } from "../../database/database";
import { openSqlite } from "../../database/sqlite/open-sqlite";
import { quickWork } from "../../lists/work";
import { createEntityNames, type EntityNames } from "./entity-names";

let database: Database;

beforeAll(async () => {
  database = await openSqlite(`${makeFolder()}/holdfast.db`);
});
afterAll(() => database.close());

let added = 0;

function addEntities(count: number, value: (index: number) => string): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, index) => {
    const [id, name] = [`entity-${++added}`, value(index)];
    return { id, type: "host", value: name, id_folded: id, value_folded: name };
  });
  return database.change((db) => db.insertInto("entities").values(rows).execute());
}

/** Catches up, and finds by a part of a name. */
const find = (names: EntityNames, value: string) =>
  database.snapshot(async (db, { stamp }) => {
    const isKept = await names.catchUp({ db, stamp, work: quickWork(new AbortController().signal, 10_000) });
    return isKept && names.find({ field: "primary_entity.value", operator: "$contains", value });
  });

test("entities are found by a part of their names, also those that came later, and each once", async () => {
  const names = createEntityNames();
  expect(await find(names, "")).toEqual([]);
  await addEntities(3, (index) => `web-${index}`);
  const [first, second, third] = await Promise.all([find(names, "EB-"), find(names, "web"), find(names, "b-1")]);
  expect(first).toEqual([1, 2, 3]);
  expect([second, third]).toEqual([[1, 2, 3], [2]]);
  await addEntities(2, (index) => `web-web-${index}`);
  expect(await find(names, "web-")).toHaveLength(5);
  expect(await find(names, "1web")).toEqual([]);
  expect(await find(names, "1\0w")).toEqual([]);
  expect(await find(names, "")).toHaveLength(5);
});

test("with more names than are kept, the database has to look for them", async () => {
  await addEntities(10, (index) => `long ${index} ${"x".repeat(100)}`);
  expect(await find(createEntityNames(500), "long")).toBe(false);
  expect(await find(createEntityNames(), "long")).toHaveLength(10);
});
