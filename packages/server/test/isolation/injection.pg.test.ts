import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Queries } from "../../src/database/database";
import { openPlane, type Plane } from "../harness";
import { runs } from "../runs";

let plane: Plane;
let token: string;

beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
  await plane.addTasks([{ id: "the only task" }]);
});
afterAll(() => plane.close());

test("T12 what a GET reads with cannot write: insert, update, delete, drop and create are refused by the database", async () => {
  const path = { ancestor_id: "", unit_id: "" };
  const attempts: ((db: Queries) => Promise<unknown>)[] = [
    (db) => db.deleteFrom("tasks").execute(),
    (db) => db.updateTable("tasks").set({ status: "failed" }).execute(),
    (db) => db.insertInto("organizational_unit_paths").values(path).execute(),
    (db) => db.schema.dropTable("tasks").execute(),
    (db) => db.schema.createTable("mine").addColumn("id", "text").execute(),
  ];
  for (const attempt of attempts) {
    await expect(plane.database.snapshot(attempt)).rejects.toThrow(
      /attempt to write a readonly database|in a read-only transaction/,
    );
  }
  expect((await plane.ask("/tasks", { token })).body.total_count).toBe(1);
});

test("T12 a NUL or half a character in a value matches nothing, and does not cut or mend the rest of it", async () => {
  await plane.addUser({ name: "Ada", email: "ada@example.org" });
  await plane.addUser({ name: "A \ufffd mark", email: "mark@example.org" });
  const hostile = ["ada\0", "ada\0 and more", "\0", "\ud83d", "a \ud800 mark", "\udc00"];
  for (const value of hostile) {
    for (const operator of ["$eq", "$contains", "$begins_with"]) {
      const filter = encodeURIComponent(JSON.stringify({ name: { [operator]: value } }));
      expect((await plane.ask(`/users?filter=${filter}`, { token })).body.total_count).toBe(0);
    }
    const others = encodeURIComponent(JSON.stringify({ id: { $neq: value } }));
    expect((await plane.ask(`/tasks?filter=${others}`, { token })).body.total_count).toBe(1);
  }
});

const prototypeNames = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"] as const;
const name = fc.constantFrom(...prototypeNames, "status", "name", "$eq", "$in", "$contains", "id");
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('"failed"', '"__proto__"', "null", "1", "true", "[]", '["constructor"]'),
    fc.array(fc.tuple(name, tie("node")), { maxLength: 3 }).map(writeObject),
  ),
}));

/** Written by hand: JSON.stringify would leave a key named __proto__ out, or set the prototype. */
function writeObject(entries: [string, string][]): string {
  return `{${entries.map(([key, value]) => `"${key}":${value}`).join(",")}}`;
}

const everything = fc.array(fc.tuple(name, node), { minLength: 1, maxLength: 3 }).map(writeObject);
const cleanPrototypes = prototypesNow();

function prototypesNow() {
  return [Object, Array, String, Map, Function].map(({ prototype }) => Reflect.ownKeys(prototype));
}

test("T14 names of the prototype at any place of a filter are fields that do not exist, and change nothing", async () => {
  await fc.assert(
    fc.asyncProperty(everything, fc.constantFrom("/tasks", "/users"), async (filter, path) => {
      const { status, text } = await plane.ask(`${path}?filter=${encodeURIComponent(filter)}`, { token });
      expect([200, 400]).toContain(status);
      expect(text.startsWith(status === 200 ? '{"_embedded"' : '{"errors":[{"error_code":400')).toBe(true);
    }),
    runs(1000),
  );
  expect(prototypesNow()).toEqual(cleanPrototypes);
  expect(Reflect.get({}, "status")).toBeUndefined();
}, 120_000);

test("T14 a field, an operator, a parameter, a path and an item named like the prototype do not exist", async () => {
  for (const hostile of prototypeNames) {
    const filters = [`{"${hostile}":"x"}`, `{"status":{"${hostile}":"x"}}`, `{"${hostile}":{"$eq":"x"}}`];
    const answers = await Promise.all([
      ...filters.map((filter) => plane.ask(`/tasks?filter=${encodeURIComponent(filter)}`, { token })),
      plane.ask(`/tasks?${hostile}=1`, { token }),
      plane.ask(`/${hostile}`, { token }),
      plane.ask(`/tasks/${hostile}`, { token }),
      plane.ask("/tasks", { token, unit: hostile }),
      plane.ask("/tasks", { token, accept: `application/api.svc.${hostile}=v1+json` }),
    ]);
    expect(answers.map(({ body }) => body.errors.map((error: { error_code: number }) => error.error_code))).toEqual([
      [40005],
      [40006],
      [40005],
      [40001],
      [40401],
      [40402],
      [40011],
      [40601],
    ]);
  }
});

test("T14 a value that is named like the prototype is found like any other text", async () => {
  await plane.addTasks([{ id: "__proto__", primary_entity: { id: "constructor", type: "host", value: "__proto__" } }]);
  const filter = encodeURIComponent(
    '{"primary_entity.value":"__proto__","primary_entity.id":{"$contains":"CONSTRUCTOR"}}',
  );
  const { body } = await plane.ask(`/tasks?filter=${filter}`, { token });
  expect(body._embedded.items.map(({ id }: { id: string }) => id)).toEqual(["__proto__"]);
  expect((await plane.ask("/tasks/__proto__", { token })).body.id).toBe("__proto__");
});
