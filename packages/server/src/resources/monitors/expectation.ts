import type { Monitor } from "./state";

/** The run that is waited for, as it is stored. */
export type Expectation = Pick<Monitor, "next_expected_at" | "grace_counts_from_at">;

const nothing: Expectation = { next_expected_at: null, grace_counts_from_at: null };

/** What is expected when watching begins: a new monitor, another schedule, the end of a pause. */
export function expectFrom(schedule: string | null, from: number): Expectation {
  return expectAfterRun({ schedule, grace_seconds: 0 }, from);
}

/** What is expected once a run has begun. */
export function expectAfterRun(
  { schedule }: Pick<Monitor, "schedule" | "grace_seconds">,
  begunAt: number,
): Expectation {
  const known: { period_seconds?: number } = schedule === null ? {} : JSON.parse(schedule);
  if (known.period_seconds === undefined) return nothing;
  const at = begunAt + known.period_seconds * 1000;
  return { next_expected_at: at, grace_counts_from_at: at };
}
