import { expect, test } from "bun:test";
import { control, size } from "../runs";
import { simulateDay } from "./simulated-day";

const hours = size({ default: 6, long: 24 });
const seeds = Array.from({ length: size({ default: 1, long: 20 }) }, (_, index) => index + 1);

test.each(seeds)(
  `R28: in ${hours} simulated hours with restarts, fail-overs, pauses and clock steps no task of 200 runners is lost that was not, and every one that was (day %d)`,
  (seed) => {
    const { falseAlarms, missed, deaths, lost, disturbances } = simulateDay({
      seconds: hours * 3_600,
      runners: 200,
      seed,
      noticesGaps: true,
    });
    expect(falseAlarms).toEqual([]);
    expect(missed).toEqual([]);
    expect(deaths - lost).toBeLessThan(30);
    expect(lost).toBeGreaterThan(12 * hours);
    expect(Math.min(...Object.values(disturbances))).toBeGreaterThan(hours / 3);
  },
  120_000,
);

control(
  "R28: the control: where gaps are not noticed, the same day has false alarms",
  () => {
    const { falseAlarms } = simulateDay({ seconds: 3 * 3_600, runners: 200, seed: 1, noticesGaps: false });
    expect(falseAlarms.length).toBeGreaterThan(0);
  },
  120_000,
);
