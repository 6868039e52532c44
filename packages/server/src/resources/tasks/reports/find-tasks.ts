import { type Selectable, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { asListValue, isInList, type ListValue } from "../../../database/many-rows";
import { prepareQuery } from "../../../database/prepared-query";
import type { TaskTable } from "../../../database/schema";
import type { Lease } from "../leases/lease";

const foundColumns = ["seq", "id", "organizational_unit_id", "entity_key", "document"] as const;
type FoundTask = Pick<Selectable<TaskTable>, (typeof foundColumns)[number]>;

const selectFound = sql`select ${sql.join(foundColumns.map((name) => sql.ref(name)))} from tasks`;
/** Of SQLite. */
const tasksById = prepareQuery<{ ids: ListValue }, FoundTask>(
  (slot, db) => sql<FoundTask>`${selectFound} where id ${isInList(db, slot("ids"))}`,
);

/** Finds tasks by their ids. Where a lease says when one was created, only that partition is searched; SQLite has none. */
export async function findTasks(
  db: Queries,
  ids: readonly string[],
  leases: ReadonlyMap<string, Lease>,
): Promise<FoundTask[]> {
  if (!isPostgres(db)) return tasksById.run(db, { ids: asListValue(db, ids) });
  const [leased, others] = [ids.filter((id) => leases.has(id)), ids.filter((id) => !leases.has(id))];
  const times = [...new Set(leased.map((id) => leases.get(id)?.created_at ?? 0))];
  return findTogether(db, leased, times, others);
}

/** Both in one round trip, and each list as one value. Without tasks of unknown time no other partition is planned for. */
async function findTogether(
  db: Queries,
  leased: readonly string[],
  times: readonly number[],
  others: readonly string[],
): Promise<FoundTask[]> {
  const parts = [
    ...(leased.length > 0
      ? [sql`${selectFound} where created_at = any(cast(${times} as bigint[])) and id = any(cast(${leased} as text[]))`]
      : []),
    ...(others.length > 0 ? [sql`${selectFound} where id = any(cast(${others} as text[]))`] : []),
  ];
  return parts.length > 0 ? (await sql<FoundTask>`${sql.join(parts, sql` union all `)}`.execute(db)).rows : [];
}
