import { expect, test } from "bun:test";
import { createLog } from "./log";
import { watchClock } from "./watch-clock";

test("T30: a clock that goes back is logged once, and its time is given as it is", () => {
  const lines: string[] = [];
  let time = Date.parse("2026-11-15T12:00:00.000Z");
  const output = { write: (text: string) => lines.push(text), isTerminal: false };
  const clock = watchClock(() => time, createLog({ level: "info", output, clock: () => 0 }));
  const seen = [0, 500, -400, -3_600_000, 100, 100].map((step) => {
    time += step;
    return clock();
  });
  expect(seen.at(-1)).toBe(Date.parse("2026-11-15T11:00:00.300Z"));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      message: "The clock has gone back.",
      detail: "by 3600 s, to 2026-11-15T11:00:00.100Z",
    },
  ]);
});
