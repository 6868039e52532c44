import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { type ColumnKinds, columnNames, columnsOf, prepareInsert, rowsAsTable } from "../../../database/many-rows";
import type { Month } from "../../../database/month";
import type { EntityWeekTable, TaskDayTable, TaskQuarterTable, TaskTable } from "../../../database/schema";
import { dayLength, quarterLength, weekLength } from "../record";
import { changeDays, changeDaysBetween } from "./day-versions";

/** Fields that tasks are counted by. */
type Counted = Pick<
  TaskTable,
  "organizational_unit_id" | "category" | "type" | "status" | "outcome" | "created_at" | "entity_key"
>;
/** Number of tasks of a kind. */
type Total = Omit<DayCount, "day">;
/** The database fills in the writer. */
type DayCount = Omit<TaskDayTable, "writer">;
type QuarterCount = Omit<TaskQuarterTable, "writer">;

const rowsPerStatement = 500;
const totalKey = ["organizational_unit_id", "category", "type", "status", "outcome"] as const;

/** Changes to the counts, gathered while tasks are written and applied in the same transaction. */
export class CountChanges {
  readonly #days = new Map<string, DayCount>();
  readonly #quarters = new Map<string, QuarterCount>();
  readonly #weeks = new Map<string, EntityWeekTable>();

