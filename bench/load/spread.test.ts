import { expect, test } from "bun:test";
import { spreadOf } from "./spread";

test.each([
  [[3, 1, 2], { median: 2, min: 1, max: 3 }],
  [[4, 1, 2, 8], { median: 3, min: 1, max: 8 }],
  [[7], { median: 7, min: 7, max: 7 }],
])("the spread of %p", (values, spread) => {
  expect(spreadOf(values)).toEqual(spread);
});
