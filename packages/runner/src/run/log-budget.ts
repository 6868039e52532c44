/** Decides how much of a flood of output is kept: the service keeps no more of a log than a megabyte either. */
export interface LogBudget {
  /** Whether so many more characters are kept. */
  takes(characters: number): boolean;
}

/** Makes a budget that is full again after each interval. */
export function createLogBudget(
  characters = 512 * 1024,
  intervalMs = 5_000,
  now: () => number = () => performance.now(),
): LogBudget {
  let left = characters;
  let begunAt = now();
  return {
    takes(wanted) {
      if (now() - begunAt >= intervalMs) {
        begunAt = now();
        left = characters;
      }
      if (wanted > left) left = 0;
      else left -= wanted;
      return left > 0;
    },
  };
}
