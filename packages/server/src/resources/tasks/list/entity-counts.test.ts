import { expect, test } from "bun:test";
import { countsAtMost } from "./entity-counts";

test("an hour takes a count for each entity at most, however many tasks came in it", () => {
  expect(countsAtMost([2_000_000, 1_800_000], 3_000)).toBe(2 * 3_001);
});

test("an hour with few tasks takes a count for each of them at most", () => {
  expect(countsAtMost([7, 0, 12], 20_000)).toBe(19);
});
