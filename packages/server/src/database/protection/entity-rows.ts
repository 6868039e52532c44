import { createHash } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { type Selectable, type SqlBool, sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import { type ColumnKinds, columnsOf, prepareUpsert } from "../many-rows";
import { prepareQuery } from "../prepared-query";
import type { ProtectedEntityTable } from "../schema";
import { backupFactsOf, type EndedTask, isBackup, keepEvidence, readEvidence, writeEvidence } from "./evidence";
import {
  type Operation,
  type OperationMarks,
  operationsOf,
  rankOf,
  readMarks,
  silentSince,
  stateOfEntity,
  writeMarks,
} from "./operations";

/** Entity that a task protects. */
export interface Entity {
  id: string;
  type: string;
  value: string;
}

/** Where an entity stands: the same type and id in another unit is another one. */
export interface EntityPlace {
  unitId: string;
  hash: string;
}

export type EntityRow = Omit<Selectable<ProtectedEntityTable>, "seq" | "down_since_at">;

const rowsPerStatement = 200;
/** Number of characters of a name that are sorted by: an index takes no more than some kilobytes. */
const sortedCharacters = 200;

/** Identifies an entity in its unit, however long its id is. The length says where the type ends and the id begins. */
export function hashOf({ type, id }: Pick<Entity, "type" | "id">): string {
  return createHash("sha256").update(`${type.length} ${type}${id}`).digest("base64url");
}

/** The text by which a place is remembered. */
export function placeName({ unitId, hash }: EntityPlace): string {
  return `${unitId} ${hash}`;
}

/** Stored forms of a name. */
export function namesOf(value: string): Pick<EntityRow, "value" | "value_folded" | "sort_name"> {
  const folded = foldCase(value);
  return { value, value_folded: folded, sort_name: [...folded].slice(0, sortedCharacters).join("") };
}

type EvidenceColumns = Pick<
  EntityRow,
  | "evidence"
  | "operations"
  | "state"
  | "state_rank"
  | "last_good_at"
  | "run_monitor_id"
  | "silent_since_at"
  | "stale_before_at"
>;

/** Stands for the monitors of which operations of one entity were runs, if they are several. */
export const severalMonitors = "several";

/** Everything that decides the state of an entity: its tasks that have ended, marks of its operations, and the limit for stale ones. */
export interface KnownEntity {
  tasks: readonly EndedTask[];
  marks: readonly OperationMarks[];
  staleBefore: number;
}

/** Stored columns of the ended tasks of an entity, and of what follows from them. */
export function evidenceColumns({ tasks, marks, staleBefore }: KnownEntity): EvidenceColumns {
  const kept = keepEvidence(tasks);
  const operations = operationsOf(kept, marks, staleBefore);
  const others = kept.filter((task) => !isBackup(task));
  const evidence = [...others, ...operations.flatMap(({ runs }) => runs)];
  const state = stateOfEntity(operations);
  return {
    evidence: writeEvidence(evidence),
    operations: writeMarks(operations),
    state,
    state_rank: rankOf(state),
    last_good_at: backupFactsOf(evidence).lastGoodBackup?.endedAt ?? null,
    run_monitor_id: runMonitorOf(operations),
    silent_since_at: silentSince(operations),
    stale_before_at: staleBefore,
  };
}

/** Reads the facts of a stored entity. */
export function knownEntity(row: Pick<EntityRow, "evidence" | "operations" | "stale_before_at">): KnownEntity {
  return {
    tasks: readEvidence(row.evidence),
    marks: readMarks(row.operations),
    staleBefore: row.stale_before_at,
  };
}

/** The operations of an entity that is stored. */
export function operationsOfRow(row: Pick<EntityRow, "evidence" | "operations" | "stale_before_at">): Operation[] {
  const { tasks, marks, staleBefore } = knownEntity(row);
  return operationsOf(tasks, marks, staleBefore);
}

function runMonitorOf(operations: readonly Operation[]): string | null {
  const [first, ...others] = new Set(operations.flatMap(({ newestBackup }) => newestBackup?.monitorId ?? []));
  return others.length > 0 ? severalMonitors : (first ?? null);
}

/** The columns that an entity keeps. */
const keptKinds = {
  id: "text",
  organizational_unit_id: "text",
  entity_hash: "text",
  entity_type: "text",
  entity_id: "text",
  entity_id_folded: "text",
} as const satisfies Partial<ColumnKinds<keyof EntityRow>>;
/** The columns that change with what is reported. */
const changedKinds = {
  value: "text",
  value_folded: "text",
  value_at: "bigint",
  value_task_id: "text",
  sort_name: "text",
  evidence: "text",
  operations: "text",
  state: "text",
  state_rank: "bigint",
  last_good_at: "bigint",
  first_seen_at: "bigint",
  monitor_ids: "text",
  run_monitor_id: "text",
  expected_period_seconds: "bigint",
  silent_since_at: "bigint",
  stale_before_at: "bigint",
  muted_until: "bigint",
  is_retired: "bigint",
} as const satisfies Partial<ColumnKinds<keyof EntityRow>>;
const kinds: ColumnKinds<keyof EntityRow> = { ...keptKinds, ...changedKinds };
const columns = columnsOf(kinds);

/** Selects whole rows. */
export function selectEntities(db: Queries) {
  return db.selectFrom("protected_entities").select(columns);
}

/** Of SQLite. */
const rowAt = prepareQuery<EntityPlace, EntityRow>(
  (slot) => sql<EntityRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from protected_entities
    where organizational_unit_id = ${slot("unitId")} and entity_hash = ${slot("hash")}`,
);

/** Reads those of the entities that there are, by place, and keeps other reports from changing them. The places have to be in one order. */
export async function readEntityRows(db: Queries, places: readonly EntityPlace[]): Promise<Map<string, EntityRow>> {
  const found = new Map<string, EntityRow>();
  if (!isPostgres(db)) {
    for (const place of places) for (const row of await rowAt.run(db, place)) found.set(placeName(place), row);
    return found;
  }
  for (let from = 0; from < places.length; from += rowsPerStatement) {
    const some = places.slice(from, from + rowsPerStatement);
    // PostgreSQL does not find out by itself what these are.
    const names = sql.join(some.map(({ unitId, hash }) => sql`(cast(${unitId} as text), cast(${hash} as text))`));
    const query = selectEntities(db).where(sql<SqlBool>`(organizational_unit_id, entity_hash) in (values ${names})`);
    const rows = await query.orderBy("organizational_unit_id").orderBy("entity_hash").forUpdate().execute();
    for (const row of rows) found.set(placeName({ unitId: row.organizational_unit_id, hash: row.entity_hash }), row);
  }
  return found;
}

/** An entity as it is stored, unless it is new, and as it becomes. */
export interface EntityChange {
  before: EntityRow | undefined;
  after: EntityRow;
}

const changeable = columnsOf(changedKinds);
/** The statements that save entities, by what they change of those that there are. */
const upserts = new Map<string, ReturnType<typeof prepareUpsert<keyof EntityRow>>>();

/** Adds and changes entities. What has not changed is left out, because most changes then touch no index. */
export async function saveEntityRows(db: Queries, changes: readonly EntityChange[]): Promise<void> {
  // In one order, so that two who change the same do not wait for each other.
  const inOrder = [...changes].sort(({ after: one }, { after: other }) =>
    one.entity_hash < other.entity_hash ? -1 : 1,
  );
  const alike = Map.groupBy(inOrder, ({ before, after }) =>
    changeable.filter((name) => before?.[name] !== after[name]).join(" "),
  );
  for (const [names, some] of alike) {
    const changed = changeable.filter((name) => names.split(" ").includes(name));
    if (changed.length === 0) continue;
    const key = ["organizational_unit_id", "entity_hash"] as const;
    const upsert = upserts.get(names) ?? prepareUpsert("protected_entities", kinds, { key, changed });
    upserts.set(names, upsert);
    for (let from = 0; from < some.length; from += rowsPerStatement) {
      const rows = some.slice(from, from + rowsPerStatement).map(({ after }) => after);
      await upsert(db, rows);
    }
  }
}

/** Removes entities by their ids. */
export async function deleteEntityRows(db: Queries, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += rowsPerStatement) {
    await db
      .deleteFrom("protected_entities")
      .where("id", "in", ids.slice(from, from + rowsPerStatement))
      .execute();
  }
}
