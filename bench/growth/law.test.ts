import { expect, test } from "bun:test";
import { exponentOf, lawOf } from "./law";

const sizes = [1_000, 100_000, 1_000_000, 10_000_000];

test.each([
  [0, "n^0.00: not at all"],
  [0.5, "n^0.50: slower than the size"],
  [1, "n^1.00: with the size"],
  [2, "n^2.00: faster than the size"],
  [-0.5, "n^-0.50: the other way: it falls"],
])("what grows with the power %p of the size is said to", (power, law) => {
  const values = sizes.map((size) => 3 * size ** power);
  expect(exponentOf(sizes, values)).toBeCloseTo(power, 9);
  expect(lawOf(sizes, values)).toBe(law);
});

test("what was not measured, or is nothing, is left out", () => {
  expect(exponentOf(sizes, [1, null, 1_000, null])).toBeCloseTo(1, 9);
  expect(exponentOf(sizes, [0, null, 5, null])).toBeNull();
  expect(lawOf(sizes, [null, null, null, null])).toBe("");
});
