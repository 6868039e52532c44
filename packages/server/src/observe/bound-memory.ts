/** What is asked of the runtime: how much memory the process takes, in bytes, and to give back what is not in use. */
export interface ProcessMemory {
  resident(): number;
  collect(): void;
}

const runtime: ProcessMemory = { resident: () => process.memoryUsage.rss(), collect: () => Bun.gc(true) };

/** A service with a million tasks needs less than this under load. */
const usualLimit = 130 * 1_048_576;
/** What a process may grow by when more than that is in use, before it is worth looking for garbage again. */
const growth = 1.05;
/** A collection holds requests up for about 45 ms. So seldom, 99 of 100 do not notice. */
const checkedEvery = 5_000;

/**
 * Collects garbage when the process has grown beyond what it needs. The runtime by itself lets it grow to three times what is in
 * use, and gives little of that back.
 */
export function boundMemory({ resident, collect } = runtime, every = checkedEvery): { stop(): void } {
  let limit = usualLimit;
  const timer = setInterval(() => {
    if (resident() <= limit) return;
    collect();
    limit = Math.max(usualLimit, resident() * growth);
  }, every);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
