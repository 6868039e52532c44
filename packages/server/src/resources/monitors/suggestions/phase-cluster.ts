/** A part of a cycle in which most runs begin. */
export interface PhaseCluster {
  /** Position in the cycle at which the first of them begins. */
  start: number;
  /** Time from there until the last of them begins. */
  spread: number;
  /** Number of runs in it. */
  count: number;
}

/** Shares of a cycle that a cluster may fill, narrow ones first: a wide one says less about when runs begin. */
const widths = [1 / 288, 1 / 24, 1 / 8, 1 / 4];

/**
 * Finds the narrowest part of a cycle in which a share of the phases lie, or the next wider one if that has all of them.
 * Undefined if they are all over the cycle.
 */
export function findCluster(phases: readonly number[], cycle: number, share: number): PhaseCluster | undefined {
  const sorted = phases.toSorted((one, other) => one - other);
  const found = widths.map((width) => densest(sorted, cycle, width * cycle));
  const narrowest = found.findIndex((one) => one && one.count >= share * phases.length);
  const wider = found[narrowest + 1];
  return wider?.count === phases.length ? wider : found[narrowest];
}

/** The part of a cycle of a given width that has the most phases, which may reach over its end. */
function densest(sorted: readonly number[], cycle: number, width: number): PhaseCluster | undefined {
  const twice = [...sorted, ...sorted.map((phase) => phase + cycle)];
  let best: PhaseCluster | undefined;
  let last = 0;
  for (const [first, start] of sorted.entries()) {
    while (last + 1 < first + sorted.length && (twice[last + 1] ?? Number.POSITIVE_INFINITY) - start <= width)
      last += 1;
    const count = last - first + 1;
    if (count > (best?.count ?? 0)) best = { start, spread: (twice[last] ?? start) - start, count };
  }
  return best;
}
