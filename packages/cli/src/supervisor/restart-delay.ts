const firstPause = 250;
const longestPause = 5_000;

/** Delay before a process is started again, in milliseconds, by the number of its early ends in a row. */
export function restartPause(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(firstPause * 2 ** (earlyEnds - 1), longestPause);
}
