import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { entityStates } from "@holdfast/api/resources/entity-words";
import type { TaskRecord } from "../../src/resources/tasks/record";

/** A monitor, as far as the model knows it. */
export interface ModelMonitor {
  id: string;
  slug: string;
  unitId: string;
  entity: { type: string; id: string };
  periodSeconds: number | null;
  pausedUntil: number;
}

/** Statement of a person about an entity. */
export interface Attention {
  mutedUntil: number | null;
  isRetired: boolean;
  /** Its operations that are retired. */
  retired: ReadonlySet<string>;
}

export const noAttention: Attention = { mutedUntil: null, isRetired: false, retired: new Set() };

/** Everything that has happened: no task is ever forgotten, whatever retention removes. */
export interface ModelWorld {
  tasks: Map<string, TaskRecord>;
  monitors: Map<string, ModelMonitor>;
  attention: Map<string, Attention>;
}

type Shown = Omit<EntityV1, "id" | "_links">;

/** Which entity a task is of. */
export function entityKey(unitId: string, entity: { type: string; id: string }): string {
  return JSON.stringify([unitId, entity.type, entity.id]);
}

const endOf = (task: TaskRecord) => task.end_timestamp ?? task.created_timestamp;
const order = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
const byEnd = (one: TaskRecord, other: TaskRecord) => order(endOf(one), endOf(other)) || order(one.id, other.id);
const byCreation = (one: TaskRecord, other: TaskRecord) =>
  order(one.created_timestamp, other.created_timestamp) || order(one.id, other.id);

/** States of all entities by the contract, worked out from every task that there ever was. */
export function expectedEntities(world: ModelWorld, now: number): Shown[] {
  const groups = Map.groupBy(world.tasks.values(), (task) =>
    task.primary_entity ? entityKey(task.organizational_unit_id, task.primary_entity) : "",
  );
  groups.delete("");
  return [...groups].map(([key, tasks]) => expectedEntity(world, now, key, tasks));
}

function expectedEntity({ monitors, attention }: ModelWorld, now: number, key: string, tasks: TaskRecord[]): Shown {
  const inOrder = tasks.toSorted(byCreation);
  const [first, newest] = [inOrder[0], inOrder.at(-1)];
  if (!first || !newest?.primary_entity) throw new Error("An entity has tasks.");
  const ended = tasks.filter(({ outcome }) => outcome !== null);
  const backups = ended.filter(isBackup);
  const restores = ended
    .filter(({ category }) => category === "restore" || category === "snapshot_restore")
    .filter(({ outcome }) => outcome !== "cancelled")
    .toSorted(byEnd);
  const groups = [...Map.groupBy(backups, operationOf)];
  // Each monitor watches the one operation that its newest run was, or, before that, the one with its slug.
  const lastRuns = groups.flatMap(([, runs]) => decisive(runs).at(-1) ?? []).toSorted(byEnd);
  const fed = new Map(lastRuns.flatMap((run) => (run.monitor_id ? [[run.monitor_id, operationOf(run)]] : [])));
  const watching = [...monitors.values()].filter(
    ({ id, unitId, entity }) => entityKey(unitId, entity) === key || fed.has(id),
  );
  const isExpecting = ({ periodSeconds, pausedUntil }: ModelMonitor) => periodSeconds !== null && pausedUntil <= now;
  const periods = watching.filter(isExpecting).flatMap(({ periodSeconds }) => periodSeconds ?? []);
  const { mutedUntil, isRetired, retired } = attention.get(key) ?? noAttention;
  const operations = groups.map(([operation, runs]): Shown["operations"][number] => {
    const own = watching.filter(({ id, slug }) => (fed.get(id) ?? slug) === operation);
    return {
      operation,
      type: runs.toSorted(byEnd).at(-1)?.type ?? "",
      state: stateBy(decisive(runs), own.some(isExpecting)),
      ...factsOf(runs),
      monitor_ids: own.map(({ id }) => id).sort(),
      is_retired: retired.has(operation),
    };
  });
  return {
    primary_entity: newest.primary_entity,
    organizational_unit_id: newest.organizational_unit_id,
    state: stateOfAll(
      groups.flatMap(([name, runs]) => (decisive(runs).length > 0 ? [name] : [])),
      operations,
    ),
    ...factsOf(backups),
    last_restore: evidence(restores.at(-1)),
    expected_period_seconds: periods.length > 0 ? Math.min(...periods) : null,
    monitor_ids: watching.map(({ id }) => id).sort(),
    operations: operations.toSorted(
      (one, other) =>
        Number(one.is_retired) - Number(other.is_retired) ||
        entityStates.indexOf(one.state) - entityStates.indexOf(other.state) ||
        order(one.operation, other.operation),
    ),
    first_seen_timestamp: first.created_timestamp,
    muted_until: mutedUntil === null ? null : new Date(mutedUntil).toISOString(),
    is_retired: isRetired,
  };
}

const isBackup = ({ category }: TaskRecord) => category === "backup" || category === "snapshot";
const decisive = (runs: readonly TaskRecord[]) => runs.filter(({ outcome }) => outcome !== "cancelled").toSorted(byEnd);
const evidence = (task: TaskRecord | undefined) =>
  task?.outcome ? { task_id: task.id, outcome: task.outcome, end_timestamp: endOf(task) } : null;

/** Operation that a task is a run of. */
export function operationOf({ operation, type }: TaskRecord): string {
  return operation ?? type;
}

function factsOf(backups: readonly TaskRecord[]) {
  const inOrder = backups.toSorted(byEnd);
  return {
    last_run: evidence(inOrder.at(-1)),
    last_good_backup: evidence(inOrder.findLast(({ outcome }) => outcome === "success")),
    last_incomplete_backup: evidence(inOrder.findLast(({ outcome }) => outcome === "warning")),
    recent_outcomes: backups
      .toSorted(byCreation)
      .slice(-30)
      .flatMap(({ id, outcome, created_timestamp }) => (outcome ? [{ task_id: id, outcome, created_timestamp }] : [])),
  };
}

/** The worst state of the operations that say something, without retired ones if there are others. */
function stateOfAll(telling: readonly string[], operations: Shown["operations"]): EntityV1["state"] {
  const said = operations.filter(({ operation }) => telling.includes(operation));
  const active = said.filter(({ is_retired }) => !is_retired);
  const hasBackup = said.some(({ state }) => state !== "never");
  const states = (active.length > 0 ? active : said).map(({ state }) =>
    state === "never" && hasBackup ? "failing" : state,
  );
  return entityStates.find((state) => states.includes(state)) ?? "never";
}

function stateBy(backups: readonly TaskRecord[], isExpected: boolean): EntityV1["state"] {
  if (!backups.some(({ outcome }) => outcome === "success" || outcome === "warning")) return "never";
  const states: Record<string, EntityV1["state"]> = {
    missed: "missed",
    expired: "missed",
    error: "failing",
    lost: "failing",
    warning: "incomplete",
    success: isExpected ? "good" : "unwatched",
  };
  return states[backups.at(-1)?.outcome ?? ""] ?? "never";
}

/** The order of `sort=state`. */
export function compareByState(one: EntityV1, other: EntityV1): number {
  return (
    entityStates.indexOf(one.state) - entityStates.indexOf(other.state) ||
    order(foldCase(one.primary_entity.value), foldCase(other.primary_entity.value)) ||
    order(one.id, other.id)
  );
}
