import type { Queries } from "../../database/database";
import {
  type EntityRow,
  evidenceColumns,
  knownEntity,
  operationsOfRow,
  saveEntityRows,
  selectEntities,
} from "../../database/protection/entity-rows";
import type { Operation } from "../../database/protection/operations";
import { listUnwatched, type UnwatchedTime } from "../monitors/listening";
import { readStaleDays } from "../organizational-units/stale-days";

/** An item of which operations have turned stale. */
export interface StaleEntity {
  row: EntityRow;
  operations: Operation[];
}

/** Items whose staleness has changed, each with the moment before which a last good backup is too old. */
export type StaleWork = ReadonlyMap<string, number>;

const hour = 3_600_000;
const day = 24 * hour;
/** After a time in which the service did not listen, spooled reports get as long as that was to arrive, within these bounds. */
const fairTime = { min: hour / 4, max: day } as const;
/** A clock that is set back a little makes nothing fresh that was stale. Days are counted whole, so a change of setting is more. */
const slack = day / 2;

/**
 * Finds items whose operations have turned stale, or are not stale any more because a setting was changed. Time in which the service
 * did not listen is not counted: a backup that could not be reported is not called silent. What the service has noted about its
 * listening is the present here, so a clock that jumps changes nothing before that is known.
 */
export async function findStaleWork(db: Queries, defaultDays: number): Promise<StaleWork> {
  const noted = await db.selectFrom("listening").select("noted_at").executeTakeFirst();
  if (!noted) return new Map();
  const now = noted.noted_at;
  const daysOf = await readStaleDays(db, defaultDays);
  // A clock that was set back has left a note of a moment that is yet to come.
  const unwatched = (await listUnwatched(db, 0)).filter(({ from }) => from < now);
  const moments = new Map<number, number>();
  const momentOf = (unitId: string) => {
    const days = daysOf(unitId);
    const moment = moments.get(days) ?? (days === 0 ? 0 : countBack(unwatched, now, days * day));
    moments.set(days, moment);
    return moment;
  };
  const silent = hasHadTime(unwatched, now) ? await findSilent(db, now) : [];
  const due = silent.filter((row) => (row.silent_since_at ?? now) < momentOf(row.organizational_unit_id));
  const marked = await findMarked(db);
  const fresh = marked.filter((row) => row.stale_before_at > momentOf(row.organizational_unit_id) + slack);
  return new Map([...due, ...fresh].map((row) => [row.id, momentOf(row.organizational_unit_id)]));
}

/** Both read an index alone. */
function findSilent(db: Queries, now: number) {
  return db
    .selectFrom("protected_entities")
    .select(["id", "organizational_unit_id", "silent_since_at"])
    .where("silent_since_at", "<", now)
    .execute();
}

function findMarked(db: Queries) {
  return db
    .selectFrom("protected_entities")
    .select(["id", "organizational_unit_id", "stale_before_at"])
    .where("stale_before_at", ">", 0)
    .execute();
}

/** The moment since which the service has listened for so long in all. */
function countBack(unwatched: readonly UnwatchedTime[], now: number, duration: number): number {
  let at = now;
  let left = duration;
  for (const { from, until } of unwatched.toReversed()) {
    const watched = Math.max(0, at - until);
    if (watched >= left) break;
    left -= watched;
    at = Math.min(at, from);
  }
  return at - left;
}

/** Returns true if reports that waited while the service did not listen have had time to arrive. */
function hasHadTime(unwatched: readonly UnwatchedTime[], now: number): boolean {
  return unwatched.every(({ from, until }) => {
    const fair = Math.min(fairTime.max, Math.max(fairTime.min, until - from));
    return until + fair <= now;
  });
}

/** Changes some of these items, and gives those that need attention for it. */
export async function markStale(db: Queries, work: StaleWork): Promise<StaleEntity[]> {
  const rows = await selectEntities(db)
    .where("id", "in", [...work.keys()])
    .execute();
  const changed = rows.map((row) => {
    const staleBefore = work.get(row.id) ?? row.stale_before_at;
    return { before: row, after: { ...row, ...evidenceColumns({ ...knownEntity(row), staleBefore }) } };
  });
  await saveEntityRows(db, changed);
  return changed.flatMap(({ before, after }) => {
    if (after.is_retired === 1 || after.muted_until !== null) return [];
    const was = new Set(staleOf(before).map(({ operation }) => operation));
    const operations = staleOf(after).filter(({ operation }) => !was.has(operation));
    return operations.length > 0 ? [{ row: after, operations }] : [];
  });
}

function staleOf(row: EntityRow): Operation[] {
  return operationsOfRow(row).filter(({ state, isRetired }) => state === "stale" && !isRetired);
}
