import type { Queries } from "../database";
import { takeLock } from "../locks";
import type { MonitorTable } from "../schema";
import {
  type Entity,
  type EntityPlace,
  type EntityRow,
  evidenceColumns,
  hashOf,
  knownEntity,
  operationsOfRow,
  placeName,
  readEntityRows,
  saveEntityRows,
  selectEntities,
  severalMonitors,
} from "./entity-rows";
import { type Operation, type OperationMarks, operationsFedBy } from "./operations";

/** A monitor, as far as it watches entities. */
interface Watcher {
  id: string;
  /** The operation that its runs are: the one that it follows, if there is one. */
  operation: string | null;
  slug: string;
  place: string;
  /** True if a run that does not come is missed. */
  isExpecting: boolean;
  periodSeconds: number | null;
}

/** Facts from monitors about an entity, and about each of its operations. */
type Watched = Pick<EntityRow, "monitor_ids" | "expected_period_seconds"> & {
  operations: Map<string, Pick<OperationMarks, "monitorIds" | "isExpected">>;
};

/** Finds what monitors say of an entity with some operations. */
export type FindWatched = (place: EntityPlace, operations: readonly Operation[]) => Watched;

type WatchingMonitor = Pick<
  MonitorTable,
  "id" | "organizational_unit_id" | "slug" | "operation" | "primary_entity" | "schedule" | "state"
>;

const unitsPerStatement = 500;

/** Columns of an entity that no monitor watches. */
export const unwatched = { monitor_ids: "[]" };

/**
 * Reads the monitors of units. An entity is watched by those of its unit that name its type and id, and by those that the newest
 * backups of its operations are runs of. Of its operations a monitor watches only the one that its runs are: the one that it
 * follows, or of which its newest run was one, or, before its first run, the one that has its slug. So a monitor that waits makes no other work look watched.
 */
export async function readWatchers(db: Queries, unitIds: readonly string[]): Promise<FindWatched> {
  const watchers: Watcher[] = [];
  const wanted = [...new Set(unitIds)];
  for (let from = 0; from < wanted.length; from += unitsPerStatement) {
    const monitors = await db
      .selectFrom("monitors")
      .select(["id", "organizational_unit_id", "slug", "operation", "primary_entity", "schedule", "state"])
      .where("organizational_unit_id", "in", wanted.slice(from, from + unitsPerStatement))
      .execute();
    watchers.push(...monitors.map(watcherOf));
  }
  const byPlace = Map.groupBy(watchers, ({ place }) => place);
  const byId = new Map(watchers.map((watcher) => [watcher.id, watcher]));
  return (place, operations) => {
    const fed = operationsFedBy(operations);
    const feeding = [...fed.keys()].flatMap((id) => byId.get(id) ?? []);
    const watching = [...new Set([...(byPlace.get(placeName(place)) ?? []), ...feeding])];
    return watchedBy(watching, operations, ({ id, slug, operation }) => operation ?? fed.get(id) ?? slug);
  };
}

function watcherOf(monitor: WatchingMonitor): Watcher {
  const { id, organizational_unit_id, slug, operation, primary_entity, schedule, state } = monitor;
  const entity: Entity = JSON.parse(primary_entity);
  const when: { period_seconds?: number } = JSON.parse(schedule ?? "{}");
  return {
    id,
    operation,
    slug,
    place: placeName({ unitId: organizational_unit_id, hash: hashOf(entity) }),
    isExpecting: schedule !== null && state !== "paused",
    periodSeconds: when.period_seconds ?? null,
  };
}

function watchedBy(
  watchers: readonly Watcher[],
  operations: readonly Operation[],
  operationOf: (watcher: Watcher) => string,
): Watched {
  const inOrder = watchers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const periods = inOrder.flatMap(({ isExpecting, periodSeconds }) => (isExpecting ? (periodSeconds ?? []) : []));
  const byOperation = Map.groupBy(inOrder, operationOf);
  return {
    monitor_ids: JSON.stringify(inOrder.map(({ id }) => id)),
    expected_period_seconds: periods.length > 0 ? Math.min(...periods) : null,
    operations: new Map(
      operations.map(({ operation }) => {
        const own = byOperation.get(operation) ?? [];
        return [
          operation,
          { monitorIds: own.map(({ id }) => id), isExpected: own.some(({ isExpecting }) => isExpecting) },
        ];
      }),
    ),
  };
}

