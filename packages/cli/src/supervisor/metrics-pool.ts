import type { MetricsSnapshot } from "@holdfast/server/telemetry/metrics-snapshot";
import { addUp } from "@holdfast/server/telemetry/registry";
import type { ChildMetrics } from "./child";

/** The metrics of one process, which end with it. */
export interface PooledMetrics extends ChildMetrics {
  /** Counts what the process has done as done by one that has ended. */
  end(): void;
}

/** Longest wait for the metrics of a process, in milliseconds. After that its last ones count. */
const maxWaitMs = 1_000;

interface Pooled {
  last: MetricsSnapshot;
  /** Asks for newer metrics; undefined before it answers requests. */
  ask: (() => void) | undefined;
  /** Called when newer metrics have come, or none will come any more. */
  waiting: (() => void)[];
}

/**
 * Keeps the last metrics of each process, and asks for newer ones when another process is asked for those of all. Nothing that was
 * ever shown is forgotten: a process that asks sends its own metrics along, so what the next one adds up is never less.
 */
export function createMetricsPool(waitMs = maxWaitMs): (number: number) => PooledMetrics {
  const processes = new Map<number, Pooled>();
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);

  function release({ waiting }: Pooled): void {
    for (const resolve of waiting.splice(0)) resolve();
  }

  function renew(pooled: Pooled): Promise<void> {
    const { ask, waiting } = pooled;
    if (!ask) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
      ask();
    });
  }

  return (number) => {
    const own: Pooled = { last: [], ask: undefined, waiting: [] };
    processes.set(number, own);
    return {
      begin(ask) {
        own.ask = ask;
      },
      note(snapshot) {
        // The last words of a process may arrive after its end, when they have been counted as far as they are known.
        if (processes.get(number) === own) own.last = snapshot;
        release(own);
      },
      async collect() {
        await Promise.all([...processes.values()].filter((other) => other !== own).map(renew));
        const others = [...processes.values()].filter((other) => other !== own).map(({ last }) => last);
        return addUp([await ended, ...others]);
      },
      end() {
        const done = own.last.filter(({ type }) => type !== "gauge");
        if (processes.get(number) === own) processes.delete(number);
        own.ask = undefined;
        release(own);
        ended = ended.then((sum) => addUp([sum, done]));
      },
    };
  };
}
