import { expect, test } from "bun:test";
import { createPace } from "./pace";

test("the answers of the last second are counted, and older ones no more", () => {
  let now = 12_345;
  const pace = createPace(() => now);
  expect(pace.perSecond()).toBe(0);
  for (let count = 0; count < 30; count++, now += 50) pace.noteAnswer();
  expect(pace.perSecond()).toBeWithin(18, 21);
  now += 500;
  expect(pace.perSecond()).toBeWithin(8, 11);
  now += 600;
  expect(pace.perSecond()).toBe(0);
  pace.noteAnswer();
  now += 100_000;
  pace.noteAnswer();
  expect(pace.perSecond()).toBe(1);
});
