import type { Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf } from "../../../lists/comparisons";
import type { ListScope, Snapshot } from "../../../lists/list-source";
import { hourLength } from "../record";
import { unitConditions, unitConditionsOfCounts } from "./conditions";
import { type EntityNames, findByName } from "./entity-names";
import type { Changes } from "./history";
import { type Horizons, hasComeSince, horizonValue } from "./horizon";
import { entityMatches } from "./matched-entities";
import { allTime, pinIndex } from "./slices";
import { type Calendar, type Stretch, totalOf } from "./stretches";

/** How many tasks of each entity there are in a unit: those created before an hour, and those of each hour since. */
export interface EntityCounts {
  since: number;
  before: ReadonlyMap<number, Stretch>;
  hours: ReadonlyMap<number, HourCounts>;
  /** Up to which number tasks of all units had arrived when they were counted, and when that was. */
  arrived: Horizons;
  countedAt: number;
}

/** How many tasks of each entity were created in an hour. */
type HourCounts = ReadonlyMap<number, number>;

/** Stands for the tasks without an entity. */
const noEntity = 0;
/** Stands for the tasks of all entities, and without one. */
const allEntities = -1;

/** With more entities than this, tasks are counted for each filter: remembering them would take too much memory. */
const mostEntities = 20_000;
/** How many counts are remembered at most, those of all units together; each takes about 40 bytes. */
export const mostCounts = 600_000;
/** With more counts than this in the recent hours, tasks are counted for each filter, too: half is left for the hours to come. */
const mostRecent = mostCounts / 2;
/** How many entities one statement counts the tasks of. */
const entitiesPerStep = 20;
/** What is older changes seldom, and is counted as one. */
const recentHours = 48;
/** How long before their commit tasks are created, mostly. Were it longer, their hours are counted again. */
const writingTime = 500;

/** Whether a filter asks for entities and for nothing else. */
export function asksForEntitiesOnly(filter: Filter<TaskFilterField>): boolean {
  return (
    filter.length > 0 && filter.every(({ field }) => field === "primary_entity.id" || field === "primary_entity.value")
  );
}

/** Counts the tasks of all entities; nothing where there are too many. */
export async function countByEntity(
  snapshot: Snapshot,
  scope: ListScope,
  arrived: Horizons,
): Promise<EntityCounts | undefined> {
  const { db, work } = snapshot;
  const countedAt = Date.now();
  const { rows } = await sql<{ last: number | null; newest: number | null }>`
    select (select max(key) from entities) as last, (select max(hour) from task_hours) as newest`.execute(db);
  const { last, newest } = { last: rows[0]?.last ?? 0, newest: rows[0]?.newest ?? 0 };
  const since = Math.min(newest, Math.floor(Date.now() / hourLength)) - recentHours;
  if (last > mostEntities || newest - since > 4 * recentHours) return undefined;
  if (countsAtMost(await readTotalsSince(snapshot, since), last) > mostRecent) return undefined;
  const before = new Map<number, Stretch>();
  for (let from = 0; from < last; from += entitiesPerStep) {
    await work.step();
    const found = await sql<{ key: number; count: number; oldest: number; latest: number }>`
      select entity_key as key, count(*) as count, min(created_at) as oldest, max(created_at) as latest
      from tasks ${pinIndex(db, "tasks_by_entity_key")}
      where entity_key > ${from} and entity_key <= ${from + entitiesPerStep} and created_at < ${since * hourLength}
      and ${allOf(unitConditions(scope))} group by entity_key`.execute(db);
    for (const { key, count, oldest, latest } of found.rows)
      before.set(key, { from: oldest, until: latest + 1, count });
  }
  const hours = Array.from({ length: newest - since + 1 }, (_, index) => since + index);
  return countHours(snapshot, scope, { since, before, hours: new Map(), arrived, countedAt }, hours);
}

