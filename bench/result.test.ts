import { expect, test } from "bun:test";
import { rowOf } from "./result";

test.each([
  [39.9, { atMost: 40 }, "at most 40 ms", true],
  [40.1, { atMost: 40 }, "at most 40 ms", false],
  [Number.NaN, { atMost: 40 }, "at most 40 ms", false],
  [5, { atLeast: 5 }, "at least 5 ms", true],
  [4.9, { atLeast: 5 }, "at least 5 ms", false],
  [1, {}, null, null],
])("%p with the aim %p", (value, aim, text, isHeld) => {
  expect(rowOf("p95", "a page", value, " ms", aim)).toMatchObject({ aim: text, isHeld, detail: "" });
});

test("an aim is missed if a request was rejected, however quick the others were", () => {
  const row = rowOf("p95", "a page", 1, " ms", { atMost: 40, rejected: 2 }, "the last");
  expect(row).toMatchObject({ isHeld: false, detail: "the last; 2 rejected" });
});
