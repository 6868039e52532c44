import { setImmediate as letOthersRun } from "node:timers/promises";
import { refuse } from "@holdfast/api/conventions/api-error";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { createFairSlots } from "../../../access/fair-slots";
import { type CommitCache, type CountUse, createCommitCache } from "../../../database/commit-cache";
import type { Database, DataVersions } from "../../../database/database";
import { DatabaseUnavailable } from "../../../database/errors";
import type { Log } from "../../../telemetry/log";
import { createHoldWatch } from "./hold-watch";
import { createSharedEvents, type ShareEvents } from "./shared-events";
import { type ReadChanges, readChanges } from "./task-changes";
import type { WatchLimits } from "./watch-limits";

/** State of a feed at a moment. */
export interface FeedTick {
  dataVersions: DataVersions;
  /** The newest changes, as they were read for all streams. */
  read: ReadChanges;
}

/** Who follows the changes of tasks. */
export interface Follower {
  /** Called a few times a second; without a beat while the database is away. */
  onTick(tick: FeedTick | undefined): void;
  /** Called when the service is about to stop. */
  onClose(): void;
}

/** Who holds a stream. */
export interface StreamHolders {
  /** The token or session. */
  callerId: string;
  /** The person or service, and its units without the root. */
  sharers: readonly string[];
}

/** Reads the changes of tasks once for all streams of this process. */
export interface TaskFeed {
  limits: WatchLimits;
  /**
   * Follows from now on, until the function that it gives is called. Refuses a caller who has too many streams, and one whose
   * person, service or unit has a fair share of them.
   */
  follow(caller: StreamHolders, follower: Follower): () => void;
  count(): number;
  /** Returns true if a transaction that was left open holds back the changes. */
  isHeldBack(): boolean;
  /** Ends all streams, and those that begin later at once. */
  close(): void;
  /** The ids of units with those below them, which all streams share. */
  unitsBelow: CommitCache<ReadonlySet<string>>;
  /** The events of a reading, which streams with the same filter share. */
  shareEvents: ShareEvents;
}

/** Interval between comparisons of rights, and between reads of changes, in milliseconds. */
const tickMs = 250;
const ticksPerRead = 4;
/** After so many streams, what else waits gets its turn. */
const streamsAtOnce = 50;

/** Makes a feed. It reads nothing while there is no stream. */
export function createTaskFeed(
  database: Pick<Database, "snapshot" | "dataVersions">,
  { log, limits, countUse }: { log: Log; limits: WatchLimits; countUse: CountUse },
): TaskFeed {
  const followers = new Map<Follower, string>();
  const slots = createFairSlots(limits.streams);
  const holds = createHoldWatch(log, () => performance.now());
  let isTicking = false;
  let last: ReadChanges | undefined;
  let ticks = 0;
  let isClosed = false;

  async function tick(): Promise<void> {
    const now = await look();
    for (const [index, one] of [...followers.keys()].entries()) {
      // Requests are answered between the streams.
      if (index % streamsAtOnce === streamsAtOnce - 1) await letOthersRun();
      one.onTick(now);
    }
    isTicking = followers.size > 0;
    if (isTicking) setTimeout(() => void tick(), tickMs).unref();
    else {
      last = undefined;
      holds.note(null);
    }
  }

  async function look(): Promise<FeedTick | undefined> {
    try {
      const dataVersions = await database.dataVersions();
      ticks += 1;
      if (!last || ticks % ticksPerRead === 0) {
        last = await readOn(last);
        holds.note(last.openTransaction);
      }
      return { dataVersions, read: last };
    } catch (error) {
      // A database that is away has been logged where it was noticed.
      if (!(error instanceof DatabaseUnavailable))
        log.warn("Changes of tasks could not be read.", { error: errorMessage(error) });
      return undefined;
    }
  }

  /** The first reading only finds the place. */
  function readOn(before: ReadChanges | undefined): Promise<ReadChanges> {
    return readChanges(database, before?.place);
  }

  return {
    limits,
    count: () => followers.size,
    isHeldBack: holds.isHeldBack,
    unitsBelow: createCommitCache(1_000, countUse),
    shareEvents: createSharedEvents(),
    follow({ callerId, sharers }, follower) {
      if (isClosed || followers.size >= limits.streams) {
        throw refuse("overloaded", "As many streams are open as can be served. Try again later.", {
          "Retry-After": "5",
        });
      }
      if ([...followers.values()].filter((one) => one === callerId).length >= limits.ofCaller) {
        throw refuse("rateExceeded", `Close a stream first: you may have ${limits.ofCaller}.`, { "Retry-After": "30" });
      }
      const leave = slots.take(sharers);
      if (!leave) {
        throw refuse(
          "rateExceeded",
          "You, or your organizational unit, have a fair share of all streams. Close one first, or try again later.",
          { "Retry-After": "30" },
        );
      }
      followers.set(follower, callerId);
      if (!isTicking) setTimeout(() => void tick(), tickMs).unref();
      isTicking = true;
      return () => {
        followers.delete(follower);
        leave();
      };
    },
    close() {
      isClosed = true;
      for (const one of [...followers.keys()]) one.onClose();
    },
  };
}
