import { expect, test } from "bun:test";
import { createLogBudget } from "./log-budget";

test("a flood is cut off until the interval is over", () => {
  let now = 0;
  const budget = createLogBudget(100, 5_000, () => now);
  expect([budget.takes(60), budget.takes(60), budget.takes(1)]).toEqual([true, false, false]);
  now = 4_999;
  expect(budget.takes(1)).toBe(false);
  now = 5_000;
  expect([budget.takes(99), budget.takes(1)]).toEqual([true, false]);
});
