import { expect, jest, test } from "bun:test";
import { boundMemory } from "./bound-memory";

const mebibyte = 1_048_576;

test("garbage is collected when the process has grown, and not again until it has grown beyond what is in use", () => {
  jest.useFakeTimers();
  const sizes: number[] = [];
  let [size, inUse] = [100, 90];
  const memory = {
    resident: () => size * mebibyte,
    collect() {
      sizes.push(size);
      size = inUse;
    },
  };
  const bound = boundMemory(memory, 10);
  const growTo = (grown: number) => {
    size = grown;
    jest.advanceTimersByTime(10);
  };
  for (const grown of [100, 129, 131, 120, 145]) growTo(grown);
  expect(sizes).toEqual([131, 145]);
  inUse = 200;
  for (const grown of [250, 205, 209, 211]) growTo(grown);
  expect(sizes.slice(2)).toEqual([250, 211]);
  inUse = 100;
  for (const grown of [220, 131]) growTo(grown);
  expect(sizes.slice(4)).toEqual([220, 131]);
  bound.stop();
  growTo(500);
  expect(sizes.length).toBe(6);
  jest.useRealTimers();
});
