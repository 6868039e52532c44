import type { Progress } from "../engines/engine";
import type { RunOptions } from "./run-options";

/** Watches how long a command runs, and how long it comes no further. */
export interface Limits {
  moved(progress: Progress): void;
  /** The command has written something, which counts where it shows no progress. */
  heard(): void;
  end(): void;
}

/** Calls `stop` once, when a limit is reached. */
export function watchLimits(
  { timeoutMs, stallMs }: Pick<RunOptions, "timeoutMs" | "stallMs">,
  stop: (reason: "timeout" | "stall") => void,
): Limits {
  const timeout = startTimer(timeoutMs, () => stop("timeout"));
  const waitForProgress = () => startTimer(stallMs, () => stop("stall"));
  let stall = waitForProgress();
  let last = "";
  const restart = () => {
    stall?.end();
    stall = waitForProgress();
  };
  return {
    heard() {
      if (last === "" && stall !== undefined) restart();
    },
    moved(progress) {
      const now = JSON.stringify(progress);
      if (now === last) return;
      last = now;
      restart();
    },
    end() {
      timeout?.end();
      stall?.end();
    },
  };
}

/** A timer of the runtime that is set for longer fires at once. */
const maxTimerMs = 2_000_000_000;

function startTimer(milliseconds: number | undefined, act: () => void): { end(): void } | undefined {
  if (milliseconds === undefined) return undefined;
  let timer: ReturnType<typeof setTimeout>;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > maxTimerMs ? wait(left - maxTimerMs) : act()), Math.min(left, maxTimerMs));
  };
  wait(milliseconds);
  return { end: () => clearTimeout(timer) };
}
