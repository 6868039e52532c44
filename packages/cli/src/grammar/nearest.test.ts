import { expect, test } from "bun:test";
import { nearest } from "./nearest";

test.each([
  ["taks", "task"],
  ["tsk", "task"],
  ["monitr", "monitor"],
  ["stat", "status"],
  ["TOKEN", "token"],
  ["xyzzy", undefined],
])("%s is taken for %p", (given, meant) => {
  expect(nearest(given, ["status", "task", "monitor", "token", "key"])).toBe(meant);
});
