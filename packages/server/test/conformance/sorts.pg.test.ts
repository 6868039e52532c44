import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sortValues } from "@holdfast/api/conventions/sort";
import { walk } from "../harness";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const sorted = lists.flatMap(({ operation, ...list }) =>
  operation.sorts ? [{ ...list, operation, sorts: operation.sorts }] : [],
);
const unsorted = lists.filter(({ operation }) => !operation.sorts);

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe.each(sorted)("the sort of $name", ({ operation: { path }, accept, sorts }) => {
  const get = (query: string) => plane.ask(`${path}${query}`, { token: plane.owner, accept });
  const all = async (query: string) => idsOf(await walk(plane, `${path}${query}`, { token: plane.owner, accept }));

  test.each(Object.keys(sorts.names))(
    "%s has every item, and downwards is the same order from its end",
    async (name) => {
      const upwards = await all(`?limit=3&sort=${name}`);
      expect(upwards).toEqual(await all(`?sort=${name}`));
      expect([...upwards].sort()).toEqual((await all("")).sort());
      expect(await all(`?limit=2&sort=-${name}`)).toEqual([...upwards].reverse());
    },
  );

  test.each(sortValues(sorts))(
    "%s leads back over prev to where it came from, and by number to the same pages",
    async (value) => {
      const first = await get(`?limit=2&sort=${value}`);
      const second = await get(first.body._links.next.href.slice(path.length));
      const back = await get(second.body._links.prev.href.slice(path.length));
      expect(back.body._embedded).toEqual(first.body._embedded);
      expect((await get(`?limit=2&start=2&sort=${value}`)).body._embedded).toEqual(second.body._embedded);
      for (const { href } of Object.values<{ href: string }>(second.body._links))
        expect(href).toContain(`&sort=${value}`);
    },
  );

  test("is the usual one where it is left out or empty", async () => {
    expect(await all("?sort=")).toEqual(await all(""));
    expect(await all("")).toEqual(await all(`?sort=${sorts.default ?? ""}`));
  });

  test("is one of those that are declared: others are refused, and the answer names what is right", async () => {
    for (const wrong of ["id", "created", "-", "Name", "name,id", "name desc", "constructor"]) {
      const { status, body } = await get(`?sort=${encodeURIComponent(wrong)}`);
      expect([status, body]).toEqual([
        400,
        {
          errors: [
            {
              error_code: 40003,
              error_message: `The parameter sort is ${JSON.stringify(wrong)}. Give one of ${sortValues(sorts).join(", ")}.`,
              field: "sort",
            },
          ],
        },
      ]);
    }
  });

  test("is sealed into cursors: one that was made for another sort is refused like one for another filter", async () => {
    const [one, ...others] = sortValues(sorts);
    const { body } = await get(`?limit=2&sort=${one}`);
    const cursor = new URL(body._links.next.href, "http://x").searchParams.get("cursor");
    expect((await get(`?limit=2&sort=${one}&cursor=${cursor}`)).status).toBe(200);
    for (const other of others) {
      const refused = await get(`?limit=2&sort=${other}&cursor=${cursor}`);
      expect([refused.status, refused.body.errors[0].error_code]).toEqual([400, 40009]);
    }
  });
});

test.each(unsorted)("$name has one order and takes no sort", async ({ operation: { path }, accept }) => {
  const { status, body } = await plane.ask(`${path}?sort=name`, { token: plane.owner, accept });
  expect([status, body.errors[0].error_code, body.errors[0].field]).toEqual([400, 40001, "sort"]);
});
