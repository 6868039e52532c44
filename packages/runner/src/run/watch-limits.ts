import type { Progress } from "../engines/engine";
import type { RunOptions } from "./run-options";

/** Watches how long a command runs, and how long it comes no further. */
export interface Limits {
  moved(progress: Progress): void;
  end(): void;
}

/** Calls `stop` once, when a limit is reached. */
export function watchLimits(
  { timeoutMs, stallMs }: Pick<RunOptions, "timeoutMs" | "stallMs">,
  stop: (reason: "timeout" | "stall") => void,
): Limits {
  const timeout = timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), timeoutMs);
  const waitForProgress = () => (stallMs === undefined ? undefined : setTimeout(() => stop("stall"), stallMs));
  let stall = waitForProgress();
  let last = "";
  return {
    moved(progress) {
      const now = JSON.stringify(progress);
      if (now === last) return;
      last = now;
      clearTimeout(stall);
      stall = waitForProgress();
    },
    end() {
      clearTimeout(timeout);
      clearTimeout(stall);
    },
  };
}
