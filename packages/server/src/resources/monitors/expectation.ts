import { LRUCache } from "lru-cache";
import { type ExpectedRun, expectedAfterRun, nextExpected } from "./schedule/expected-run";
import { parseSchedule, type Schedule } from "./schedule/schedule";
import type { Monitor } from "./state";

/** Many monitors have the same schedule, and reading it takes longer than using it. */
const opened = new LRUCache<string, Schedule>({ max: 1_000 });

/** The run that is waited for, as it is stored. */
export type Expectation = Pick<Monitor, "next_expected_at" | "grace_counts_from_at">;

/** Expectation when watching begins: a new monitor, another schedule, the end of a pause. */
export function expectFrom(schedule: string | null, from: number): Expectation {
  const known = openSchedule(schedule);
  return store(known && nextExpected(known, from));
}

/** Expectation once a run has begun, which counts for all whose time had come. */
export function expectAfterRun(
  { schedule, grace_seconds }: Pick<Monitor, "schedule" | "grace_seconds">,
  begunAt: number,
): Expectation {
  const known = openSchedule(schedule);
  return store(known && expectedAfterRun(known, begunAt, grace_seconds * 1000));
}

/** A schedule as it is stored: it was one when it was written. A time zone can have gone since; then nothing is expected. */
export function openSchedule(schedule: string | null): Schedule | undefined {
  if (schedule === null) return undefined;
  const known = opened.get(schedule);
  if (known) return known;
  const parsed = parseSchedule(JSON.parse(schedule));
  if ("reason" in parsed) return undefined;
  opened.set(schedule, parsed);
  return parsed;
}

function store(run: ExpectedRun | undefined): Expectation {
  return { next_expected_at: run?.at ?? null, grace_counts_from_at: run?.graceFrom ?? null };
}
