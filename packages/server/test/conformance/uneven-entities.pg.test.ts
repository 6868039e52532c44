import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPlane, type Plane, walk } from "../harness";

let plane: Plane;
let token: string;
const base = Date.parse("2026-11-15T11:00:00.000Z");
const expected: string[] = [];

/** Tasks of a host, one each minute before a time. */
const tasksOf = (host: string, count: number, until: number) =>
  Array.from({ length: count }, (_, minute) => ({
    id: `${host}-${until}-${minute}`,
    created_timestamp: new Date(until - minute * 60_000).toISOString(),
    primary_entity: { id: host, type: "host", value: `${host}.example.org` },
  }));

beforeAll(async () => {
  plane = await openPlane();
  ({ token } = await plane.serviceToken("owner"));
  // Two hosts that had many tasks long ago and a few of late, when others had many.
  const wanted = [
    ...tasksOf("web-1", 7, base),
    ...tasksOf("web-2", 5, base - 7_200_000 - 1),
    ...tasksOf("web-1", 300, base - 86_400_000 * 9),
    ...tasksOf("web-2", 300, base - 86_400_000 * 30 - 1),
  ];
  await plane.addTasks([...wanted, ...tasksOf("db-1", 400, base - 30_000), ...tasksOf("db-2", 300, base - 86_400_000)]);
  const newestFirst = wanted.toSorted((one, other) => other.created_timestamp.localeCompare(one.created_timestamp));
  expected.push(...newestFirst.map(({ id }) => id));
});
afterAll(() => plane.close());

test.each([1, 5, 20, 100])(
  "tasks of entities that had few of late are all found by a part of their names, %d a page",
  async (limit) => {
    const filter = encodeURIComponent(JSON.stringify({ "primary_entity.value": { $contains: "WEB-" } }));
    const first = await plane.ask(`/tasks?limit=${limit}&filter=${filter}`, { token });
    expect(first.body.total_count).toBe(expected.length);
    expect(first.body._embedded.items.map(({ id }: { id: string }) => id)).toEqual(expected.slice(0, limit));
    const pages = await walk(plane, `/tasks?limit=${Math.max(limit, 20)}&filter=${filter}`, { token });
    expect(pages.map(({ id }) => id)).toEqual(expected);
  },
);
