import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeFolder } from "../../../../test/harness";
import type { Database } from "../../../database/database";
import { openSqlite } from "../../../database/sqlite/open-sqlite";
import { quickWork } from "../../../lists/work";
import { type EntityNames, findByName, readEntityNames } from "./entity-names";

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

const read = (known?: EntityNames, most?: number) =>
  database.snapshot((db, { stamp }) =>
    readEntityNames({ db, stamp, work: quickWork(new AbortController().signal, 10_000) }, known, most),
  );

const find = (names: EntityNames | null, value: string) =>
  names && findByName(names, { field: "primary_entity.value", operator: "$contains", value });

test("entities are found by a part of their names, also those that came later, and each once", async () => {
  const before = await read();
  expect(find(before, "")).toEqual([]);
  await addEntities(3, (index) => `web-${index}`);
  const first = await read(before ?? undefined);
  expect(["EB-", "web", "b-1"].map((part) => find(first, part))).toEqual([[1, 2, 3], [1, 2, 3], [2]]);
  await addEntities(2, (index) => `web-web-${index}`);
  const then = await read(first ?? undefined);
  expect(find(then, "web-")).toHaveLength(5);
  expect(find(then, "1web")).toEqual([]);
  expect(find(then, "1\0w")).toEqual([]);
  expect(find(then, "")).toHaveLength(5);
  // What was read before stays what it was.
  expect(find(first, "web-")).toHaveLength(3);
});

test("with more names than are kept, the database has to look for them", async () => {
  await addEntities(10, (index) => `long ${index} ${"x".repeat(100)}`);
  expect(await read(undefined, 500)).toBeNull();
  expect(find(await read(), "long")).toHaveLength(10);
});
