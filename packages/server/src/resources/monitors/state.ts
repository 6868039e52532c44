import { type MonitorState, monitorStates } from "@holdfast/api/resources/monitor-words";
import { type MonitorV1, recentOutcomesShown } from "@holdfast/api/resources/monitors";
import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { Selectable } from "kysely";
import type { MonitorTable } from "../../database/schema";

// The one rule for the state of a monitor. Its functions are pure; whatever changes a monitor stores what they give.

/** A monitor as it is stored. */
export type Monitor = Selectable<MonitorTable>;

/** Ending of a run of a monitor. */
export type RecentOutcome = MonitorV1["recent_outcomes"][number];

/** Facts that the state follows from. */
export type StateFacts = Pick<
  Monitor,
  "paused_until" | "missed_in_a_row" | "next_expected_at" | "grace_counts_from_at" | "grace_seconds" | "recent_outcomes"
>;

/** Stored state, and the time at which it has to be looked at again because time alone changes it. */
export type StoredState = Pick<Monitor, "state" | "state_rank" | "next_check_at">;

const good: readonly TaskOutcome[] = ["success", "warning"];
/** Says nothing of the next run: a person stopped it, or it never was one. */
const withoutVerdict: readonly TaskOutcome[] = ["cancelled", "missed"];

/** The state of a monitor at a moment. */
export function stateOf(facts: StateFacts, now: number): MonitorState {
  if (isPaused(facts, now)) return "paused";
  if (facts.missed_in_a_row > 0) return "missed";
  const last = lastVerdict(readOutcomes(facts));
  if (last !== undefined && !good.includes(last)) return "failed";
  if (facts.next_expected_at !== null && facts.next_expected_at <= now) return "late";
  return last === undefined ? "waiting" : "ok";
}

/** Works out the state with what is stored beside it. */
export function settleState(facts: StateFacts, now: number): StoredState {
  const state = stateOf(facts, now);
  return { state, state_rank: monitorStates.indexOf(state), next_check_at: nextCheck(facts, now) };
}

/** When time alone changes the state: a pause ends, a run is due, or it is overdue. Null where it does not. */
export function nextCheck(facts: StateFacts, now: number): number | null {
  const { paused_until, next_expected_at, grace_counts_from_at, grace_seconds } = facts;
  if (isPaused(facts, now)) return paused_until;
  if (next_expected_at === null) return null;
  return next_expected_at > now ? next_expected_at : (grace_counts_from_at ?? next_expected_at) + grace_seconds * 1000;
}

export function isPaused({ paused_until }: Pick<Monitor, "paused_until">, now: number): boolean {
  return paused_until !== null && paused_until > now;
}

/** The outcomes that a monitor has stored. */
export function readOutcomes({ recent_outcomes }: Pick<Monitor, "recent_outcomes">): RecentOutcome[] {
  return JSON.parse(recent_outcomes);
}

/** Outcome of the newest run that says whether the next one is going to be good; undefined before the first. */
function lastVerdict(outcomes: readonly RecentOutcome[]): TaskOutcome | undefined {
  return outcomes.findLast(({ outcome }) => !withoutVerdict.includes(outcome))?.outcome;
}

/** A change of one task of a monitor. Times are milliseconds. */
export interface MonitoredRun {
  taskId: string;
  createdAt: number;
  createdTimestamp: string;
  isNew: boolean;
  /** When it began, where it did with this change. */
  begunAt: number | null;
  /** By how many the runs that are under way become more. */
  opened: number;
  /** Outcome; null for one that has not, or no longer. */
  outcome: TaskOutcome | null;
}

/** Fields of a monitor that runs change. */
export type RunFacts = Pick<
  Monitor,
  "open_runs" | "last_task_id" | "last_begun_at" | "missed_in_a_row" | "recent_outcomes" | "is_down"
>;

/** Transition of a monitor: down, up, or neither. */
export type Transition = "down" | "up" | undefined;

/** State of a monitor after a change of one of its tasks, the state aside. */
export function followRun(facts: RunFacts, run: MonitoredRun): { facts: RunFacts; turn: Transition } {
  const before = readOutcomes(facts);
  const others = before.filter(({ task_id }) => task_id !== run.taskId);
  const ended =
    run.outcome === null
      ? []
      : [{ task_id: run.taskId, outcome: run.outcome, created_timestamp: run.createdTimestamp }];
  const outcomes = [...others, ...ended].sort(byCreation).slice(-recentOutcomesShown);
  const isNewest = run.createdAt >= Math.max(facts.last_begun_at ?? 0, ...before.map(createdAt));
  const missed = nextMissed(facts, run, before);
  const verdict = lastVerdict(outcomes);
  const isBad = missed > 0 || (verdict !== undefined && !good.includes(verdict));
  const isGoodEnd = run.outcome !== null && good.includes(run.outcome);
  const isDown = isBad ? 1 : isGoodEnd ? 0 : facts.is_down;
  return {
    facts: {
      open_runs: Math.max(0, facts.open_runs + run.opened),
      last_task_id: run.isNew && isNewest ? run.taskId : facts.last_task_id,
      last_begun_at: run.begunAt === null ? facts.last_begun_at : Math.max(facts.last_begun_at ?? 0, run.begunAt),
      missed_in_a_row: missed,
      recent_outcomes: JSON.stringify(outcomes),
      is_down: isDown,
    },
    turn: isDown === facts.is_down ? undefined : isDown === 1 ? "down" : "up",
  };
}

/** Every miss counts once; every run that has ended, however that was, came. */
function nextMissed(facts: RunFacts, { taskId, outcome }: MonitoredRun, before: readonly RecentOutcome[]): number {
  if (outcome === null) return facts.missed_in_a_row;
  if (outcome !== "missed") return 0;
  return before.some(({ task_id }) => task_id === taskId) ? facts.missed_in_a_row : facts.missed_in_a_row + 1;
}

function createdAt({ created_timestamp }: RecentOutcome): number {
  return Date.parse(created_timestamp);
}

function byCreation(one: RecentOutcome, other: RecentOutcome): number {
  return createdAt(one) - createdAt(other);
}
