import type { CountGroup } from "@holdfast/api/resources/task-counts";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Placed, Snapshot } from "../../../lists/list-source";
import { type Matching, pinIndex } from "../list/matching";
import { splitTime } from "../list/split-time";
import type { TimeRange } from "../list/time-range";
import { dayLength, quarterLength } from "../record";
import type { DayCache, DayPart } from "./day-cache";

/** Number of tasks of one group that were created in an interval. */
export interface CountRow extends Placed, TimeRange {
  /** In the order in which they are grouped by. */
  groups: Readonly<Partial<Record<CountGroup, string | null>>>;
  count: number;
}

/** Request for counts of intervals. */
export interface Counting {
  groupBy: readonly CountGroup[];
  /** The lengths of the stretches that counts are read of, longest first: days, quarters of an hour, both or none. */
  lengths: readonly (typeof dayLength | typeof quarterLength)[];
  /** True if the totals have it all: every task of the kinds, whenever it was created. */
  isOfAllTime: boolean;
  /** The time that is counted: intervals are cut there. */
  within: TimeRange;
  /** Unit and filter, for the tables of counts. */
  condition: Expression<SqlBool>;
  /** Matching tasks. */
  matching: Matching;
  /** The number of tasks that one statement counts. */
  tasksPerStep: number;
  /** Counts that are kept, and what they depend on: unit, filter and groups. */
  cache: DayCache<readonly GroupedCount[]>;
  query: string;
}

/** The number of tasks of one group. */
export interface GroupedCount {
  count: number;
  one: string | null;
  other: string | null;
}

/** Number of times that a counted part of time is added to an interval; -1 takes it off. */
type Shares = Map<number, number>;
/** A time at the edge of intervals, which is added up or counted once for all of them. */
interface Piece extends TimeRange {
  shares: Shares;
}

interface GroupedRow extends GroupedCount {
  number: number;
}

/** A piece whose counts are added up. It lies within one day. */
interface CountedPiece extends Piece, DayPart {}

const columns: Record<CountGroup, string> = {
  outcome: "outcome",
  status: "status",
  category: "category",
  type: "type",
  organizational_unit_id: "organizational_unit_id",
  "error.code": "error_code",
};
const tables = { [dayLength]: "task_days", [quarterLength]: "task_quarters" } as const;
const numbers = { [dayLength]: "day", [quarterLength]: "quarter" } as const;
const edgesPerStatement = 16;
/** Number of parts that one statement adds up: where there are hundreds of units or types, far fewer. */
const bucketsPerStep = { [dayLength]: { few: 14, many: 2 }, [quarterLength]: { few: 200, many: 64 } } as const;

/**
 * Counts tasks by interval and group. An interval is made of whole days, and at each of its ends the quarters
 * of an hour up to the nearest midnight are added or taken off. Only tasks of a shorter time are counted themselves.
 */
export async function countIntervals(
  snapshot: Snapshot,
  counting: Counting,
  intervals: readonly TimeRange[],
): Promise<CountRow[]> {
  const { groupBy } = counting;
  const rows = new Map<string, CountRow>();
  const add = ({ one, other, count }: GroupedCount, interval: number, times: number) => {
    const values = groupBy.map((group, index) => shownValue(group, index === 0 ? one : other));
    // In this order null is first.
    const id = values.map((value) => (value === null ? "" : `\u0001${value}`)).join("\0");
    const range = intervals[interval];
    if (!range) return;
    const known = rows.get(`${interval} ${id}`);
    const groups = Object.fromEntries(groupBy.map((group, index) => [group, values[index]]));
    if (known) known.count += times * count;
    else rows.set(`${interval} ${id}`, { ...range, groups, count: times * count, place: { key: range.from, id } });
  };
  if (counting.isOfAllTime) {
    for (const row of await readTotals(snapshot, counting)) add(row, 0, 1);
    return sorted(rows);
  }
  const { stretches, edges, pieces } = cover(counting, intervals);
  const parts = [...stretches, ...edges].map(dayPartOf);
  const counts =
    parts.length === 0
      ? []
      : await counting.cache.read(snapshot, counting.query, parts, (missing) => readParts(snapshot, counting, missing));
  for (const [index, groups] of counts.entries()) {
    for (const [interval, times] of parts[index]?.shares ?? []) {
      for (const group of groups) add(group, interval, times);
    }
  }
  for (const row of await countPieces(snapshot, counting, pieces)) {
    for (const [interval, times] of pieces[row.number]?.shares ?? []) add(row, interval, times);
  }
  return sorted(rows);
}