  add(task: Counted, count: 1 | -1): void {
    const { organizational_unit_id, category, type, status, outcome, created_at, entity_key } = task;
    const day = Math.floor(created_at / dayLength);
    const quarter = Math.floor(created_at / quarterLength);
    const kind = { organizational_unit_id, category, status, outcome, count };
    addCount(this.#days, `${day} ${totalName({ ...kind, type })}`, { ...kind, type, day });
    addCount(this.#quarters, `${quarter} ${organizational_unit_id} ${category} ${status} ${outcome}`, {
      ...kind,
      quarter,
    });
    if (entity_key === null) return;
    const week = Math.floor(created_at / weekLength);
    const ofEntity = { entity_key, week, organizational_unit_id, count };
    addCount(this.#weeks, `${entity_key} ${week} ${organizational_unit_id}`, ofEntity);
  }

  /** Writes the changes down. If tasks came to a unit, the highest of their numbers has to be given. */
  async apply(db: Queries, newest = 0): Promise<void> {
    await Promise.all([
      changeDays(db, changedDays(this.#days)),
      addToTotals(db, this.#totals(), newest),
      ...batches(this.#days).map((rows) => addToDays(db, rows)),
      ...batches(this.#quarters).map((rows) => addToQuarters(db, rows)),
      ...batches(this.#weeks).map((rows) => addToWeeks(db, rows)),
    ]);
  }

  #totals(): Map<string, Total> {
    const totals = new Map<string, Total>();
    for (const { day, ...total } of this.#days.values()) {
      addCount(totals, totalName(total), total);
    }
    return totals;
  }
}

/** Number of tasks of each kind that were created in a month. */
export async function countMonth(db: Queries, month: Month): Promise<Total[]> {
  const { first, last } = daysOf(month);
  return db
    .selectFrom("task_days")
    .select([...totalKey, sql<number>`sum(count)`.as("count")])
    .where("day", ">=", first)
    .where("day", "<=", last)
    .where("count", "<>", 0)
    .groupBy(totalKey)
    .execute();
}

/** Removes the counts of the days and quarters of a month, those of its tasks that are left included. */
export async function forgetDaysOf(db: Queries, month: Month): Promise<void> {
  const { first, last } = daysOf(month);
  await changeDaysBetween(db, first, last);
  await db.deleteFrom("task_days").where("day", ">=", first).where("day", "<=", last).execute();
  await db
    .deleteFrom("task_quarters")
    .where("quarter", ">=", month.from / quarterLength)
    .where("quarter", "<", month.until / quarterLength)
    .execute();
}

/** Takes the tasks of a month off the counts of their entities, before all of them are removed at once. */
export async function takeOffWeeks(db: Queries, { from, until }: Month): Promise<void> {
  const week = sql`created_at / ${sql.lit(weekLength)}`;
  await sql`
    insert into entity_weeks (entity_key, week, organizational_unit_id, count)
    select entity_key, ${week}, organizational_unit_id, -count(*) from tasks
    where created_at >= ${from} and created_at < ${until} and entity_key is not null
    group by entity_key, ${week}, organizational_unit_id
    on conflict (entity_key, week, organizational_unit_id) do update set count = entity_weeks.count + excluded.count`.execute(
    db,
  );
  await forgetEmptyWeeks(db);
}

/** Removes what has become zero; it would stay for as long as there is the entity. */
export async function forgetEmptyWeeks(db: Queries): Promise<void> {
  await db.deleteFrom("entity_weeks").where("count", "=", 0).execute();
}

/** Takes so many of each kind off the totals. */
export async function takeOffTotals(db: Queries, counts: readonly Total[]): Promise<void> {
  const changes = counts.map((total): [string, Total] => [totalName(total), { ...total, count: -total.count }]);
  await addToTotals(db, new Map(changes), 0);
}

function daysOf({ from, until }: Month): { first: number; last: number } {
  return { first: from / dayLength, last: until / dayLength - 1 };
}

async function addToTotals(db: Queries, totals: ReadonlyMap<string, Total>, newest: number): Promise<void> {
  for (const rows of batches(totals)) {
    await addToTotalRows(
      db,
      rows.map((row) => ({ ...row, last_seq: newest })),
    );
  }
}

const ofUnit = { organizational_unit_id: "text", count: "bigint" } as const;
const ofKind = { ...ofUnit, category: "text", status: "text", outcome: "text" } as const;
const newer = sql`case when excluded.last_seq > task_totals.last_seq then excluded.last_seq else task_totals.last_seq end`;
const newerXid = sql`case when excluded.last_seq > 0 and excluded.last_xid > task_totals.last_xid
  then excluded.last_xid else task_totals.last_xid end`;
const quarterKey = ["quarter", "organizational_unit_id", "category", "status", "outcome", "writer"];

const addToTotalRows = addToCounts(
  "task_totals",
  { ...ofKind, type: "text", last_seq: "bigint" },
  [...totalKey, "writer"],
  sql`, last_seq = ${newer}, last_xid = ${newerXid}`,
);
const addToDays = addToCounts("task_days", { ...ofKind, type: "text", day: "bigint" }, ["day", ...totalKey, "writer"]);
const addToQuarters = addToCounts("task_quarters", { ...ofKind, quarter: "bigint" }, quarterKey);
const weekKey = ["entity_key", "week", "organizational_unit_id"];
const addToWeeks = addToCounts("entity_weeks", { ...ofUnit, entity_key: "bigint", week: "bigint" }, weekKey);

/** Makes what adds to the counts of a table. Its statements are written once: building one takes longer than running it. */
function addToCounts<Column extends string>(
  table: "task_totals" | "task_days" | "task_quarters" | "entity_weeks",
  kinds: ColumnKinds<Column>,
  key: readonly string[],
  further: RawBuilder<unknown> = sql``,
): (db: Queries, rows: readonly Readonly<Record<Column, string | number>>[]) => Promise<void> {
  const onConflict = sql`
    on conflict (${sql.join(key.map((column) => sql.ref(column)))})
    do update set count = ${sql.ref(`${table}.count`)} + excluded.count${further}`;
  const addEach = prepareInsert(table, columnsOf(kinds), onConflict);
  return async (db, rows) => {
    if (!isPostgres(db)) return addEach(db, rows);
    await sql`
      insert into ${sql.table(table)} (${columnNames(kinds)})
      select ${columnNames(kinds)} from ${rowsAsTable(kinds, rows, "changed")} ${onConflict}`.execute(db);
  };
}

function totalName({ organizational_unit_id, category, type, status, outcome }: Total): string {
  return `${organizational_unit_id} ${category} ${type} ${status} ${outcome}`;
}

function changedDays(days: ReadonlyMap<string, DayCount>): number[] {
  return [...days.values()].filter(({ count }) => count !== 0).map(({ day }) => day);
}

function addCount<Row extends { count: number }>(rows: Map<string, Row>, key: string, row: Row): void {
  const known = rows.get(key);
  if (known) known.count += row.count;
  else rows.set(key, row);
}

/** Batches of changed counts, in one order: two who change the same counts then wait for one another, but never both. */
function batches<Row extends { count: number }>(rows: ReadonlyMap<string, Row>): Row[][] {
  const changed = [...rows]
    .filter(([, row]) => row.count !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
  return Array.from({ length: Math.ceil(changed.length / rowsPerStatement) }, (_, index) =>
    changed.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
