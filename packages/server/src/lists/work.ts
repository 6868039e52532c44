import { setImmediate, setTimeout } from "node:timers/promises";
import { refuse } from "@holdfast/api/conventions/api-error";

/**
 * Reading that is done in steps, none of which takes long. A reader calls `step` before each of them, so that other requests
 * have their turn in between and nothing goes on whose result is of no use.
 */
export interface Work {
  /** Aborted when nothing waits for the result any more. */
  signal: AbortSignal;
  /** True if it may take its time, beside the others. */
  isLong: boolean;
  /** Comes before each step. Throws where the work must not go on. */
  step(): Promise<void>;
}

/** Thrown if work takes more steps than quick work may make: it has to be begun again as long work. */
export class TakesLong extends Error {
  override readonly name = "TakesLong";
}

/** Milliseconds for which work keeps the thread busy before others have their turn. */
const maxTurnMs = 5;

/** Work that makes as many steps as fit into so many milliseconds of its own. */
export function quickWork(signal: AbortSignal, maxMs: number): Work {
  let spentMs = 0;
  let resumedAt = performance.now();
  return {
    signal,
    isLong: false,
    async step() {
      const turnMs = performance.now() - resumedAt;
      if (spentMs + turnMs >= maxMs) throw new TakesLong();
      if (turnMs < maxTurnMs) return;
      spentMs += turnMs;
      await setImmediate();
      resumedAt = performance.now();
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

/** Refuses what could not be found in time. */
export function tooLong() {
  return refuse(
    "queryTooLong",
    "This filter takes too long. Narrow it, for example to a shorter created_timestamp range or to exact values, and send it again.",
    { "Retry-After": "5" },
  );
}
