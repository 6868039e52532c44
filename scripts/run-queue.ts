/** What stands in the queue. */
export interface Queued {
  /** Whether nothing else may run meanwhile. */
  isAlone: boolean;
  /** Whether it leaves the processor to others for nearly all of its time. */
  mostlyWaits: boolean;
  /** About how long it takes. */
  seconds: number;
}

/**
 * Runs everything, the longest first, so that no worker waits long for the last of them, and then one by one what runs
 * alone. What mostly waits has workers of its own.
 */
export async function runQueue<Job extends Queued, Result>(
  jobs: readonly Job[],
  { workers, waiters, run }: { workers: number; waiters: number; run: (job: Job) => Promise<Result> },
): Promise<Result[]> {
  const longestFirst = jobs.toSorted((a, b) => b.seconds - a.seconds);
  const results: Result[] = [];
  const work = async (queue: Job[]) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) results.push(await run(job));
  };
  const shared = longestFirst.filter(({ isAlone }) => !isAlone);
  const busy = shared.filter(({ mostlyWaits }) => !mostlyWaits);
  const waiting = shared.filter(({ mostlyWaits }) => mostlyWaits);
  await Promise.all([
    ...Array.from({ length: workers }, () => work(busy)),
    ...Array.from({ length: waiters }, () => work(waiting)),
  ]);
  await work(longestFirst.filter(({ isAlone }) => isAlone));
  return results;
}
