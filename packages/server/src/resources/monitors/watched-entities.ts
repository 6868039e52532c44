import type { Queries } from "../../database/database";
import { followMonitors } from "../../database/protection/watchers";
import type { Monitor } from "./state";

/** A monitor, as far as it decides which protected entities are watched. */
export type WatchingMonitor = Pick<
  Monitor,
  "id" | "organizational_unit_id" | "slug" | "operation" | "primary_entity" | "schedule" | "state"
>;

/** A monitor that is made, changed or removed. */
export interface WatchChange {
  before: WatchingMonitor | null;
  after: WatchingMonitor | null;
}

/** Brings protected entities up to date with the monitors that watch them, in the transaction that changes these. */
export async function followWatching(db: Queries, changes: readonly WatchChange[]): Promise<void> {
  const relevant = changes.filter(({ before, after }) => watchingOf(before) !== watchingOf(after));
  if (relevant.length === 0) return;
  await followMonitors(
    db,
    relevant.map(({ before, after }) => ({
      id: (after ?? before)?.id ?? "",
      before: before && placeOf(before),
      after: after && placeOf(after),
    })),
  );
}

function placeOf({ organizational_unit_id, primary_entity }: WatchingMonitor) {
  return { unitId: organizational_unit_id, entity: JSON.parse(primary_entity) };
}

function watchingOf(monitor: WatchingMonitor | null): string {
  if (!monitor) return "";
  const { organizational_unit_id, slug, operation, primary_entity, schedule, state } = monitor;
  return JSON.stringify([organizational_unit_id, slug, operation, primary_entity, schedule, state === "paused"]);
}