/** How many tasks of all units there are in each hour since one. */
async function readTotalsSince({ db }: Snapshot, since: number): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select sum(count) as count from task_hours where hour >= ${since} group by hour`.execute(db);
  return rows.map(({ count }) => count);
}

/** How many counts hours with so many tasks take: one for each entity, or for each task where these are fewer. */
export function countsAtMost(tasksOfHours: readonly number[], entities: number): number {
  return tasksOfHours.reduce((sum, tasks) => sum + Math.min(tasks, entities + 1), 0);
}

/** How many counts are held. */
export function weighCounts(counts: EntityCounts | null): number {
  if (!counts) return 1;
  return [...counts.hours.values()].reduce((sum, hour) => sum + hour.size, counts.before.size);
}

/** What has happened since tasks were counted, and up to which number tasks of all units have arrived. */
export interface Happened extends Pick<Changes, "hours" | "areMoved"> {
  arrived: Horizons;
}

/** Counts again in the hours that were changed: the tasks that were added, or all where others were removed or moved. */
export async function recountByEntity(
  snapshot: Snapshot,
  scope: ListScope,
  known: EntityCounts | undefined,
  { arrived, hours, areMoved }: Happened,
): Promise<EntityCounts | undefined> {
  if (known && hours.length === 0) return known;
  if (!known || known.hours.size > 4 * recentHours || hours.some((hour) => hour < known.since)) {
    return countByEntity(snapshot, scope, arrived);
  }
  const now = { arrived, countedAt: Date.now() };
  if (areMoved) return countHours(snapshot, scope, { ...known, ...now }, hours);
  const { grown, wrong } = await countAdded(snapshot, scope, known, hours);
  const counts = { ...grown, ...now };
  return wrong.length === 0 ? counts : countHours(snapshot, scope, counts, wrong);
}

/**
 * Adds the tasks that have come since they were counted; in PostgreSQL those of them that were created lately. Also gives the hours of
 * which the sum is wrong then.
 */
async function countAdded(
  { db }: Snapshot,
  scope: ListScope,
  known: EntityCounts,
  changed: readonly number[],
): Promise<{ grown: EntityCounts; wrong: number[] }> {
  const conditions = [hasComeSince(db, horizonValue(db, known.arrived)), ...unitConditions(scope)];
  // SQLite finds tasks by their number, PostgreSQL by their time.
  if (isPostgres(db)) conditions.push(sql<SqlBool>`created_at >= ${known.countedAt - writingTime}`);
  const { rows } = await sql<KeyCount & { hour: number }>`
    select created_at / ${sql.lit(hourLength)} as hour, coalesce(entity_key, ${sql.lit(noEntity)}) as key,
      count(*) as count
    from tasks ${isPostgres(db) ? sql`` : sql`not indexed`} where ${allOf(conditions)} group by 1, 2
    union all
    select hour, ${sql.lit(allEntities)} as key, cast(sum(count) as bigint) as count
    from task_hours where hour in (${sql.join(changed)}) and ${allOf(unitConditionsOfCounts(db, scope))}
    group by hour`.execute(db);
  const hours = new Map(known.hours);
  const totals = new Map<number, number>();
  for (const [hour, added] of Map.groupBy(rows, (row) => row.hour)) {
    const counts = new Map(hours.get(hour));
    for (const { key, count } of added) {
      if (key === allEntities) totals.set(hour, count);
      else counts.set(key, (counts.get(key) ?? 0) + count);
    }
    hours.set(hour, counts);
  }
  const wrong = changed.filter((hour) => sumOf(hours.get(hour)) !== (totals.get(hour) ?? 0));
  return { grown: { ...known, hours }, wrong };
}

function sumOf(counts: HourCounts = new Map()): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

async function countHours(
  { db, work }: Snapshot,
  scope: ListScope,
  known: EntityCounts,
  changed: readonly number[],
): Promise<EntityCounts> {
  const hours = new Map(known.hours);
  for (const hour of changed) {
    await work.step();
    const conditions = sql`created_at >= ${hour * hourLength} and created_at < ${(hour + 1) * hourLength}
      and ${allOf(unitConditions(scope))}`;
    const { rows } = (await hasMoreTasksThanEntities(db, hour))
      ? await sql<KeyCount>`
          select key, count from entities cross join lateral (
            select count(*) as count from tasks where entity_key = entities.key and ${conditions}
          ) as counted where count > 0`.execute(db)
      : await sql<KeyCount>`
          select coalesce(entity_key, ${sql.lit(noEntity)}) as key, count(*) as count
          from tasks ${pinIndex(db, "tasks_in_order")} where ${conditions} group by 1`.execute(db);
    hours.set(hour, new Map(rows.map(({ key, count }) => [key, count])));
  }
  return { ...known, hours };
}

interface KeyCount {
  key: number;
  count: number;
}

/**
 * Whether looking for the tasks of each entity in an hour takes less than looking through all tasks of the hour. Most tasks may
 * have no entity, and PostgreSQL reads each of them as a whole to find that out.
 */
async function hasMoreTasksThanEntities(db: Queries, hour: number): Promise<boolean> {
  if (!isPostgres(db)) return false;
  const { rows } = await sql<{ tasks: number | null; entities: number | null }>`
    select (select sum(count) from task_hours where hour = ${hour}) as tasks,
      (select max(key) from entities) as entities`.execute(db);
  return (rows[0]?.tasks ?? 0) > (rows[0]?.entities ?? 0);
}

/** What the entities of a filter have together. */
export interface EntitySum {
  /** The time in which their tasks were created, and how many these are. */
  calendar: Calendar;
  /** The sum of each map of counts, and the names that it was made with. Of maps that have been replaced nothing is kept. */
  parts: WeakMap<object, Stretch>;
}

/** Sums up the tasks of the entities of a filter. As long as there are no other entities, only counts that are new are looked at. */
export async function sumByEntity(
  snapshot: Snapshot,
  { before, hours }: EntityCounts,
  filter: Filter<TaskFilterField>,
  names: EntityNames | null,
  earlier?: EntitySum | null,
): Promise<EntitySum> {
  const [only, ...others] = filter;
  const known = names && only && others.length === 0 ? findByName(names, only) : undefined;
  const wanted = new Set(known ?? (await readMatched(snapshot, filter)));
  const parts: EntitySum["parts"] = names && earlier?.parts.has(names) ? earlier.parts : new WeakMap();
  if (names) parts.set(names, { ...allTime, count: 0 });
  const sumOnce = (counts: object, sum: () => Stretch) => {
    const part = parts.get(counts) ?? sum();
    parts.set(counts, part);
    return part;
  };
  const stretches = [sumOnce(before, () => sumOld(before, wanted))];
  for (const [hour, counts] of hours) {
    const time = { from: hour * hourLength, until: (hour + 1) * hourLength };
    stretches.push(sumOnce(counts, () => ({ ...time, count: countIn(counts, wanted) })));
  }
  const filled = stretches.filter(({ count }) => count > 0);
  if (filled.length === 0) return { calendar: [], parts };
  // Down to the hour, so that it does not depend on when they were counted.
  const from = Math.floor(Math.min(...filled.map((part) => part.from)) / hourLength) * hourLength;
  const until = Math.max(...filled.map((part) => part.until));
  return { calendar: [{ from, until, count: totalOf(filled) }], parts };
}

function sumOld(before: EntityCounts["before"], wanted: ReadonlySet<number>): Stretch {
  const sum = { from: allTime.until, until: 0, count: 0 };
  for (const key of wanted) {
    const old = before.get(key);
    if (!old) continue;
    sum.count += old.count;
    sum.from = Math.min(sum.from, old.from);
    sum.until = Math.max(sum.until, old.until);
  }
  return sum;
}

/** How many tasks some entities have. */
export function countTasksOf({ before, hours }: EntityCounts, keys: readonly number[]): number {
  const wanted = new Set(keys);
  let count = 0;
  for (const key of wanted) count += before.get(key)?.count ?? 0;
  for (const counts of hours.values()) count += countIn(counts, wanted);
  return count;
}

/** How many tasks of an hour are those of some entities. Whichever are fewer are looked up among the others. */
function countIn(counts: HourCounts, wanted: ReadonlySet<number>): number {
  let count = 0;
  if (counts.size < wanted.size) for (const [key, some] of counts) count += wanted.has(key) ? some : 0;
  else for (const key of wanted) count += counts.get(key) ?? 0;
  return count;
}

async function readMatched({ db }: Snapshot, filter: Filter<TaskFilterField>): Promise<number[]> {
  const keys = isPostgres(db) ? sql`coalesce(json_agg(key), '[]')::text` : sql`json_group_array(key)`;
  const { rows } = await sql<{ keys: string }>`
    select ${keys} as keys from entities
    where key > 0 and key <= ${mostEntities} and ${allOf(filter.map(entityMatches))}`.execute(db);
  return JSON.parse(rows[0]?.keys ?? "[]");
}