function sorted(rows: ReadonlyMap<string, CountRow>): CountRow[] {
  return [...rows.values()].filter(({ count }) => count > 0).sort(compareRows);
}

/** An open task is stored with an empty outcome. */
function shownValue(group: CountGroup, value: string | null): string | null {
  return group === "outcome" && value === "" ? null : value;
}

/** Newest first, then by code point, as which UTF-8 sorts. */
export function compareRows({ place: one }: Placed, { place: other }: Placed): number {
  return Number(other.key) - Number(one.key) || Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}

/** Finds out which stretches, edges and pieces make up the intervals. */
function cover({ lengths: [length, edgeLength], within }: Counting, intervals: readonly TimeRange[]) {
  const stretches = new Map<number, Shares>();
  const [edges, pieces] = [new Map<string, Piece>(), new Map<string, Piece>()];

  function share(shares: Shares, interval: number, times: number): Shares {
    return shares.set(interval, (shares.get(interval) ?? 0) + times);
  }

  /** Adds the time from a moment to another one, or takes it off if that is earlier. */
  function addBetween(to: Map<string, Piece>, interval: number, times: number, start: number, end: number): void {
    if (start === end) return;
    const [from, until] = start < end ? [start, end] : [end, start];
    const { shares } = to.get(`${from} ${until}`) ?? { shares: new Map() };
    to.set(`${from} ${until}`, { from, until, shares: share(shares, interval, start < end ? times : -times) });
  }

  /** Adds all from an anchor up to a moment, or takes off what lies between them if the moment is earlier. */
  function reach(interval: number, times: number, anchor: number, moment: number): void {
    if (length === undefined) {
      addBetween(pieces, interval, times, anchor, moment);
      return;
    }
    const nearest = Math.round(moment / length) * length;
    const [first, last] = [Math.min(anchor, nearest) / length, Math.max(anchor, nearest) / length];
    for (let number = first; number < last; number++) {
      const shares = stretches.get(number) ?? new Map<number, number>();
      stretches.set(number, share(shares, interval, anchor < nearest ? times : -times));
    }
    const edge = edgeLength ? Math.round(moment / edgeLength) * edgeLength : nearest;
    addBetween(edges, interval, times, nearest, edge);
    addBetween(pieces, interval, times, edge, moment);
  }

  for (const [interval, range] of intervals.entries()) {
    const [from, until] = [Math.max(range.from, within.from), Math.min(range.until, within.until)];
    const anchor = length === undefined ? from : Math.round(from / length) * length;
    reach(interval, 1, anchor, until);
    reach(interval, -1, anchor, from);
  }
  const whole: Piece[] = [];
  for (const [number, shares] of stretches) {
    for (const [interval, times] of shares) if (times === 0) shares.delete(interval);
    if (length && shares.size > 0) whole.push({ from: number * length, until: (number + 1) * length, shares });
  }
  return { stretches: whole, edges: [...edges.values()], pieces: [...pieces.values()] };
}

/** Stretches and edges reach from a midnight to at most the next one. */
function dayPartOf(piece: Piece): CountedPiece {
  return { ...piece, day: Math.floor(piece.from / dayLength), name: `${piece.from}-${piece.until}` };
}

/** The columns that are grouped by, under names that do not depend on them. */
function grouped(groupBy: readonly CountGroup[]): { selected: RawBuilder<unknown>; named: RawBuilder<unknown> } {
  const named = groupBy.map((group) => sql.ref(columns[group]));
  const [one, other = sql`null`] = named;
  return { selected: sql`${one} as one, ${other} as other`, named: sql.join(named) };
}

async function readTotals({ db }: Snapshot, { groupBy, condition }: Counting): Promise<GroupedRow[]> {
  const { selected, named } = grouped(groupBy);
  const { rows } = await sql<GroupedRow>`
    select 0 as number, ${selected}, sum(count) as count from task_totals where ${condition} group by ${named}`.execute(
    db,
  );
  return rows;
}

