import { testsOnPostgres } from "./test-database";

/**
 * How often a property is tried: in a usual run, and in `npm run test:long` where that is more. HOLDFAST_TEST_RUNS
 * multiplies it: 10 for a long night, 0.1 while writing.
 */
export function runs(usual: number, long = usual): { numRuns: number } {
  const factor = Number(process.env.HOLDFAST_TEST_RUNS ?? 1);
  return { numRuns: Math.max(1, Math.round(size({ usual, long }) * factor)) };
}

/** How large a test of a fault is: what fits a usual run, or all of it in `npm run test:long`. */
export function size({ usual, long }: { usual: number; long: number }): number {
  return process.env.HOLDFAST_TEST_LONG === "1" ? long : usual;
}

/** All of what no database changes, and in a usual run on PostgreSQL so many of them: the rest was seen on SQLite. */
export function someOnPostgres<One>(count: number, all: readonly One[]): readonly One[] {
  return all.slice(0, testsOnPostgres() ? size({ usual: count, long: all.length }) : all.length);
}
