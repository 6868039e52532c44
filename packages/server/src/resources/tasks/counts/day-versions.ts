import { sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { columnNames, columnsOf, prepareInsert, rowsAsTable } from "../../../database/many-rows";

/** Versions of the days on which tasks were created, by day: days since 1970, UTC. */
export type DayVersions = ReadonlyMap<number, number>;

const columns = { day: "bigint" } as const;
const onConflict = sql`on conflict (day, writer) do update set version = task_day_versions.version + 1`;
const changeEach = prepareInsert("task_day_versions", columnsOf(columns), onConflict);

/** Gives days a new version, in the transaction that changes their counts. */
export async function changeDays(db: Queries, days: Iterable<number>): Promise<void> {
  const rows = [...new Set(days)].sort((one, other) => one - other).map((day) => ({ day }));
  if (!isPostgres(db)) return changeEach(db, rows);
  if (rows.length === 0) return;
  await sql`
    insert into task_day_versions (${columnNames(columns)})
    select ${columnNames(columns)} from ${rowsAsTable(columns, rows, "changed")} ${onConflict}`.execute(db);
}

/** Gives all days of a time a new version. */
export async function changeDaysBetween(db: Queries, first: number, last: number): Promise<void> {
  await sql`update task_day_versions set version = version + 1 where day >= ${first} and day <= ${last}`.execute(db);
}

/** Reads the versions of all days that ever had a task. */
export async function readDayVersions(db: Queries): Promise<DayVersions> {
  const { rows } = await sql<{ day: number; version: number }>`
    select day, sum(version) as version from task_day_versions group by day`.execute(db);
  return new Map(rows.map(({ day, version }) => [day, version]));
}
