import { type Selectable, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Database, Queries } from "../../../database/database";
import { columnNames, columnsOf, listed, prepareInsert, rowsAsTable } from "../../../database/many-rows";
import type { TaskChangeTable } from "../../../database/schema";
import { oldestOpenTransaction } from "../../../database/tasks/transaction-ids";
import { readDocument } from "../record";
import type { FollowedTask } from "../reports/follow-tasks";
import { type FilteredFields, fieldsOf } from "./filtered-fields";

/** For how long changes are kept at least, in milliseconds. */
export const changesKept = 600_000;
const rowsPerStatement = 200;
/** More changes at once make a stream begin again: reading them all would take longer than a page. */
const maxChanges = 5_000;

/** A change of a task. */
export interface TaskChange {
  /** In the order of changes of the same task. */
  number: number;
  /** In the order in which changes are read: of transactions, and on SQLite of numbers. */
  position: number;
  taskId: string;
  /** Fields that filters look at, as they were before; null for a new task. */
  before: FilteredFields | null;
}

/** Changes between two places, and the changed tasks as they are now. */
export interface ReadChanges {
  /** The place before them. */
  since: number;
  /** The place after them. */
  place: number;
  /** True if the changes between are not available: too old, too many, or one change of many tasks. */
  isBroken: boolean;
  /** Oldest open transaction of the database, if changes wait for its end. */
  openTransaction: number | null;
  changes: TaskChange[];
  /** The tasks that there still are, by id. */
  tasks: ReadonlyMap<string, ChangedTask>;
}

/** A task as it is now. What filters look at is read once for all streams. */
export interface ChangedTask {
  document: string;
  fields: FilteredFields;
}

const changeKinds = { task_id: "text", created_at: "bigint", before: "text", changed_at: "bigint" } as const;

const noteEach = prepareInsert("task_changes", columnsOf(changeKinds));

/** Notes changes of tasks, in the transaction that makes them. */
export async function noteChanges(db: Queries, changes: readonly FollowedTask[], now: number): Promise<void> {
  const rows = changes.map(({ task, before }) => ({
    task_id: task.id,
    created_at: Date.parse(task.created_timestamp),
    before: before && JSON.stringify(fieldsOf(before)),
    changed_at: now,
  }));
  if (!isPostgres(db)) return noteEach(db, rows);
  if (rows.length === 0) return;
  const names = columnNames(changeKinds);
  await sql`
    insert into task_changes (${names}) select ${names} from ${rowsAsTable(changeKinds, rows, "given")}`.execute(db);
}

/** Changes are read in the order of this column: of transaction ids, below the oldest open one; on SQLite of numbers. */
function positionColumn(db: Queries) {
  return isPostgres(db) ? sql.ref<number>("xid") : sql.ref<number>("number");
}

interface Newest {
  /** Position of the newest change that can be seen. */
  newest: number;
  /** Position up to which no change can still be committed. */
  settled: number;
  /** Oldest open transaction if changes that can be seen wait for its end, because it may commit earlier ones. */
  openTransaction: number | null;
}

const newestOnPostgres = sql<Newest>`
  with oldest_open as materialized (select ${oldestOpenTransaction} as xid)
  select
    coalesce((select max(xid) from task_changes), 0) as newest,
    coalesce((select max(xid) from task_changes where xid < (select xid from oldest_open)), 0) as settled,
    (select xid from oldest_open where exists (
      select from task_changes where xid >= (select xid from oldest_open))) as "openTransaction"`;
const newestOnSqlite = sql<Newest>`
  select newest, newest as settled, null as "openTransaction"
  from (select coalesce(max(number), 0) as newest from task_changes) as changes`;

async function readNewest(db: Queries): Promise<Newest> {
  const { rows } = await (isPostgres(db) ? newestOnPostgres : newestOnSqlite).execute(db);
  return rows[0] ?? { newest: 0, settled: 0, openTransaction: null };
}

/** Returns the place after everything that has happened, and before everything that can still be committed. */
export async function newestPlace(database: Pick<Database, "snapshot">): Promise<number> {
  return database.snapshot(async (db) => (await readNewest(db)).settled);
}

/** Reads what has changed since a place. Without one it only finds the newest. */
export function readChanges(database: Pick<Database, "snapshot">, from: number | undefined): Promise<ReadChanges> {
  return database.snapshot((db) => readSettledChanges(db, from));
}

async function readSettledChanges(db: Queries, from: number | undefined): Promise<ReadChanges> {
  const { newest, settled, openTransaction } = await readNewest(db);
  const since = from ?? settled;
  // After a failover, less may be settled than at an earlier time.
  const place = Math.max(since, settled);
  const broken: ReadChanges = { since, place: settled, isBroken: true, openTransaction, changes: [], tasks: new Map() };
  // Beyond the newest: an older database was put back. Before the first: the stream has to begin again.
  if (since > newest || since < 0) return broken;
  if (since === place) return { ...broken, place, isBroken: false };
  const position = positionColumn(db);
  // In the order in which changes of the same task were made, which need not be that of transactions.
  const { rows } = await sql<Selectable<TaskChangeTable> & { position: number }>`
    select number, ${position} as position, task_id, created_at, before from task_changes
    where ${position} > ${since} and ${position} <= ${place} order by number limit ${maxChanges + 1}`.execute(db);
  const isTooOld = !(await isKept(db, since));
  if (isTooOld || rows.length > maxChanges || rows.some(({ task_id }) => task_id === null)) return broken;
  const changes = rows.flatMap(({ number, position, task_id, before }): TaskChange[] =>
    task_id === null
      ? []
      : [{ number, position, taskId: task_id, before: before === null ? null : JSON.parse(before) }],
  );
  const tasks = await readTasks(
    db,
    rows.flatMap(({ task_id, created_at }) => (task_id === null ? [] : [{ id: task_id, created_at }])),
  );
  return { since, place, isBroken: false, openTransaction, changes, tasks };
}

/** Returns true if all changes after a place are kept: at least one before it is. */
async function isKept(db: Queries, place: number): Promise<boolean> {
  const { rows } = await sql`select 1 from task_changes where ${positionColumn(db)} <= ${place} limit 1`.execute(db);
  return rows.length > 0;
}

async function readTasks(
  db: Queries,
  changed: readonly { id: string; created_at: number }[],
): Promise<Map<string, ChangedTask>> {
  const tasks = new Map<string, ChangedTask>();
  const unique = [...new Map(changed.map((task) => [task.id, task])).values()];
  for (let from = 0; from < unique.length; from += rowsPerStatement) {
    const some = unique.slice(from, from + rowsPerStatement);
    const ids = some.map(({ id }) => id);
    const select = db.selectFrom("tasks").select(["id", "document"]);
    const found = isPostgres(db)
      ? select.where("created_at", "in", [...new Set(some.map(({ created_at }) => created_at))]).where("id", "in", ids)
      : select.where("id", "in", listed(ids));
    const rows = await found.execute();
    for (const { id, document } of rows) tasks.set(id, { document, fields: fieldsOf(readDocument(document)) });
  }
  return tasks;
}

/** Forgets changes that are old. The newest of these stays: it tells that all after it are kept, whatever the clock did. */
export async function forgetChanges(db: Queries, before: number): Promise<void> {
  const position = positionColumn(db);
  await sql`
    delete from task_changes
    where ${position} < (select max(${position}) from task_changes where changed_at < ${before})`.execute(db);
}
