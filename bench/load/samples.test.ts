import { expect, test } from "bun:test";
import { createSamples } from "./samples";

test("a row is judged by the p95 of its slowest variant, and names it", () => {
  const samples = createSamples();
  samples.note("a page", "first", 1_000, false);
  samples.begin();
  for (let n = 1; n <= 100; n++) {
    samples.note("a page", "first", n / 100, false);
    samples.note("a page", "last", n, false);
  }
  expect(samples.row("p95", "a page", 94)).toMatchObject({
    value: 95,
    isHeld: false,
    detail: "worst: last; all: p95 90.0 ms, median 1.0 ms, 200 requests",
  });
  expect(samples.row("p95", "a page", 95).isHeld).toBe(true);
});

test("a rejected request and a row without requests hold no aim", () => {
  const samples = createSamples();
  samples.begin();
  samples.note("a task", "one", 1, true);
  expect(samples.row("p95", "a task", 20)).toMatchObject({
    isHeld: false,
    detail: expect.stringContaining("1 rejected"),
  });
  expect(samples.row("p95", "never asked", 20).isHeld).toBe(false);
});
