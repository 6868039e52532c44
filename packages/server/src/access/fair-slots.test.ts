import { expect, test } from "bun:test";
import { createFairSlots } from "./fair-slots";

test("T21: a holder may have half of what is free, and what it gives back is free again", () => {
  const slots = createFairSlots(100);
  const takeAll = (...holders: string[]) => {
    const taken = [];
    for (let leave = slots.take(holders); leave; leave = slots.take(holders)) taken.push(leave);
    return taken;
  };
  const first = takeAll("unit a", "service 1");
  expect(first).toHaveLength(50);
  // Another service of the same unit gets none; another unit gets half of the rest.
  expect(takeAll("unit a", "service 2")).toHaveLength(0);
  expect(takeAll("unit b")).toHaveLength(25);
  for (const leave of [...first, ...first]) leave();
  expect(slots.used()).toBe(25);
  expect(takeAll("unit c").length).toBeGreaterThan(30);
});

test("with few slots, a holder may have ten, and never more than there are", () => {
  const slots = createFairSlots(12);
  const take = (holder: string, count: number) =>
    Array.from({ length: count }, () => slots.take([holder]) !== undefined);
  expect(take("first", 11).filter(Boolean)).toHaveLength(10);
  expect(take("second", 5).filter(Boolean)).toHaveLength(2);
});
