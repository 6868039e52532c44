import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database, Queries } from "../database/database";
import { DatabaseAway, DatabaseBroken } from "../database/errors";
import type { Log } from "../observe/log";
import type { Recorder } from "../observe/registry";
import type { WorkerHealth } from "../observe/worker-health";
import { followTasks } from "../resources/follow-tasks";
import { nameMonitors } from "../resources/monitors/named-monitors";
import { listOpenLeases, noteWaited } from "../resources/tasks/leases/lease-store";
import { LeaseWatch, type Verdict } from "../resources/tasks/leases/lease-watch";
import type { Renewals } from "../resources/tasks/leases/renewals";
import { expireTask, loseTask, setLiveness, type TrackedTask } from "../resources/tasks/lifecycle";
import { countChange } from "../resources/tasks/reports/count-reports";
import type { HeldReports } from "../resources/tasks/reports/held-reports";
import { readGroup } from "../resources/tasks/reports/write-reports";
import { changesKept, forgetChanges } from "../resources/tasks/watch/task-changes";

export interface LeaseSweepParts {
  database: Database;
  renewals: Renewals;
  held: HeldReports;
  log: Log;
  metrics: Recorder;
  workers: WorkerHealth;
  clock: () => number;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic: () => number;
  /** How long a second of a lease lasts, in milliseconds. */
  leaseSecond: number;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

/** What ends the tasks whose runners are lost. */
export interface LeaseSweep {
  /** Does once what is otherwise done every second. */
  sweep(): Promise<void>;
  /** Ends it, and writes down the last heartbeats. */
  stop(): Promise<void>;
}

const sweepEvery = 1_000;
const lateAfter = 5_000;
/** After so long without a sweep, in milliseconds, it stands still. */
const longestSilence = 60_000;
const tasksPerTransaction = 500;
/** How often changes that no stream can go on from any more are forgotten. */
const forgetEvery = 60_000;

/** Starts to sweep: writes heartbeats down, wakes what is to hear of an abort, and ends what is lost or has expired. */
export function startLeaseSweep(parts: LeaseSweepParts): LeaseSweep {
  const { database, renewals, held, log, metrics, workers, clock, monotonic, leaseSecond, onBroken } = parts;
  const isQuick = leaseSecond < 1_000;
  const every = isQuick ? Math.max(50, leaseSecond) : sweepEvery;
  const watch = new LeaseWatch({ second: leaseSecond, late: isQuick ? 5 * every : lateAfter });
  const worker = workers.begin("lease_sweep", longestSilence);
  let isStopped = false;
  let hasFailed = false;
  let forgotAt = monotonic();
  let running = Promise.resolve();
  let timer = setTimeout(begin, every).unref();

  function begin(): void {
    running = sweep().then(() => {
      if (!isStopped) timer = setTimeout(begin, every).unref();
    });
  }

  async function sweep(): Promise<void> {
    try {
      if (!(await renewals.flush())) watch.gap();
      const leases = await database.snapshot(listOpenLeases);
      for (const { task_id, state } of leases) if (state === "aborting") held.wake(task_id);
      const verdicts = watch.observe(leases, { monotonic: monotonic(), wall: clock() });
      for (let from = 0; from < verdicts.length && !isStopped; from += tasksPerTransaction) {
        await carryOut(verdicts.slice(from, from + tasksPerTransaction));
      }
      if (monotonic() - forgotAt > forgetEvery) {
        forgotAt = monotonic();
        await database.change((db) => forgetChanges(db, clock() - changesKept), { concurrent: true });
      }
      hasFailed = false;
      worker.ran();
    } catch (error) {
      watch.gap();
      if (error instanceof DatabaseBroken) onBroken(error);
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseAway)) {
        log.warn("Leases could not be read. Runners get more time.", { error: errorMessage(error) });
      }
      hasFailed = true;
      if (error instanceof DatabaseAway) worker.ran();
    }
  }

  async function carryOut(verdicts: readonly Verdict[]): Promise<void> {
    const { applied, monitors } = await database.change(async (db) => {
      const done = await apply(db, verdicts, clock());
      const ended = done.filter(({ act }) => act === "lose" || act === "expire");
      const ids = ended.map(({ after }) => after.record.monitor_id);
      return { applied: done, monitors: await nameMonitors(db, ids) };
    });
    for (const { act, lease, before, after } of applied) {
      countChange(metrics, before, after);
      const monitor = monitors.get(after.record.monitor_id ?? "")?.slug;
      const fields = { monitor, detail: lease.task_id };
      if (act === "lose") log.warn("A task was lost: nothing was heard of its runner.", fields);
      if (act === "expire") log.warn("A queued task has expired: no runner claimed it.", fields);
    }
  }

  return {
    sweep,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      worker.stop();
      // One that is broken takes nothing any more, which is known by now.
      await renewals.flush().catch(() => {});
    },
  };
}

/** What was done about a task. */
type Applied = Verdict & { before: TrackedTask; after: TrackedTask };

/** Does what is to be done, unless something was heard or done since. Gives what was. */
async function apply(db: Queries, verdicts: readonly Verdict[], now: number): Promise<Applied[]> {
  const group = await readGroup(
    db,
    verdicts.map(({ lease }) => lease.task_id),
    [],
    followTasks,
  );
  const applied: Applied[] = [];
  for (const verdict of verdicts) {
    const tracked = group.get(verdict.lease.task_id);
    const { task } = tracked;
    const { attempt, renewals, state } = verdict.lease;
    const isSame = task?.lease?.attempt === attempt && task.lease.renewals === renewals && task.lease.state === state;
    if (!task || !isSame) continue;
    if (verdict.act === "lose") tracked.task = loseTask(task, now);
    if (verdict.act === "expire") tracked.task = expireTask(task, now);
    if (verdict.act === "worry") tracked.task = setLiveness(task, verdict.liveness);
    if (verdict.act === "note") await noteWaited(db, verdict.lease, verdict.seconds);
    applied.push({ ...verdict, before: task, after: tracked.task ?? task });
  }
  await group.save(now);
  return applied;
}
