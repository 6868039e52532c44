import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { DatabaseAway, DatabaseBroken } from "../database/errors";
import type { Log } from "../observe/log";
import type { Recorder } from "../observe/registry";
import type { WorkerHealth } from "../observe/worker-health";
import { followTasks } from "../resources/follow-tasks";
import { longestUnnoted, noteListening, type SeenClock } from "../resources/monitors/listening";
import { type CheckPlace, lookAgain, settleMonitors } from "../resources/monitors/settle-monitors";
import { countChange } from "../resources/tasks/reports/count-reports";

export interface ExpectRunsParts {
  database: Database;
  log: Log;
  metrics: Recorder;
  workers: WorkerHealth;
  clock: () => number;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic: () => number;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

/** What notices that expected runs do not come. */
export interface ExpectedRuns {
  /** Does once what is otherwise done every second. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

const sweepEvery = 1_000;
/** After so long without a sweep, in milliseconds, it stands still. */
const longestSilence = 60_000;
/** How often it is noted that this process listens, in milliseconds. */
const noteEvery = 10_000;
const monitorsPerTransaction = 500;

/** Starts to look after monitors: notes that this process listens, and what becomes of expected runs. */
export function startExpectingRuns(parts: ExpectRunsParts): ExpectedRuns {
  const { database, log, metrics, workers, clock, monotonic, onBroken } = parts;
  const worker = workers.begin("expected_runs", longestSilence);
  let seen: { wall: number; monotonic: number } | undefined;
  let noted: { monotonic: number } | undefined;
  /** What the clock showed before it was set back, until that is written down. */
  let wasBackFrom: number | null = null;
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, sweepEvery).unref();

  function begin(): void {
    void sweep().then(() => {
      if (!isStopped) timer = setTimeout(begin, sweepEvery).unref();
    });
  }

  /** One after the other: each compares the clock with what the one before it has seen. */
  function sweep(): Promise<void> {
    running = running.then(sweepOnce);
    return running;
  }

  /** The time, and whether the clock was set back since it was last looked at. */
  function lookAtClock(): number {
    const now = { wall: clock(), monotonic: monotonic() };
    const step = seen ? now.wall - seen.wall - (now.monotonic - seen.monotonic) : 0;
    if (seen && step <= -longestUnnoted) wasBackFrom = Math.max(wasBackFrom ?? 0, seen.wall);
    seen = now;
    return now.wall;
  }

  async function sweepOnce(): Promise<void> {
    try {
      const now = lookAtClock();
      const isDue = await database.snapshot((db) =>
        db.selectFrom("monitors").select("id").where("next_check_at", "<=", now).limit(1).executeTakeFirst(),
      );
      const isToNote = noted === undefined || wasBackFrom !== null || monotonic() - noted.monotonic >= noteEvery;
      if (isDue) await settleAll();
      else if (isToNote) await note({ concurrent: true });
      hasFailed = false;
      worker.ran();
    } catch (error) {
      if (error instanceof DatabaseBroken) onBroken(error);
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseAway)) {
        log.warn("Expected runs could not be looked at. What is not watched is not missed.", {
          error: errorMessage(error),
        });
      }
      hasFailed = true;
      if (error instanceof DatabaseAway) worker.ran();
    }
  }

  function seenClock(): SeenClock {
    return { now: lookAtClock(), isFirst: noted === undefined, wasBackFrom };
  }

  async function note(options: { concurrent: boolean }): Promise<void> {
    const clockSeen = seenClock();
    await database.change(async (db) => {
      const isBack = await noteListening(db, clockSeen);
      if (isBack) await lookAgain(db, clockSeen.now);
    }, options);
    remember(clockSeen);
  }

  /** Once it is written down that this process listens, its clock is compared with what it showed then. */
  function remember(clockSeen: SeenClock): void {
    noted = { monotonic: monotonic() };
    if (clockSeen.wasBackFrom === wasBackFrom) wasBackFrom = null;
  }

  async function settleAll(): Promise<void> {
    let after: CheckPlace | undefined;
    do {
      const clockSeen = seenClock();
      const { now } = clockSeen;
      const { next, missed, monitors } = await database.change(async (db) => {
        // Noted in the same transaction: what is judged was watched until now, or is known not to have been.
        const isBack = await noteListening(db, clockSeen);
        if (isBack) await lookAgain(db, now);
        return settleMonitors(db, { now, after, count: monitorsPerTransaction, follow: followTasks });
      });
      remember(clockSeen);
      for (const task of missed) {
        countChange(metrics, undefined, task);
        const monitor = monitors.get(task.record.monitor_id ?? "");
        log.warn("An expected run has not come.", { monitor: monitor?.slug, detail: monitor?.name });
      }
      worker.ran();
      after = next;
    } while (after && !isStopped);
  }

  return {
    sweep,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      worker.stop();
    },
  };
}
