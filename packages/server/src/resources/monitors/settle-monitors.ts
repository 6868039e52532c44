import { describeMissedRun } from "@holdfast/api/resources/missed-run";
import { monitorV1 } from "@holdfast/api/resources/monitors";
import type { Queries } from "../../database/database";
import { missTask, type TrackedTask } from "../tasks/lifecycle";
import type { FollowTasks } from "../tasks/reports/follow-tasks";
import { newTaskId } from "../tasks/reports/prepare-report";
import { readGroup } from "../tasks/reports/write-reports";
import { type Expectation, expectAfterRun, expectFrom, openSchedule } from "./expectation";
import { type Judged, judgeExpected, type Miss, settling } from "./judge-expected";
import { listUnwatched, type UnwatchedTime } from "./listening";
import { nextExpected } from "./schedule/expected-run";
import type { Schedule } from "./schedule/schedule";
import { isPaused, type Monitor, readOutcomes, settleState } from "./state";
import { followWatching } from "./watched-entities";

/** A place in the order in which monitors are looked at. */
export interface CheckPlace {
  checkAt: number;
  id: string;
}

/** Result of settling some monitors. */
export interface SettledMonitors {
  /** Where to go on; undefined once all that are due were looked at. */
  next: CheckPlace | undefined;
  /** The tasks of runs that did not come, and the names of their monitors, by id. */
  missed: TrackedTask[];
  monitors: ReadonlyMap<string, Pick<Monitor, "name" | "slug">>;
}

export interface SettleOptions {
  now: number;
  after: CheckPlace | undefined;
  count: number;
  follow: FollowTasks;
}

/**
 * Brings monitors whose moment has come up to date, after a place: a pause has ended, a run is late, or it did not come. All of
 * it is in the transaction, so of several processes one does it.
 */
export async function settleMonitors(db: Queries, options: SettleOptions): Promise<SettledMonitors> {
  const { now, count, follow } = options;
  const monitors = await findDue(db, options);
  const last = monitors.at(-1);
  const unwatched = await unwatchedFor(db, monitors);
  const settled = monitors.map((monitor) => settle(monitor, unwatched, now));
  await saveMonitors(db, settled);
  await followWatching(
    db,
    settled.map(({ monitor, changed }) => ({ before: monitor, after: { ...monitor, ...changed } })),
  );
  const missed = settled.flatMap(({ monitor, misses }) =>
    misses.filter(({ hasTask }) => hasTask).map((miss) => taskOf(monitor, miss, now)),
  );
  if (missed.length > 0) {
    const group = await readGroup(
      db,
      missed.map(({ record }) => record.id),
      [],
      follow,
    );
    for (const task of missed) group.get(task.record.id).task = task;
    await group.save(now);
  }
  const next = last && monitors.length === count ? { checkAt: last.next_check_at ?? now, id: last.id } : undefined;
  return { next, missed, monitors: new Map(monitors.map((monitor) => [monitor.id, monitor])) };
}

/** Has every monitor that expects something looked at again: the wall clock was set back. */
export async function lookAgain(db: Queries, now: number): Promise<void> {
  await db
    .updateTable("monitors")
    .set({ next_check_at: now })
    .where("next_check_at", ">", now)
    .where("next_expected_at", "is not", null)
    .execute();
}

function findDue(db: Queries, { now, after, count }: SettleOptions): Promise<Monitor[]> {
  return db
    .selectFrom("monitors")
    .selectAll()
    .where("next_check_at", "<=", now)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("next_check_at", "id"), ">", tuple(after?.checkAt ?? 0, after?.id ?? "")),
      ),
    )
    .orderBy("next_check_at")
    .orderBy("id")
    .limit(count)
    .execute();
}

/** When the service did not listen, as far as it matters for monitors. */
async function unwatchedFor(db: Queries, monitors: readonly Monitor[]): Promise<UnwatchedTime[]> {
  const starts = monitors.flatMap(({ next_expected_at, grace_seconds }) =>
    next_expected_at === null ? [] : [next_expected_at - grace_seconds * 1000],
  );
  return starts.length === 0 ? [] : listUnwatched(db, Math.min(...starts));
}

interface Settled {
  monitor: Monitor;
  changed: Partial<Monitor>;
  misses: readonly Miss[];
}

function settle(monitor: Monitor, unwatched: readonly UnwatchedTime[], now: number): Settled {
  const schedule = openSchedule(monitor.schedule);
  const { changed, misses } =
    schedule === undefined || isPaused(monitor, now)
      ? { changed: {}, misses: [] }
      : settleExpected(monitor, schedule, unwatched, now);
  // A moment that has passed could not be sent back as it was read.
  const ended = monitor.paused_until === null || isPaused(monitor, now) ? {} : { paused_until: null };
  const settled = { ...changed, ...ended };
  return { monitor, changed: { ...settled, ...settleState({ ...monitor, ...settled }, now) }, misses };
}

