import { test } from "bun:test";
import { testsOnPostgres } from "./test-database";

/**
 * Number of tries of a property: in a default run and in `npm run test:long` where that is more. HOLDFAST_TEST_RUNS
 * multiplies it: 10 for a long night, 0.1 while writing.
 */
export function runs(inDefaultRun: number, long = inDefaultRun): { numRuns: number } {
  const factor = Number(process.env.HOLDFAST_TEST_RUNS ?? 1);
  return { numRuns: Math.max(1, Math.round(size({ default: inDefaultRun, long }) * factor)) };
}

/** Size of a test of a fault: what fits a default run, or all of it in `npm run test:long`. */
export function size({ default: inDefaultRun, long }: { default: number; long: number }): number {
  return isLong() ? long : inDefaultRun;
}

function isLong(): boolean {
  return process.env.HOLDFAST_TEST_LONG === "1";
}

/** All of what no database changes, and in a default run on PostgreSQL so many of them: the rest was seen on SQLite. */
export function someOnPostgres<One>(count: number, all: readonly One[]): readonly One[] {
  return testsOnPostgres() ? firstOf(count, all) : all;
}

/** The first so many of them in a default run, and all in `npm run test:long`. */
export function firstOf<One>(count: number, all: readonly One[]): readonly One[] {
  return all.slice(0, size({ default: count, long: all.length }));
}

/** In a default run one of them, which may be another one on PostgreSQL; in `npm run test:long` all. */
export function oneOf<One>(
  all: readonly One[],
  inDefaultRun: Record<"sqlite" | "postgres", NoInfer<One>>,
): readonly One[] {
  return isLong() ? all : [testsOnPostgres() ? inDefaultRun.postgres : inDefaultRun.sqlite];
}

/**
 * Maximum time in milliseconds for something that is promised to be quick. A default run has other jobs beside it, perhaps on a
 * slow machine, so it allows for ten times as much: only what hangs takes longer. `npm run test:long` and a file that is run by
 * itself hold it to its word.
 */
export function timeLimit(promised: number): number {
  return process.env.HOLDFAST_TEST_DEFAULT === "1" ? 10 * promised : promised;
}

type Define = (name: string, steps: () => void | Promise<void>, timeout?: number) => void;

/** Tests that the default run leaves out. `npm run test:long` has it, and so has a file that is run by itself. */
const beyondDefaultRun: Define = process.env.HOLDFAST_TEST_DEFAULT === "1" ? () => {} : test;

/** A control: with a fault put in, the steps of another test find it, so that test can fail. */
export const control: Define = beyondDefaultRun;

/** A further way to break a promise that another test of the file breaks in one way. */
export const variation: Define = beyondDefaultRun;
