const firstPause = 250;
const longestPause = 5_000;

/** How many milliseconds to wait before a process is started again that ended early this often in a row before. */
export function restartPause(earlyEnds: number): number {
  return earlyEnds === 0 ? 0 : Math.min(firstPause * 2 ** (earlyEnds - 1), longestPause);
}
