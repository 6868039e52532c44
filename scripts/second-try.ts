import type { Tally } from "./test-report";

/** What became of a job, as far as a second try needs it. */
export interface Tried {
  tally: Tally;
  /** What failed, each with what it said. */
  failed: string[];
  /** Runs the files in which tests failed once more. What ended in another way has no second try. */
  again?: (() => Promise<Tried>) | undefined;
}

/** More are no accident. */
const mostJobs = 3;

/**
 * Runs alone, once more, what failed beside other jobs: a machine that is busy with others can be too slow for a limit.
 * What passes then has passed, and its name and what it said are returned to be shown: it is a fault of the test or of the
 * service all the same. Where many have failed nothing is tried again.
 */
export async function tryAgain<Result extends Tried>(
  results: readonly Result[],
): Promise<{ results: Tried[]; unsteady: string[] }> {
  const failing = results.filter(({ failed }) => failed.length > 0);
  if (failing.length > mostJobs) return { results: [...results], unsteady: [] };
  const settled: Tried[] = results.filter(({ failed }) => failed.length === 0);
  const unsteady: string[] = [];
  for (const first of failing) {
    const second = await first.again?.();
    if (second?.failed.length === 0) {
      const { passed, failed, skipped } = first.tally;
      settled.push({ tally: { passed: passed + failed, failed: 0, skipped }, failed: [] });
      unsteady.push(...first.failed);
    } else settled.push(first);
  }
  return { results: settled, unsteady };
}
