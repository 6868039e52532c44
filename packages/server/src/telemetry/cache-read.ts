/** Interval and timeout of a reading, in milliseconds. */
export interface CacheTimes {
  every: number;
  timeoutMs: number;
}

/**
 * Lets many who ask share what was read a moment ago, and one reading where it is too old. Gives nothing where reading
 * fails or takes too long; what comes late is for the next who asks.
 */
export function cacheRead<Result>(
  read: () => Promise<Result>,
  { every, timeoutMs }: CacheTimes,
): () => Promise<Result | undefined> {
  let last: { result: Result; at: number } | undefined;
  let underWay: Promise<Result | undefined> | undefined;

  async function readNow(): Promise<Result | undefined> {
    const at = performance.now();
    try {
      last = { result: await read(), at };
      return last.result;
    } catch {
      return undefined;
    } finally {
      underWay = undefined;
    }
  }

  return () => {
    if (last && performance.now() - last.at < every) return Promise.resolve(last.result);
    underWay ??= readNow();
    return Promise.race([underWay, waitFor(timeoutMs)]);
  };
}

function waitFor(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());
}
