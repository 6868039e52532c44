import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { tables } from "../../src/resources/index";
import { preparationsOf, prepareIn } from "../samples/samples";
import { listOf, reads } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

/** Those that read the item itself, not something about it. */
const itself = reads.filter(({ operation }) => operation.path.endsWith("}"));
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

describe.each(itself)("$name", ({ operation, resource, version, accept }) => {
  const read = (path: string) => plane.ask(path, { token: plane.owner, accept });

  test("has what the list shows, where its link leads, and for a UUID in any letter case", async () => {
    const list = listOf({ resource, version }).operation;
    const { body } = await plane.ask(list.path, { token: plane.owner, accept });
    expect(body._embedded.items.length).toBeGreaterThan(3);
    for (const item of body._embedded.items) {
      const found = await read(operation.path.replace(/\{\w+\}/, item.id));
      expect([found.status, found.body]).toEqual([200, item]);
      if (item._links) expect((await read(item._links.self.href)).body).toEqual(item);
      if (!uuid.test(item.id)) continue;
      expect((await read(operation.path.replace(/\{\w+\}/, item.id.toUpperCase()))).body).toEqual(item);
    }
  });
});

const nouns = Object.values(tables).flatMap((table) =>
  "inUnit" in table && typeof table.inUnit === "object" ? [table.inUnit.noun] : [],
);
const inUnits = itself.filter(({ operation }) =>
  preparationsOf(operation.id).some(({ places }) => places.includes("own")),
);

describe.each(inUnits)("a unit with the item of $name", ({ operation, resource, accept }) => {
  test("is not deleted, unless it is said which unit takes everything, and that has the item then", async () => {
    const [from, to] = [await plane.addUnit(randomUUID()), await plane.addUnit(randomUUID())];
    const { itemId = "" } = await prepareIn(plane, from, operation.id);
    const remove = (query: string) =>
      plane.ask(`/organizational-units/${from}${query}`, { method: "DELETE", token: plane.owner });
    const path = operation.path.replace(/\{\w+\}/, itemId);
    const read = async (unit: string) => (await plane.ask(path, { token: plane.owner, accept, unit })).status;
    expect(await read(to)).toBe(404);
    // Events stay with a unit that is gone.
    if (resource.name === "audit-events") {
      expect([(await remove("")).status, await read(plane.units.south)]).toEqual([204, 404]);
      return;
    }
    const refused = await remove("");
    expect([refused.status, refused.body.errors[0].error_code]).toEqual([409, 40904]);
    const [, held = ""] = /^There are (.*) in this/.exec(refused.body.errors[0].error_message) ?? [];
    const named = held.split(/, | and /);
    expect(named.length).toBeGreaterThan(0);
    expect(["other units", ...nouns]).toEqual(expect.arrayContaining(named));
    expect((await remove(`?move_to=${to}`)).status).toBe(204);
    expect(await read(to)).toBe(200);
  });
});
