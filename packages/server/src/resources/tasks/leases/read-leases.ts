import { unitAndAbove } from "../../../access/unit-paths";
import { type CountUse, createCommitCache } from "../../../database/commit-cache";
import type { Database } from "../../../database/database";
import { canBeStored } from "../../../lists/comparisons";
import type { Reporter } from "../lifecycle";
import { type HeartbeatLease, isOpen } from "./lease";
import { findHeartbeatLeases } from "./lease-store";

/** Who sends a heartbeat for which task, from which unit. */
export interface Heartbeat {
  taskId: string;
  unitId: string;
  reporter: Reporter;
  attempt: number | undefined;
}

/**
 * Finds the lease that a heartbeat renews. Gives nothing where a heartbeat is more than that: where it is refused, revives
 * the task, or ends its silence.
 */
export type FindRenewable = (heartbeat: Heartbeat) => Promise<HeartbeatLease | undefined>;

/** Minimum interval between lookups, in milliseconds: heartbeats that come close together are looked up together. */
const betweenLookups = 5;

/** Makes it for a database. Heartbeats that come together are looked up together. */
export function createRenewableLeases(
  database: Pick<Database, "snapshot" | "dataVersions">,
  countUse: CountUse,
): FindRenewable {
  const paths = createCommitCache<readonly string[]>(10_000, countUse);
  let wanted: { ids: Set<string>; found: Promise<Map<string, HeartbeatLease>> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let lastBegun = 0;

  async function find(ids: ReadonlySet<string>): Promise<Map<string, HeartbeatLease>> {
    return database.snapshot((db) => findHeartbeatLeases(db, [...ids]));
  }

  /** Requests that come during a lookup are looked up next, all of it at once. */
  function findNext(taskId: string): Promise<Map<string, HeartbeatLease>> {
    if (!wanted) {
      const ids = new Set<string>();
      const begin = async () => {
        const early = lastBegun + betweenLookups - performance.now();
        // All that have come in this turn of the event loop are looked up together, in any case.
        await new Promise<void>((resolve) => (early > 0 ? setTimeout(resolve, early) : setImmediate(resolve)));
        lastBegun = performance.now();
        wanted = undefined;
        return find(ids);
      };
      const found = running.then(begin, begin);
      running = found;
      wanted = { ids, found };
    }
    wanted.ids.add(taskId);
    return wanted.found;
  }

  async function covers(unitId: string, taskUnitId: string): Promise<boolean> {
    if (unitId === taskUnitId) return true;
    const { access } = await database.dataVersions();
    const path = await paths.getOrLoad(access, taskUnitId, () =>
      database.snapshot((db) => unitAndAbove(db, taskUnitId)),
    );
    return path.includes(unitId);
  }

  return async ({ taskId, unitId, reporter, attempt }) => {
    const lease = canBeStored(taskId) ? (await findNext(taskId)).get(taskId) : undefined;
    if (!lease || !isOpen(lease) || lease.holder !== reporter.holder || lease.liveness === "silent") return undefined;
    if (attempt !== undefined && attempt !== lease.attempt) return undefined;
    return (await covers(unitId, lease.organizational_unit_id)) ? lease : undefined;
  };
}
