import type { Queries } from "../database";
import type { MonitorTable } from "../schema";
import { requireTurn } from "../turn";
import {
  type Entity,
  type EntityPlace,
  type EntityRow,
  evidenceColumns,
  hashOf,
  placeName,
  readEntityRows,
  saveEntityRows,
  selectEntities,
} from "./entity-rows";
import { readEvidence } from "./evidence";

/** A monitor, as far as it watches entities. */
interface Watcher {
  id: string;
  place: string;
  /** Whether a run that does not come is missed. */
  isExpecting: boolean;
  periodSeconds: number | null;
}

/** What monitors say of an entity. */
type Watched = Pick<EntityRow, "monitor_ids" | "is_expected" | "expected_period_seconds">;

/** Finds what monitors say of entities. */
export type FindWatched = (place: EntityPlace, runMonitorId: string | null) => Watched;

type WatchingMonitor = Pick<MonitorTable, "id" | "organizational_unit_id" | "primary_entity" | "schedule" | "state">;

const unitsPerStatement = 500;

/** What no monitor watches. */
export const unwatched: Watched = { monitor_ids: "[]", is_expected: 0, expected_period_seconds: null };

/**
 * Reads the monitors of units. An entity is watched by those of its unit that name its type and id, and by the one that the
 * backup which decides its state is a run of.
 */
export async function readWatchers(db: Queries, unitIds: readonly string[]): Promise<FindWatched> {
  const watchers: Watcher[] = [];
  const wanted = [...new Set(unitIds)];
  for (let from = 0; from < wanted.length; from += unitsPerStatement) {
    const monitors = await db
      .selectFrom("monitors")
      .select(["id", "organizational_unit_id", "primary_entity", "schedule", "state"])
      .where("organizational_unit_id", "in", wanted.slice(from, from + unitsPerStatement))
      .execute();
    watchers.push(...monitors.map(watcherOf));
  }
  const byPlace = Map.groupBy(watchers, ({ place }) => place);
  const byId = new Map(watchers.map((watcher) => [watcher.id, watcher]));
  return (place, runMonitorId) => {
    const run = byId.get(runMonitorId ?? "");
    return watchedBy([...new Set([...(byPlace.get(placeName(place)) ?? []), ...(run ? [run] : [])])]);
  };
}

function watcherOf({ id, organizational_unit_id, primary_entity, schedule, state }: WatchingMonitor): Watcher {
  const entity: Entity = JSON.parse(primary_entity);
  const when: { period_seconds?: number } = JSON.parse(schedule ?? "{}");
  return {
    id,
    place: placeName({ unitId: organizational_unit_id, hash: hashOf(entity) }),
    isExpecting: schedule !== null && state !== "paused",
    periodSeconds: when.period_seconds ?? null,
  };
}

function watchedBy(watchers: readonly Watcher[]): Watched {
  const expecting = watchers.filter(({ isExpecting }) => isExpecting);
  const periods = expecting.flatMap(({ periodSeconds }) => periodSeconds ?? []);
  return {
    monitor_ids: JSON.stringify(watchers.map(({ id }) => id).sort()),
    is_expected: expecting.length > 0 ? 1 : 0,
    expected_period_seconds: periods.length > 0 ? Math.min(...periods) : null,
  };
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
  // A report that is written at the same time may just be adding an entity which is watched.
  requireTurn(db);
  const places = changes.flatMap(({ before, after }) =>
    [before, after].flatMap((one) => (one ? [{ unitId: one.unitId, hash: hashOf(one.entity) }] : [])),
  );
  const rows = new Map([...(await readEntityRows(db, places)).values()].map((row) => [row.id, row]));
  for (const { id } of changes) {
    for (const row of await selectEntities(db).where("run_monitor_id", "=", id).execute()) rows.set(row.id, row);
  }
  await watchAgain(db, [...rows.values()]);
}

/** The same for all entities of a unit that monitors have come to. */
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
  const changed = rows.flatMap((row) => {
    const watched = find({ unitId: row.organizational_unit_id, hash: row.entity_hash }, row.run_monitor_id);
    const after = { ...row, ...watched, ...evidenceColumns(readEvidence(row.evidence), watched.is_expected === 1) };
    return isSameRow(row, after) ? [] : [after];
  });
  await saveEntityRows(db, changed);
}

/** Whether nothing has changed that is stored. */
export function isSameRow(one: EntityRow, other: EntityRow): boolean {
  return JSON.stringify(one) === JSON.stringify({ ...one, ...other });
}
