import { expect, test } from "bun:test";
import { type AskedBefore, rememberAsked } from "./asked-before";

const ask = (asked: AskedBefore, key: string) => {
  const isAgain = asked.has(key);
  asked.note(key);
  return isAgain;
};

test("a key was asked for before from its second time on", () => {
  const asked = rememberAsked(10);
  expect(["a", "b", "a", "a", "c"].map((key) => ask(asked, key))).toEqual([false, false, true, true, false]);
});

test("at least as many keys as wanted are remembered, and no more than twice as many", () => {
  const asked = rememberAsked(100);
  const keys = Array.from({ length: 301 }, (_, n) => `key ${n}`);
  for (const key of keys) asked.note(key);
  expect(keys.slice(201).map((key) => asked.has(key))).toEqual(Array.from({ length: 100 }, () => true));
  expect(keys.slice(0, 100).some((key) => asked.has(key))).toBe(false);
});
