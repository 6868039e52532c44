import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { EntityState } from "@holdfast/api/resources/entity-words";
import { type Expression, type SqlBool, sql } from "kysely";
import type { Queries } from "../../../database/database";
import { hashOf } from "../../../database/protection/entity-rows";
import { readEvidence } from "../../../database/protection/evidence";
import { readOutcomes } from "../../monitors/state";

/** A monitor or an item that is down and that someone expects to be up. */
export interface StillDown {
  kind: "monitor" | "entity";
  id: string;
  name: string;
  state: string;
  since: number;
  /** End of its last good backup; null for a monitor. */
  lastGoodAt: number | null;
  /** The run that says so; null if it is not known any more. */
  taskId: string | null;
}

const isBad = ({ outcome }: { outcome: string }) => !["success", "warning", "cancelled"].includes(outcome);

/** The states of an item that people are reminded of. */
export const downStates = ["failing", "missed", "stale"] as const satisfies readonly EntityState[];

/**
 * Finds what has been down since a moment or longer in a unit and below it, the longest first. Left out is what is paused, muted
 * or retired, and an item whose monitor is down or paused: the monitor speaks for it.
 */
export async function findStillDown(db: Queries, unitId: string, now: number): Promise<StillDown[]> {
  const inUnit = (column: string): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(column)} in (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`;
  const monitors = await db
    .selectFrom("monitors")
    .select(["id", "name", "state", "down_since_at", "organizational_unit_id", "primary_entity", "recent_outcomes"])
    .where(inUnit("organizational_unit_id"))
    .where((eb) => eb.or([eb("is_down", "=", 1), eb("state", "=", "paused")]))
    .execute();
  const entities = await db
    .selectFrom("protected_entities")
    .select(["id", "value", "state", "down_since_at", "last_good_at", "organizational_unit_id", "entity_hash"])
    .select(["monitor_ids", "evidence", "muted_until", "is_retired"])
    .where(inUnit("organizational_unit_id"))
    .where((eb) => eb.or([eb("state", "in", downStates), eb("is_retired", "=", 1), eb("muted_until", "is not", null)]))
    .execute();
  const isQuiet = (entity: (typeof entities)[number]) => entity.is_retired === 1 || (entity.muted_until ?? 0) > now;
  const quiet = new Set(entities.filter(isQuiet).map((one) => `${one.organizational_unit_id} ${one.entity_hash}`));
  const spokenFor = new Set(monitors.map(({ id }) => id));
  const downMonitors = monitors
    .filter(({ state }) => state !== "paused")
    .filter((one) => !quiet.has(`${one.organizational_unit_id} ${hashOf(JSON.parse(one.primary_entity))}`))
    .map(
      (monitor): StillDown => ({
        kind: "monitor",
        id: monitor.id,
        name: monitor.name,
        state: monitor.state,
        since: monitor.down_since_at ?? now,
        lastGoodAt: null,
        taskId: readOutcomes(monitor).findLast(isBad)?.task_id ?? null,
      }),
    );
  const downEntities = entities
    .filter((entity) => isDownState(entity.state) && !isQuiet(entity))
    .filter(({ monitor_ids }) => !readMonitorIds(monitor_ids).some((id) => spokenFor.has(id)))
    .map(
      (entity): StillDown => ({
        kind: "entity",
        id: entity.id,
        name: entity.value,
        state: entity.state,
        since: entity.down_since_at ?? now,
        lastGoodAt: entity.last_good_at,
        taskId:
          readEvidence(entity.evidence)
            .filter((task) => entity.state === "stale" || isBad(task))
            .toSorted((a, b) => a.endedAt - b.endedAt)
            .at(-1)?.id ?? null,
      }),
    );
  return [...downMonitors, ...downEntities].sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
}

/** Checks whether an item in a state counts as down. */
function isDownState(state: EntityState): boolean {
  const states: readonly string[] = downStates;
  return states.includes(state);
}

function readMonitorIds(stored: string): string[] {
  return JSON.parse(stored);
}

/** Something that is down as messages name it. */
export function presentStillDown(one: StillDown) {
  return {
    kind: one.kind,
    id: one.id,
    name: one.name,
    state: one.state,
    since_timestamp: formatTimestamp(one.since),
    last_good_timestamp: one.lastGoodAt === null ? null : formatTimestamp(one.lastGoodAt),
    task_id: one.taskId,
  };
}
