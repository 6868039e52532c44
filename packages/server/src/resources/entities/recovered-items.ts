import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { Queries } from "../../database/database";
import { type EntityPlace, hashOf, placeName, readEntityRows } from "../../database/protection/entity-rows";
import type { TaskRecord } from "../tasks/record";
import type { FollowedTask } from "../tasks/reports/follow-tasks";

const down: readonly EntityState[] = ["failing", "missed", "stale"];
const up: readonly EntityState[] = ["good", "unwatched", "incomplete"];

/** Says, once entities have followed their tasks, which tasks have made an item good again. */
export type FindRecovered = () => Promise<TaskRecord[]>;

/**
 * Looks at items before they follow their tasks. Only tasks that have just ended well are looked at, so that most reports cost
 * nothing here.
 */
export async function watchRecovery(db: Queries, changes: readonly FollowedTask[]): Promise<FindRecovered> {
  const tasks = new Map<string, EntityPlace & { task: TaskRecord }>();
  for (const { task, before } of changes) {
    const { primary_entity: entity, organizational_unit_id: unitId } = task;
    if (task.status !== "completed" || before?.status === "completed" || !entity) continue;
    const place = { unitId, hash: hashOf(entity) };
    tasks.set(placeName(place), { ...place, task });
  }
  const wereDown = await findIn(db, [...tasks.values()], down);
  if (wereDown.length === 0) return async () => [];
  return async () => (await findIn(db, wereDown, up)).map(({ task }) => task);
}

/** Leaves those whose item is in one of some states. */
async function findIn<Place extends EntityPlace>(
  db: Queries,
  places: readonly Place[],
  states: readonly EntityState[],
): Promise<Place[]> {
  if (places.length === 0) return [];
  // In the order in which all lock them.
  const inOrder = [...places].sort((one, other) => (placeName(one) < placeName(other) ? -1 : 1));
  const rows = await readEntityRows(db, inOrder);
  return inOrder.filter((place) => {
    const row = rows.get(placeName(place));
    return row !== undefined && row.is_retired === 0 && states.includes(row.state);
  });
}
