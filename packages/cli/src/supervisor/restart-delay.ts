const firstPauseMs = 250;
const maxPauseMs = 5_000;

/** Delay before a process is started again, in milliseconds, by the number of its early ends in a row. */
export function restartDelay(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(firstPauseMs * 2 ** (earlyEnds - 1), maxPauseMs);
}
