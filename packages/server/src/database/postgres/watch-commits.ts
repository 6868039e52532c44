import type { Notify } from "../database";
import { DatabaseUnavailable } from "../errors";

/**
 * Limits the wait for a synchronous standby. While that is away, a commit waits for it without a limit and keeps its locks, so
 * that all other changes would wait as well, in every process.
 */
export interface CommitWatch {
  /** Makes a change; fails at once while commits are held up. The change calls `proceed` when it has its locks. */
  guard<Result>(change: (proceed: () => void) => Promise<Result>): Promise<Result>;
}

export interface CommitWatchOptions {
  /** Timeout of a commit that waits for a standby, in milliseconds. */
  timeoutMs: number;
  /** Asks whether a commit waits for a standby for longer than that, in whatever process. */
  areHeldUp: () => Promise<boolean>;
  notify: Notify;
}

/** Number of probes within the timeout while a change has not ended. */
const looks = 3;

/** Starts to watch over commits. */
export function watchCommits({ timeoutMs, areHeldUp, notify }: CommitWatchOptions): CommitWatch {
  const givers = new Set<() => void>();
  const pause = timeoutMs / looks;
  let isHeldUp = false;
  let isLooking = false;

  /** Finds out whether a change has not ended because commits are held up; then waits until they are not. */
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      for (; await areHeldUp(); await new Promise((resolve) => setTimeout(resolve, pause))) giveAllUp();
      if (isHeldUp) notify("info", "The database confirms commits again.", {});
    } catch {
      // A primary that is away is noticed by its pulse.
    } finally {
      isLooking = false;
      isHeldUp = false;
    }
  }

  function giveAllUp(): void {
    if (!isHeldUp) {
      notify("warn", "The database does not confirm commits, so changes are answered with 503 until it does.", {
        error: "Commits wait for a synchronous standby. Start it, or remove it from synchronous_standby_names.",
      });
    }
    isHeldUp = true;
    for (const giveUp of [...givers]) giveUp();
  }

  return {
    async guard(change) {
      if (isHeldUp) throw unconfirmed();
      let isGivenUp = false;
      return new Promise((resolve, reject) => {
        const timer = Number.isFinite(pause) ? setInterval(look, pause) : undefined;
        const giveUp = () => {
          isGivenUp = true;
          reject(unconfirmed());
        };
        givers.add(giveUp);
        // A change that was given up while it waited for its locks has no effect later.
        const proceed = () => {
          if (isGivenUp) throw unconfirmed();
        };
        change(proceed)
          .then(resolve, reject)
          .finally(() => {
            clearInterval(timer);
            givers.delete(giveUp);
          });
      });
    },
  };
}

function unconfirmed(): DatabaseUnavailable {
  return new DatabaseUnavailable("The database does not confirm changes at the moment.");
}
