import { addSeries, type MetricsSnapshot, type Series } from "@holdfast/server/observe/metrics-snapshot";
import type { ChildMetrics } from "./child";

/** The figures of one process, which end with it. */
export interface PooledMetrics extends ChildMetrics {
  /** Counts what the process has done as done by one that has ended. */
  end(): void;
}

/**
 * Keeps the last figures of each process. Nothing that was ever shown is forgotten: a process that asks sends its own
 * figures along, so what the next one adds up is never less.
 */
export function createMetricsPool(): (number: number) => PooledMetrics {
  const snapshots = new Map<number, MetricsSnapshot>();
  let ended: Series[] = [];
  return (number) => {
    let hasEnded = false;
    return {
      note(snapshot) {
        // Its last words may arrive after its end, when they have been counted as far as they are known.
        if (!hasEnded) snapshots.set(number, snapshot);
      },
      gather: () => ({
        number,
        others: [...snapshots]
          .filter(([other]) => other !== number)
          .map(([other, snapshot]) => ({ number: other, snapshot })),
        ended,
      }),
      end() {
        hasEnded = true;
        ended = addSeries([...ended, ...(snapshots.get(number)?.done ?? [])]);
        snapshots.delete(number);
      },
    };
  };
}
