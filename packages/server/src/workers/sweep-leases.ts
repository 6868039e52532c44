import type { Database, Queries } from "../database/database";
import { followTasks } from "../resources/follow-tasks";
import { nameMonitors } from "../resources/monitors/named-monitors";
import type { HeartbeatBatcher } from "../resources/tasks/leases/heartbeat-batcher";
import { LeaseMonitor, type LeaseVerdict } from "../resources/tasks/leases/lease-monitor";
import { listOpenLeases, noteWaited } from "../resources/tasks/leases/lease-store";
import { expireTask, loseTask, setLiveness, type TrackedTask } from "../resources/tasks/lifecycle";
import { countChange } from "../resources/tasks/reports/count-reports";
import type { LongPolls } from "../resources/tasks/reports/long-polls";
import { readGroup } from "../resources/tasks/reports/write-reports";
import { changesKept, forgetChanges } from "../resources/tasks/watch/task-changes";
import type { Recorder } from "../telemetry/registry";
import { type PeriodicWorkerParts, startPeriodicWorker, type WorkProgress } from "./periodic-worker";

export interface LeaseSweepParts extends PeriodicWorkerParts {
  database: Database;
  renewals: HeartbeatBatcher;
  held: LongPolls;
  metrics: Recorder;
  clock: () => number;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic: () => number;
  /** Length of a second of a lease, in milliseconds. */
  leaseSecondMs: number;
}

/** Ends the tasks whose runners are lost. */
export interface LeaseSweep {
  /** Does once what is otherwise done every second. */
  sweep(): Promise<void>;
  /** Ends it, and writes down the last heartbeats. */
  stop(): Promise<void>;
}

const sweepEvery = 1_000;
const lateAfter = 5_000;
const tasksPerTransaction = 500;
/** Interval at which changes that no stream can go on from any more are forgotten. */
const forgetEvery = 60_000;

/** Starts to sweep: writes heartbeats down, wakes what is to hear of an abort, and ends what is lost or has expired. */
export function startLeaseSweep(parts: LeaseSweepParts): LeaseSweep {
  const { database, renewals, held, log, metrics, clock, monotonic, leaseSecondMs } = parts;
  const isQuick = leaseSecondMs < 1_000;
  const every = isQuick ? Math.max(50, leaseSecondMs) : sweepEvery;
  const watch = new LeaseMonitor({ second: leaseSecondMs, late: isQuick ? 5 * every : lateAfter });
  let forgotAt = monotonic();
  const worker = startPeriodicWorker(parts, {
    name: "lease_sweep",
    intervalMs: every,
    maxSilenceMs: 60_000,
    failure: "Leases could not be read. Runners get more time.",
    async run(progress) {
      try {
        await sweep(progress);
      } catch (error) {
        watch.gap();
        throw error;
      }
    },
  });

  async function sweep({ isStopped }: WorkProgress): Promise<void> {
    if (!(await renewals.flush())) watch.gap();
    const leases = await database.snapshot(listOpenLeases);
    for (const { task_id, state } of leases) if (state === "aborting") held.wake(task_id);
    const verdicts = watch.observe(leases, { monotonic: monotonic(), wall: clock() });
    for (let from = 0; from < verdicts.length && !isStopped(); from += tasksPerTransaction) {
      await carryOut(verdicts.slice(from, from + tasksPerTransaction));
    }
    if (monotonic() - forgotAt > forgetEvery) {
      forgotAt = monotonic();
      await database.change((db) => forgetChanges(db, clock() - changesKept), { kind: "maintenance" });
    }
  }

  async function carryOut(verdicts: readonly LeaseVerdict[]): Promise<void> {
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
    sweep: worker.run,
    async stop() {
      await worker.stop();
      // One that is broken takes nothing any more, which is known by now.
      await renewals.flush().catch(() => {});
    },
  };
}

/** Action that was applied to a task. */
type Applied = LeaseVerdict & { before: TrackedTask; after: TrackedTask };

/** Does what is to be done, unless something was heard or done since. Gives what was. */
async function apply(db: Queries, verdicts: readonly LeaseVerdict[], now: number): Promise<Applied[]> {
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
    if (verdict.act === "flag") tracked.task = setLiveness(task, verdict.liveness);
    if (verdict.act === "note") await noteWaited(db, verdict.lease, verdict.seconds);
    applied.push({ ...verdict, before: task, after: tracked.task ?? task });
  }
  await group.save(now);
  return applied;
}
