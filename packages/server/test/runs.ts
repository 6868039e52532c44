/** How often a property is tried. HOLDFAST_TEST_RUNS multiplies it: 10 for a long night, 0.1 while writing. */
export function runs(usual: number): { numRuns: number } {
  const factor = Number(process.env.HOLDFAST_TEST_RUNS ?? 1);
  return { numRuns: Math.max(1, Math.round(usual * factor)) };
}

/** How large a test of a fault is: what fits a usual run, or all of it in `npm run test:long`. */
export function size({ usual, long }: { usual: number; long: number }): number {
  return process.env.HOLDFAST_TEST_LONG === "1" ? long : usual;
}
