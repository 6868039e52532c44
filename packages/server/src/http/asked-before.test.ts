import { expect, test } from "bun:test";
import { rememberAsked } from "./asked-before";

test("a key was asked for before from its second time on", () => {
  const wasAskedBefore = rememberAsked(10);
  expect(["a", "b", "a", "a", "c"].map(wasAskedBefore)).toEqual([false, false, true, true, false]);
});

test("at least as many keys as wanted are remembered, and no more than twice as many", () => {
  const wasAskedBefore = rememberAsked(100);
  const keys = Array.from({ length: 301 }, (_, n) => `key ${n}`);
  keys.forEach(wasAskedBefore);
  expect(keys.slice(201).map((key) => wasAskedBefore(key))).toEqual(Array.from({ length: 100 }, () => true));
  expect(keys.slice(0, 100).some((key) => wasAskedBefore(key))).toBe(false);
});
