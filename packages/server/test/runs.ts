/** How often a property is tried. HOLDFAST_TEST_RUNS multiplies it: 10 for a long night, 0.1 while writing. */
export function runs(usual: number): { numRuns: number } {
  const factor = Number(process.env.HOLDFAST_TEST_RUNS ?? 1);
  return { numRuns: Math.max(1, Math.round(usual * factor)) };
}
