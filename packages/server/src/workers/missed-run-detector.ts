import type { ChangeOptions, Database } from "../database/database";
import { followTasks } from "../resources/follow-tasks";
import { maxUnnotedMs, noteListening, type SeenClock } from "../resources/monitors/listening";
import { type CheckPlace, lookAgain, settleMonitors } from "../resources/monitors/settle-monitors";
import { countChange } from "../resources/tasks/reports/count-reports";
import type { Recorder } from "../telemetry/registry";
import { type PeriodicWorkerParts, startPeriodicWorker, type WorkProgress } from "./periodic-worker";

export interface MissedRunDetectorParts extends PeriodicWorkerParts {
  database: Database;
  metrics: Recorder;
  clock: () => number;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic: () => number;
}

/** Notices that expected runs do not come. */
export interface MissedRunDetector {
  /** Does once what is otherwise done every second. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** Interval at which it is noted that this process listens. */
const noteIntervalMs = 10_000;
const monitorsPerTransaction = 500;

/** Starts to look after monitors: notes that this process listens, and what becomes of expected runs. */
export function startMissedRunDetector(parts: MissedRunDetectorParts): MissedRunDetector {
  const { database, log, metrics, clock, monotonic } = parts;
  let seen: { wall: number; monotonic: number } | undefined;
  let noted: { monotonic: number } | undefined;
  /** Time that the clock showed before it was set back, until that is written down. */
  let wasBackFrom: number | null = null;
  // One run at a time: each compares the clock with the one that the run before it has seen.
  const worker = startPeriodicWorker(parts, {
    name: "missed_runs",
    intervalMs: 1_000,
    maxSilenceMs: 60_000,
    failure: "Expected runs could not be looked at. What is not watched is not missed.",
    run: sweep,
  });

  /** Reads the time, and notices if the clock was set back since it was last read. */
  function lookAtClock(): number {
    const now = { wall: clock(), monotonic: monotonic() };
    const step = seen ? now.wall - seen.wall - (now.monotonic - seen.monotonic) : 0;
    if (seen && step <= -maxUnnotedMs) wasBackFrom = Math.max(wasBackFrom ?? 0, seen.wall);
    seen = now;
    return now.wall;
  }

  async function sweep(progress: WorkProgress): Promise<void> {
    const now = lookAtClock();
    const isDue = await database.snapshot((db) =>
      db.selectFrom("monitors").select("id").where("next_check_at", "<=", now).limit(1).executeTakeFirst(),
    );
    const isToNote = noted === undefined || wasBackFrom !== null || monotonic() - noted.monotonic >= noteIntervalMs;
    if (isDue) await settleAll(progress);
    else if (isToNote) await note({ kind: "maintenance" });
  }

  function seenClock(): SeenClock & { monotonic: number } {
    return { now: lookAtClock(), isFirst: noted === undefined, wasBackFrom, monotonic: monotonic() };
  }

  async function note(options: ChangeOptions): Promise<void> {
    const clockSeen = seenClock();
    await database.change(async (db) => {
      const isBack = await noteListening(db, clockSeen);
      if (isBack) await lookAgain(db, clockSeen.now);
    }, options);
    noteClock(clockSeen);
  }

  /** Once it is written down that this process listens, its clock is compared with what it showed then. */
  function noteClock(clockSeen: SeenClock & { monotonic: number }): void {
    noted = { monotonic: clockSeen.monotonic };
    if (clockSeen.wasBackFrom === wasBackFrom) wasBackFrom = null;
  }

  async function settleAll({ advanced, isStopped }: WorkProgress): Promise<void> {
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
      noteClock(clockSeen);
      for (const task of missed) {
        countChange(metrics, undefined, task);
        const monitor = monitors.get(task.record.monitor_id ?? "");
        log.warn("An expected run has not come.", { monitor: monitor?.slug, detail: monitor?.name });
      }
      advanced();
      after = next;
    } while (after && !isStopped());
  }

  return { sweep: worker.run, stop: worker.stop };
}
