import { expect, test } from "bun:test";
import { size } from "../runs";
import { passDays } from "./watched-days";

const days = size({ default: 1, long: 6 });
const seeds = Array.from({ length: size({ default: 1, long: 10 }) }, (_, index) => index + 1);

test.each(seeds)(
  "R28: outages of any length, restarts and steps of the clock never make a missed run of one that came, and those that did not come are noticed (seed %d)",
  async (seed) => {
    const { falseAlarms, unnoticed, misses, unwatched, runs, disturbances } = await passDays({
      days,
      seed,
      noticesGaps: true,
    });
    expect(falseAlarms).toEqual([]);
    expect(unnoticed).toEqual([]);
    expect([misses > 5, unwatched > 3, runs > 100]).toEqual([true, true, true]);
    expect(Math.min(...Object.values(disturbances))).toBeGreaterThan(1);
  },
  600_000,
);

test("R28: the control: where it is not noticed that the service was away, runs that came are called missed", async () => {
  const { falseAlarms } = await passDays({ days: 0.4, seed: 6, noticesGaps: false });
  expect(falseAlarms.length).toBeGreaterThan(0);
}, 120_000);
