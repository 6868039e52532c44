import { expect, test } from "bun:test";
import { createTask } from "../lifecycle";
import { presentLease } from "./lease";

const now = Date.parse("2026-11-15T12:00:00.000Z");

function wantedIn(lease_seconds: number, pace: number): { min: number; max: number } {
  const given = { id: "a", organizational_unit_id: "b", category: "backup", type: "t", lease_seconds } as const;
  const { lease } = createTask(given, "holder", now);
  const wanted = Array.from({ length: 2_000 }, () => presentLease(lease, () => pace, now)?.next_report_seconds ?? 0);
  return { min: Math.min(...wanted), max: Math.max(...wanted) };
}

test.each([
  [30, { min: 4, max: 6 }],
  [180, { min: 24, max: 36 }],
  [86_400, { min: 48, max: 72 }],
])(
  "with a lease of %d seconds a report is wanted after a sixth of it, from 5 to 60, by a fifth more or less",
  (seconds, expected) => {
    expect(wantedIn(seconds, 1)).toEqual(expected);
  },
);

test.each([
  [30, 10],
  [180, 60],
  [86_400, 144],
])(
  "with a lease of %d seconds a busy service asks for half as many, and at most after a third of it",
  (seconds, max) => {
    expect(wantedIn(seconds, 2).max).toBe(max);
  },
);
