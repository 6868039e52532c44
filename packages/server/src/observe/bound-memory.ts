/** What is asked of the runtime. */
export interface ProcessMemory {
  /** How much memory the process takes, in bytes. */
  resident(): number;
  /** Gives back what is not in use. */
  collect(): void;
  /** Milliseconds that no step of the wall clock changes. */
  now(): number;
}

const runtime: ProcessMemory = {
  resident: () => process.memoryUsage.rss(),
  collect: () => Bun.gc(true),
  now: () => performance.now(),
};

/** A service with a million tasks needs less than this under load. */
const limit = 115 * 1_048_576;
const checkedEvery = 1_000;
/** Requests wait while garbage is collected, about 45 ms. In no more than a hundredth of the time, 99 of 100 do not notice. */
const restAfter = 100;

/**
 * Collects garbage when the process has grown beyond what it needs. The runtime by itself lets it grow to a multiple of what is in
 * use, and gives little of that back.
 */
export function boundMemory({ resident, collect, now } = runtime, every = checkedEvery): { stop(): void } {
  let restsUntil = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const begunAt = now();
    if (begunAt < restsUntil || resident() <= limit) return;
    collect();
    const endedAt = now();
    restsUntil = endedAt + restAfter * (endedAt - begunAt);
  }, every);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
