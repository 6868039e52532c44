import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const named = lists.filter(({ operation }) => "id" in operation.filters);

test("what other items refer to by id can be found by ids", () => {
  const resources = new Set(named.map(({ resource }) => resource.name));
  for (const name of ["users", "roles", "organizational-units", "api-tokens", "tasks"])
    expect(resources).toContain(name);
});

describe.each(named)("$name", ({ operation, accept }) => {
  async function found(id: unknown, unit?: string): Promise<string[]> {
    const filter = encodeURIComponent(JSON.stringify({ id }));
    const ask = { token: plane.owner, accept, ...(unit === undefined ? {} : { unit }) };
    const { status, body } = await plane.ask(`${operation.path}?filter=${filter}`, ask);
    expect([status, body.total_count]).toEqual([200, body._embedded.items.length]);
    return body._embedded.items.map((item: { id: string }) => item.id);
  }

  async function everyId(unit?: string): Promise<string[]> {
    const ask = { token: plane.owner, accept, ...(unit === undefined ? {} : { unit }) };
    const { body } = await plane.ask(operation.path, ask);
    return body._embedded.items.map((item: { id: string }) => item.id);
  }

  test("finds one item, or several in the order of the list, by their ids in any letter case", async () => {
    const ids = await everyId();
    const [first = "", , third = ""] = ids;
    expect(ids.length).toBeGreaterThan(3);
    expect(await found(first.toUpperCase())).toEqual([first]);
    expect(await found({ $eq: third })).toEqual([third]);
    expect(await found({ $in: [third, "nothing has this id", first.toUpperCase()] })).toEqual([first, third]);
    expect(await found({ $in: [] })).toEqual([]);
  });

  test("T10: finds nothing by the id of what the unit does not show", async () => {
    const shown = await everyId(plane.units.south);
    const hidden = (await everyId()).filter((id) => !shown.includes(id));
    expect(await found({ $in: hidden }, plane.units.south)).toEqual([]);
    expect(await found({ $in: [...hidden, ...shown] }, plane.units.south)).toEqual(shown);
  });
});
