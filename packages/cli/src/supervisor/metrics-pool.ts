import type { MetricsSnapshot } from "@holdfast/server/observe/metrics-snapshot";
import { addUp } from "@holdfast/server/observe/registry";
import type { ChildMetrics } from "./child";

/** The metrics of one process, which end with it. */
export interface PooledMetrics extends ChildMetrics {
  /** Counts what the process has done as done by one that has ended. */
  end(): void;
}

/**
 * Keeps the last metrics of each process. Nothing that was ever shown is forgotten: a process that asks sends its own
 * metrics along, so what the next one adds up is never less.
 */
export function createMetricsPool(): (number: number) => PooledMetrics {
  const snapshots = new Map<number, MetricsSnapshot>();
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);
  return (number) => {
    let hasEnded = false;
    return {
      note(snapshot) {
        // Its last words may arrive after its end, when they have been counted as far as they are known.
        if (!hasEnded) snapshots.set(number, snapshot);
      },
      async gather() {
        const others = [...snapshots].filter(([other]) => other !== number).map(([, snapshot]) => snapshot);
        return addUp([await ended, ...others]);
      },
      end() {
        hasEnded = true;
        const done = (snapshots.get(number) ?? []).filter(({ type }) => type !== "gauge");
        snapshots.delete(number);
        ended = ended.then((sum) => addUp([sum, done]));
      },
    };
  };
}
