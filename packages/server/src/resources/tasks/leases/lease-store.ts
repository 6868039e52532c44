import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import {
  asListValue,
  type ColumnKinds,
  columnNames,
  columnsOf,
  isInList,
  type ListValue,
  listed,
  prepareInsert,
  rowsAsTable,
} from "../../../database/many-rows";
import { prepareQuery } from "../../../database/prepared-query";
import { type HeartbeatLease, heartbeatColumns, type Lease } from "./lease";

/** So many are looked up or changed in one statement. */
const perStatement = 500;

/** Columns of a lease that a sweep reads. */
export type SweptLease = Omit<Lease, "former_holders" | "claim_id" | "holder" | "abort_reason" | "log_size">;

const heartbeatLeasesOf = prepareQuery<{ ids: ListValue }, HeartbeatLease>(
  (slot, db) => sql<HeartbeatLease>`
    select ${sql.join(heartbeatColumns.map((name) => sql.ref(name)))} from task_leases
    where task_id ${isInList(db, slot("ids"))}`,
);

/** Finds what heartbeats need of the leases of tasks, by task id. */
export async function findHeartbeatLeases(db: Queries, ids: readonly string[]): Promise<Map<string, HeartbeatLease>> {
  const rows = await heartbeatLeasesOf.run(db, { ids: asListValue(db, ids) });
  return new Map(rows.map((row) => [row.task_id, row]));
}

const leasesToLock = prepareQuery<{ ids: ListValue }, Lease>((slot, db) => {
  const locked = isPostgres(db) ? sql`order by task_id for update` : sql``;
  return sql<Lease>`select * from task_leases where task_id ${isInList(db, slot("ids"))} ${locked}`;
});

/** Finds the leases of tasks by task id, and keeps others from changing them until the end of the transaction. All lock in one order. */
export async function lockLeases(db: Queries, ids: readonly string[]): Promise<Map<string, Lease>> {
  const rows = await leasesToLock.run(db, { ids: asListValue(db, ids) });
  return new Map(rows.map((row) => [row.task_id, row]));
}

/** Columns that a sweep reads, beside the task. */
const sweptColumns = [
  "created_at",
  "organizational_unit_id",
  "attempt",
  "sequence",
  "state",
  "lease_seconds",
  "renewals",
  "waited_seconds",
  "liveness",
  "can_abort",
  "abort_grace_seconds",
  "abort_requested_at",
  "start_by_seconds",
  "max_duration_seconds",
  "stall_seconds",
  "received_at",
  "started_at",
  "progressed_at",
  "ended_at",
] as const satisfies (keyof SweptLease)[];

/** Columns of a lease that a report can change. */
const changedColumns = [
  ...sweptColumns,
  "holder",
  "former_holders",
  "claim_id",
  "abort_reason",
  "log_size",
] as const satisfies (keyof Lease)[];

const leaseKinds: ColumnKinds<keyof Lease> = {
  task_id: "text",
  created_at: "bigint",
  organizational_unit_id: "text",
  holder: "text",
  former_holders: "text",
  claim_id: "text",
  attempt: "bigint",
  sequence: "bigint",
  state: "text",
  lease_seconds: "bigint",
  renewals: "bigint",
  waited_seconds: "bigint",
  liveness: "text",
  can_abort: "bigint",
  abort_grace_seconds: "bigint",
  abort_requested_at: "bigint",
  abort_reason: "text",
  start_by_seconds: "bigint",
  max_duration_seconds: "bigint",
  stall_seconds: "bigint",
  received_at: "bigint",
  started_at: "bigint",
  progressed_at: "bigint",
  log_size: "bigint",
  ended_at: "bigint",
};

/** Stores the leases of new tasks. Of two reports that add the same task at the same time, the second one fails. */
export async function addLeases(db: Queries, leases: readonly Lease[]): Promise<void> {
  if (!isPostgres(db)) return addEach(db, leases);
  // In one order, so that two who add the same do not wait for each other.
  const inOrder = [...leases].sort((one, other) => (one.task_id < other.task_id ? -1 : 1));
  for (const some of chunks(inOrder, perStatement)) await insertLeases(some).execute(db);
}

const replaceLease = sql`on conflict (task_id) do update set ${sql.join(
  changedColumns.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
)}`;
const addEach = prepareInsert("task_leases", columnsOf(leaseKinds));
const saveEach = prepareInsert("task_leases", columnsOf(leaseKinds), replaceLease);

/** Stores leases, new ones and changed ones. */
export async function saveLeases(db: Queries, leases: readonly Lease[]): Promise<void> {
  if (!isPostgres(db)) return saveEach(db, leases);
  for (const some of chunks(leases, perStatement)) {
    await insertLeases(some, replaceLease).execute(db);
  }
}

function insertLeases(leases: readonly Lease[], onConflict: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  const names = columnNames(leaseKinds);
  return sql`
    insert into task_leases (${names}) select ${names} from ${rowsAsTable(leaseKinds, leases, "given")} ${onConflict}`;
}

/** Counts a renewal of each of these leases, where its task has not ended. */
export async function renewLeases(db: Queries, ids: readonly string[]): Promise<void> {
  if (isPostgres(db)) {
    // Locked in the order of all who lock leases, whatever order the update would take.
    await sql`
      update task_leases set renewals = renewals + 1, waited_seconds = 0 where task_id in (
        select task_id from task_leases where task_id = any(cast(${ids} as text[])) and ended_at is null
        order by task_id for update
      )`.execute(db);
    return;
  }
  for (const some of chunks(ids, perStatement)) {
    await db
      .updateTable("task_leases")
      .set((eb) => ({ renewals: eb("renewals", "+", 1), waited_seconds: 0 }))
      .where("task_id", "in", listed(some))
      .where("ended_at", "is", null)
      .execute();
  }
}

/** All leases of tasks that have not ended. */
export async function listOpenLeases(db: Queries): Promise<SweptLease[]> {
  return db
    .selectFrom("task_leases")
    .select(["task_id", ...sweptColumns])
    .where("ended_at", "is", null)
    .execute();
}

/** Notes how much of a lease has passed, so that a start of the service does not begin it again. */
export async function noteWaited(db: Queries, { task_id, renewals }: SweptLease, seconds: number): Promise<void> {
  await db
    .updateTable("task_leases")
    .set({ waited_seconds: seconds })
    .where("task_id", "=", task_id)
    .where("renewals", "=", renewals)
    .where("waited_seconds", "<", seconds)
    .execute();
}

/** Forgets the leases of tasks that ended before a moment, and the pings of these runs. */
export async function forgetLeases(db: Queries, endedBefore: number): Promise<void> {
  await db.deleteFrom("task_leases").where("ended_at", "<", endedBefore).execute();
  await db
    .deleteFrom("ping_runs")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("task_leases")
            .select("task_leases.task_id")
            .whereRef("task_leases.task_id", "=", "ping_runs.task_id"),
        ),
      ),
    )
    .execute();
}

function* chunks<Value>(values: readonly Value[], size: number): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size);
}
