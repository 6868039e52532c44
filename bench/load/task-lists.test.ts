import { expect, test } from "bun:test";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import type { Sent } from "./connection";
import { createRandom } from "./random";
import { filterOn, pairs, visitPages } from "./task-lists";

const failed: TaskV1 = Object({
  status: "failed",
  outcome: "error",
  category: "backup",
  type: "restic_backup",
  organizational_unit_id: "unit",
  primary_entity: { id: "item", type: "host", value: "web-1" },
  error: { code: "repository_locked", message: "", remedy: "" },
  created_timestamp: "2026-11-01T12:00:00.000Z",
});
const known = { any: [failed], failed: [failed] };

test("all pairs of the eight filters are asked for, none twice", () => {
  expect(new Set(pairs.map((pair) => pair.toSorted().join())).size).toBe(28);
  expect(filterOn(["unit", "error code"], known, createRandom(1))).toEqual({
    organizational_unit_id: "unit",
    "error.code": "repository_locked",
  });
});

test("a created range holds the task that it was made of", () => {
  const random = createRandom(2);
  for (let n = 0; n < 100; n++) {
    const { created_timestamp: range } = Object(filterOn(["created range"], known, random));
    expect([failed.created_timestamp >= range.$gte, failed.created_timestamp < range.$lt]).toEqual([true, true]);
  }
});

const answerTo = (next: string, total: number) => ({
  status: 200,
  ms: 1,
  text: () =>
    `{"_links":{"next":{"href":"${next}"},"prev":{"href":"/before"}},"start":"1","limit":100,"total_count":${total}}`,
});

async function visited(total: number): Promise<string[]> {
  const paths: string[] = [];
  const ask = (name: string) => async (request: Sent) => {
    paths.push(`${name}: ${request.path}`);
    return answerTo(`${request.path}&cursor`, total);
  };
  await visitPages(ask, {});
  return paths;
}

test("a list is visited at its beginning, in its middle and at its end, by number and by cursor", async () => {
  expect(await visited(1_000)).toEqual([
    "first page by number: /tasks?limit=100&start=1",
    "second page by cursor: /tasks?limit=100&start=1&cursor",
    "middle page by number: /tasks?limit=100&start=5",
    "middle page by cursor: /tasks?limit=100&start=5&cursor",
    "last page by number: /tasks?limit=100&start=10",
    "last but one page by cursor: /before",
  ]);
});

test("a list of two pages has no middle", async () => {
  expect(await visited(150)).toHaveLength(2);
});
