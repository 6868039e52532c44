import type { Log } from "./log";

const noticed = 1_000;

/** Gives the time of a clock and logs when it has gone back: expired tokens would be alive again. */
export function watchClock(clock: () => number, log: Log): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock();
    if (now < latest - noticed) {
      log.warn("The clock has gone back.", {
        detail: `by ${Math.round((latest - now) / 1000)} s, to ${new Date(now).toISOString()}`,
      });
      latest = now;
    }
    latest = Math.max(latest, now);
    return now;
  };
}
