import { setImmediate, setTimeout } from "node:timers/promises";
import { refuse } from "@holdfast/api/conventions/api-error";

/**
 * Reading that is done in steps, none of which takes long. What reads calls `step` before each of them, and so never keeps
 * other requests waiting, nor goes on when its result is of no use.
 */
export interface Work {
  /** Aborted when nothing waits for the result any more. */
  signal: AbortSignal;
  /** Whether it may take its time, beside the others. */
  isLong: boolean;
  /** Comes before each step. Throws where the work must not go on. */
  step(): Promise<void>;
}

/** Thrown where work takes more steps than can be made while others wait: it has to be begun again as long work. */
export class TakesLong extends Error {
  override readonly name = "TakesLong";
}

/** Work that others wait for. It makes as many steps as fit into so many milliseconds. */
export function quickWork(signal: AbortSignal, time: number): Work {
  const startedAt = performance.now();
  return {
    signal,
    isLong: false,
    async step() {
      if (performance.now() - startedAt >= time) throw new TakesLong();
    },
  };
}

/** Pauses of one work in all, in milliseconds. They do not count towards its deadline, and a connection may be silent for 10 s. */
const maxPauseMs = 4_000;
/** A pause after a step, as a multiple of what the step took: others find the thread idle for two thirds of the time. */
const pausePerStep = 2;

/**
 * Work beside the others, until the deadline on the monotonic clock. Before each step all others have their turn. While its
 * caller has to yield to others, it pauses between steps.
 */
export function longWork(signal: AbortSignal, deadline: number, mustYield: () => boolean = () => false): Work {
  let paused = 0;
  let resumedAt = performance.now();
  return {
    signal,
    isLong: true,
    async step() {
      const pause = Math.min(pausePerStep * (performance.now() - resumedAt), maxPauseMs - paused);
      if (pause >= 1 && mustYield()) {
        const startedAt = performance.now();
        await setTimeout(pause);
        paused += performance.now() - startedAt;
      } else {
        await setImmediate();
      }
      resumedAt = performance.now();
      signal.throwIfAborted();
      if (resumedAt > deadline + paused) throw tooLong();
    },
  };
}

/** The same work, for a result that others may wait for as well. */
export function sharedWork(work: Work, signal: AbortSignal): Work {
  return {
    signal,
    isLong: work.isLong,
    async step() {
      await work.step();
      signal.throwIfAborted();
    },
  };
}

/** Refuses what could not be found in time. */
export function tooLong() {
  return refuse(
    "queryTooLong",
    "This filter takes too long. Narrow it, for example to a shorter created_timestamp range or to exact values, and send it again.",
    { "Retry-After": "5" },
  );
}