function settleExpected(
  monitor: Monitor,
  schedule: Schedule,
  unwatched: readonly UnwatchedTime[],
  now: number,
): Pick<Settled, "changed" | "misses"> {
  const { next_expected_at, grace_counts_from_at, missed_in_a_row } = monitor;
  const grace = monitor.grace_seconds * 1000;
  if (next_expected_at === null) {
    // Its pause has ended.
    const from = Math.min(monitor.paused_until ?? now, now);
    return { changed: { ...expectFrom(monitor.schedule, from), watched_from_at: from }, misses: [] };
  }
  if (next_expected_at > now) return { changed: expectAgain(monitor, next_expected_at, now), misses: [] };
  const graceFrom = grace_counts_from_at ?? next_expected_at;
  // Most monitors are late for a moment only, and there is nothing to work out.
  if (graceFrom + grace + settling > now) return { changed: {}, misses: [] };
  const judged = judgeExpected(
    {
      schedule,
      run: {
        at: next_expected_at,
        graceFrom,
        interval: nextExpected(schedule, next_expected_at - 1)?.interval ?? 0,
      },
      grace,
      watchedFrom: monitor.watched_from_at,
      missedInARow: missed_in_a_row,
      lastMissAt: lastMissOf(monitor),
    },
    unwatched,
    now,
  );
  return { changed: changedBy(monitor, judged), misses: judged.misses };
}

/**
 * Expectation after the wall clock was set back, where that is earlier than what was decided while it was ahead. Since when the
 * monitor is watched stays: the step is within the time in which the next run may have come.
 */
function expectAgain(monitor: Monitor, expectedAt: number, now: number): Partial<Expectation> {
  const { schedule, last_begun_at } = monitor;
  const fromNow = expectFrom(schedule, now);
  const afterRun = last_begun_at !== null && last_begun_at <= now ? expectAfterRun(monitor, last_begun_at) : fromNow;
  const again = (afterRun.next_expected_at ?? 0) > (fromNow.next_expected_at ?? 0) ? afterRun : fromNow;
  return again.next_expected_at !== null && again.next_expected_at < expectedAt ? again : {};
}

/** Changes of a monitor beside what follows from the tasks of its misses. */
function changedBy({ missed_in_a_row, last_unwatched_at }: Monitor, { misses, next, unwatchedAt }: Judged) {
  return {
    next_expected_at: next?.at ?? null,
    grace_counts_from_at: next?.graceFrom ?? null,
    missed_in_a_row: missed_in_a_row + misses.filter(({ hasTask }) => !hasTask).length,
    last_unwatched_at: unwatchedAt ?? last_unwatched_at,
  };
}

function lastMissOf(monitor: Monitor): number | null {
  const last = readOutcomes(monitor).findLast(({ outcome }) => outcome === "missed");
  return last ? Date.parse(last.created_timestamp) : null;
}

/** Saves what has changed. Monitors with the same schedule change alike, in one statement. */
async function saveMonitors(db: Queries, settled: readonly Settled[]): Promise<void> {
  const alike = Map.groupBy(
    settled.filter(({ monitor, changed }) => isChange(monitor, changed)),
    ({ changed }) => JSON.stringify(changed),
  );
  for (const some of alike.values()) {
    const [first] = some;
    if (!first) continue;
    await db
      .updateTable("monitors")
      .set(first.changed)
      .where(
        "id",
        "in",
        some.map(({ monitor }) => monitor.id),
      )
      .execute();
  }
}

function isChange(monitor: Monitor, changed: Partial<Monitor>): boolean {
  const before: Record<string, unknown> = monitor;
  return Object.entries(changed).some(([name, value]) => before[name] !== value);
}

function taskOf(monitor: Monitor, miss: Miss, now: number): TrackedTask {
  return missTask(
    {
      id: newTaskId(),
      organizational_unit_id: monitor.organizational_unit_id,
      category: monitorV1.shape.category.parse(monitor.category),
      type: monitor.type,
      operation: monitor.operation ?? monitor.slug,
      primary_entity: JSON.parse(monitor.primary_entity),
      name: monitor.name,
      monitor_id: monitor.id,
      error: {
        code: "expected_run_missing",
        message: messageOf(miss),
        remedy: "See whether its host is up, whether its schedule runs, and whether its clock and time zone are right.",
      },
    },
    miss.at,
    now,
  );
}

function messageOf({ expectedAt, inARow, at }: Miss): string {
  const waited = describeMissedRun(expectedAt, at);
  return inARow === 1 ? waited : `${waited} ${inARow} expected runs in a row have not come.`;
}