/** Adds up what was counted in parts of days, by their names. */
async function readParts(
  snapshot: Snapshot,
  counting: Counting,
  parts: readonly CountedPiece[],
): Promise<Map<string, GroupedCount[]>> {
  const [length, edgeLength] = counting.lengths;
  const found = new Map(parts.map(({ name }): [string, GroupedCount[]] => [name, []]));
  const stretches = parts.filter(({ from, until }) => until - from === length);
  const edges = parts.filter(({ from, until }) => until - from !== length);
  for (const { number, ...group } of length ? await readBuckets(snapshot, counting, length, stretches) : []) {
    found.get(stretches[number]?.name ?? "")?.push(group);
  }
  for (const { number, ...group } of edgeLength ? await readEdges(snapshot, counting, edgeLength, edges) : []) {
    found.get(edges[number]?.name ?? "")?.push(group);
  }
  return found;
}

/** Adds up what was counted in days or quarters, some at a time. The numbers of the rows are those of the stretches. */
async function readBuckets(
  { db, work }: Snapshot,
  { groupBy, condition }: Counting,
  length: typeof dayLength | typeof quarterLength,
  stretches: readonly Piece[],
): Promise<GroupedRow[]> {
  const { selected, named } = grouped(groupBy);
  const isOfMany = groupBy.includes("organizational_unit_id") || groupBy.includes("type");
  const { few, many } = bucketsPerStep[length];
  const number = sql.ref(numbers[length]);
  const wanted = new Map(stretches.map(({ from }, index) => [from / length, index]));
  const found: GroupedRow[] = [];
  for (const some of inParts([...wanted.keys()], isOfMany ? many : few)) {
    await work.step();
    const { rows } = await sql<GroupedRow>`
      select ${number} as number, ${selected}, sum(count) as count from ${sql.table(tables[length])}
      where ${isAmong(number, some)} and ${condition} group by ${number}, ${named}`.execute(db);
    for (const row of rows) found.push({ ...row, number: wanted.get(row.number) ?? -1 });
  }
  return found;
}

/** Adds up what was counted at the edges of intervals, which are the numbers of the rows. */
async function readEdges(
  { db, work }: Snapshot,
  { groupBy, condition }: Counting,
  length: typeof dayLength | typeof quarterLength,
  edges: readonly Piece[],
): Promise<GroupedRow[]> {
  const { selected, named } = grouped(groupBy);
  const number = sql.ref(numbers[length]);
  const found: GroupedRow[] = [];
  for (const some of inParts([...edges.entries()], edgesPerStatement)) {
    await work.step();
    const each = some.map(
      ([index, { from, until }]) => sql`
        select ${sql.lit(index)} as number, ${selected}, sum(count) as count from ${sql.table(tables[length])}
        where ${number} >= ${from / length} and ${number} < ${until / length} and ${condition} group by ${named}`,
    );
    const { rows } = await sql<GroupedRow>`${sql.join(each, sql` union all `)}`.execute(db);
    found.push(...rows);
  }
  return found;
}

/** Counts the tasks in pieces of time, which are the numbers of the rows. */
async function countPieces(
  snapshot: Snapshot,
  { matching, tasksPerStep, groupBy }: Counting,
  pieces: readonly Piece[],
): Promise<GroupedRow[]> {
  const { db } = snapshot;
  const { selected, named } = grouped(groupBy);
  const found: GroupedRow[] = [];
  for (const [number, piece] of pieces.entries()) {
    for await (const { from, until } of splitTime(snapshot, piece, { order: "desc", size: tasksPerStep })) {
      const { rows } = await sql<Omit<GroupedRow, "number">>`
        select ${selected}, count(*) as count from tasks ${pinIndex(db, matching.accessPath.index)}
        where ${matching.condition} and created_at >= ${from} and created_at < ${until} group by ${named}`.execute(db);
      found.push(...rows.map((row) => ({ ...row, number })));
    }
  }
  return found;
}

/** True if a number is one of some. A range is read in the order of the table, without sorting its groups. */
function isAmong(number: Expression<unknown>, some: readonly number[]): RawBuilder<SqlBool> {
  const [first, last] = [Math.min(...some), Math.max(...some)];
  const isRange = last - first === some.length - 1;
  return isRange
    ? sql<SqlBool>`${number} >= ${first} and ${number} <= ${last}`
    : sql<SqlBool>`${number} in (${sql.join(some)})`;
}

function* inParts<Value>(values: readonly Value[], size: number): Generator<Value[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