/** Summary of the monitors that watch each operation of an entity, as text that can be compared. */
export function runsFrom(row: EntityRow): string {
  const operations = operationsOfRow(row);
  const names = operations.map(({ operation }) => operation).sort();
  return JSON.stringify([names, [...operationsFedBy(operations)].sort()]);
}

/** The row of an entity with what monitors say of it. */
export function watchRow(row: EntityRow, find: FindWatched): EntityRow {
  const operations = operationsOfRow(row);
  const place = { unitId: row.organizational_unit_id, hash: row.entity_hash };
  const { operations: watched, ...columns } = find(place, operations);
  const marks = operations.map((one) => ({ ...one, ...watched.get(one.operation) }));
  return { ...row, ...columns, ...evidenceColumns({ ...knownEntity(row), marks }) };
}

/** A monitor that was made, changed or removed: what it watched, and what it watches now. */
export interface ChangedMonitor {
  id: string;
  before: { unitId: string; entity: Pick<Entity, "type" | "id"> } | null;
  after: { unitId: string; entity: Pick<Entity, "type" | "id"> } | null;
}

/**
 * Brings the entities that monitors watch up to date: whether a good backup is watched. To be called in the transaction that
 * makes, changes, pauses or removes a monitor, or ends its pause.
 */
export async function followMonitors(db: Queries, changes: readonly ChangedMonitor[]): Promise<void> {
  // Another report may be adding an entity that is watched.
  await takeLock(db, "entities");
  const places = changes.flatMap(({ before, after }) =>
    [before, after].flatMap((one) => (one ? [{ unitId: one.unitId, hash: hashOf(one.entity) }] : [])),
  );
  const rows = new Map([...(await readEntityRows(db, places)).values()].map((row) => [row.id, row]));
  const unitIds = [...new Set(places.map(({ unitId }) => unitId))];
  for (const { id } of changes) {
    for (const row of await selectEntities(db).where("run_monitor_id", "=", id).execute()) rows.set(row.id, row);
  }
  for (let from = 0; from < unitIds.length; from += unitsPerStatement) {
    const several = await selectEntities(db)
      .where("run_monitor_id", "=", severalMonitors)
      .where("organizational_unit_id", "in", unitIds.slice(from, from + unitsPerStatement))
      .execute();
    for (const row of several) rows.set(row.id, row);
  }
  await watchAgain(db, [...rows.values()]);
}

/** Updates all entities of a unit that monitors have come to. */
export async function followMonitorsOf(db: Queries, unitId: string): Promise<void> {
  const monitors = await db
    .selectFrom("monitors")
    .select("primary_entity")
    .where("organizational_unit_id", "=", unitId)
    .execute();
  const places = monitors.map(({ primary_entity }) => ({ unitId, hash: hashOf(JSON.parse(primary_entity)) }));
  const rows = new Map([...(await readEntityRows(db, places)).values()].map((row) => [row.id, row]));
  const watchedBefore = await selectEntities(db)
    .where("organizational_unit_id", "=", unitId)
    .where((eb) => eb.or([eb("monitor_ids", "<>", "[]"), eb("run_monitor_id", "is not", null)]))
    .execute();
  for (const row of watchedBefore) rows.set(row.id, row);
  await watchAgain(db, [...rows.values()]);
}

async function watchAgain(db: Queries, rows: readonly EntityRow[]): Promise<void> {
  const find = await readWatchers(
    db,
    rows.map((row) => row.organizational_unit_id),
  );
  await saveEntityRows(
    db,
    rows.map((before) => ({ before, after: watchRow(before, find) })),
  );
}
