import { expect, jest, test } from "bun:test";
import { watchLimits } from "./watch-limits";

test("output counts as movement until the command shows progress", () => {
  jest.useFakeTimers();
  const reasons: string[] = [];
  const limits = watchLimits({ timeoutMs: undefined, stallMs: 60 }, (reason) => reasons.push(reason));
  for (let count = 0; count < 5; count++) {
    jest.advanceTimersByTime(20);
    limits.heard();
  }
  expect(reasons).toEqual([]);
  limits.moved({ percentage: 1 });
  for (let count = 0; count < 6; count++) {
    jest.advanceTimersByTime(20);
    limits.heard();
    limits.moved({ percentage: 1 });
  }
  expect(reasons).toEqual(["stall"]);
  limits.end();
  jest.useRealTimers();
});

test("a limit beyond the longest timer of the runtime is not reached at once", async () => {
  const reasons: string[] = [];
  const limits = watchLimits({ timeoutMs: 5_184_000_000, stallMs: 5_184_000_000 }, (reason) => reasons.push(reason));
  await Bun.sleep(30);
  limits.end();
  expect(reasons).toEqual([]);
});
