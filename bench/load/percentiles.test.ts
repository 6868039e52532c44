import { expect, test } from "bun:test";
import { median, percentile } from "./percentiles";

test("a share of values is not above the percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
});

test("few values have percentiles, and none has no number", () => {
  expect([percentile([7], 0.95), percentile([2, 1], 0.95), percentile([], 0.95)]).toEqual([7, 2, Number.NaN]);
});

test("the median of an even number of values is the lower one of the two in the middle", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 8])]).toEqual([2, 2]);
});
