/** How long the requests of one turn of the event loop may take together, in milliseconds: those behind them wait as long. */
const longestTurn = 100;
/** So many requests in a turn are a crowd. Fewer are a slow answer, and refusing the next would not make that quicker. */
const crowd = 128;
/** What they may take while there are too many: then no client waits long, for an answer or for a refusal. */
const turnInCrowd = 3;
/** So many of a turn are answered also then. */
const leastInCrowd = 4;
/** With more than this in a turn it is still a crowd: a few clients that go on asking are none. */
const mostOfFew = 8;
/** How long nothing has to have been refused until the crowd is gone, in milliseconds. */
const calm = 300;

/** What is asked of the runtime: the time, and when all requests that have come were begun. */
export interface Loop {
  now(): number;
  afterTurn(work: () => void): void;
}

const runtime: Loop = { now: () => performance.now(), afterTurn: (work) => void setImmediate(work) };

/**
 * Says of each request that begins whether there are more than can be answered. One thread answers them one after the
 * other, and the runtime does not say how many wait: the time that those before it took is what it has waited at least.
 */
export function createLoopTurns({ now, afterTurn }: Loop = runtime): () => boolean {
  let begunAt = 0;
  let begun = 0;
  let crowdedUntil = 0;
  return () => {
    const at = now();
    if (begun === 0) {
      begunAt = at;
      afterTurn(() => {
        begun = 0;
      });
    }
    begun += 1;
    const isCrowded = at < crowdedUntil;
    const [longest, least] = isCrowded ? [turnInCrowd, leastInCrowd] : [longestTurn, crowd];
    const isTooMany = at - begunAt > longest && begun > least;
    if (isTooMany && begun > mostOfFew) crowdedUntil = at + calm;
    return isTooMany;
  };
}
