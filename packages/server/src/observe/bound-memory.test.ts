import { expect, jest, test } from "bun:test";
import { boundMemory } from "./bound-memory";

const mebibyte = 1_048_576;

test("garbage is collected when the process has grown, for a hundredth of the time at most", () => {
  jest.useFakeTimers();
  const collected: number[] = [];
  let [size, time, takes] = [100, 0, 5];
  const memory = {
    resident: () => size * mebibyte,
    collect() {
      collected.push(time);
      time += takes;
    },
    now: () => time,
  };
  const bound = boundMemory(memory, 100);
  const pass = (checks: number) => {
    for (let check = 0; check < checks; check++) {
      time += 100;
      jest.advanceTimersByTime(100);
    }
  };
  pass(10);
  expect(collected).toEqual([]);
  size = 131;
  pass(11);
  // It takes 5 ms, so it rests for 500.
  expect(collected).toEqual([1_100, 1_605, 2_110]);
  // Where more is in use and it takes longer, it also rests longer.
  takes = 50;
  pass(110);
  const [first = 0, second = 0, ...others] = collected.slice(3);
  expect([first >= 2_615, second - first >= 5_050, second - first < 5_200, others.length]).toEqual([
    true,
    true,
    true,
    1,
  ]);
  bound.stop();
  pass(80);
  expect(collected.length).toBe(6);
  jest.useRealTimers();
});
