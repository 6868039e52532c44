import { readDocument, type TaskRecord } from "../../src/resources/tasks/record";
import { runsOf } from "./ledger";
import { type Runner, type RunnerPlan, startRunner } from "./runner";
import type { ServiceWorld } from "./world";

/** Many runners in one process, whose tasks do not end. */
export interface Fleet {
  runner: Runner;
  /** The ids of their tasks, once all of them are acknowledged. */
  tasks: ReadonlySet<string>;
}

/** The service that a fleet reports to. */
export type FleetWorld = Pick<ServiceWorld, "folder" | "port" | "reporter" | "open"> & Pick<RunnerPlan, "certificate">;

const startTimeoutMs = 60_000;

/** Starts a fleet, and waits until each of its tasks is known to the service. A second of a lease lasts so long. */
export async function startFleet(
  world: FleetWorld,
  name: string,
  lanes: number,
  leaseSecondMs: number,
): Promise<Fleet> {
  const runner = await startRunner({
    folder: world.folder,
    name,
    choose: world.port,
    token: world.reporter,
    ...(world.certificate === undefined ? {} : { certificate: world.certificate }),
    seed: lanes,
    lanes,
    step: 60 * leaseSecondMs,
    leaseSeconds: 30,
    timeoutMs: 12 * leaseSecondMs,
    isEndless: true,
  });
  for (const deadline = performance.now() + startTimeoutMs; performance.now() < deadline; await Bun.sleep(100)) {
    const runs = [...runsOf(runner.entries()).values()];
    const isBegun = runs.filter(({ sentReports, heard }) => heard.has(sentReports[0]?.isQueued ? 2 : 1)).length;
    if (isBegun === lanes) return { runner, tasks: new Set(runs.map(({ task }) => task)) };
  }
  throw new Error(`The ${lanes} runners did not begin within ${startTimeoutMs / 1000} s.`);
}

/** State of the tasks of a fleet. */
export interface Standing {
  /** Number of tasks in each state. */
  states: Record<string, number>;
  /** Those that were taken for lost in between. */
  revived: string[];
  /** Those whose times are not in order. */
  inverted: string[];
}

/** Looks at the tasks of a fleet. */
export async function standingOf(world: FleetWorld, { tasks }: Fleet): Promise<Standing> {
  const plane = await world.open();
  const rows = await plane.database.snapshot((db) => db.selectFrom("tasks").select(["id", "document"]).execute());
  await plane.database.close();
  const records = rows.filter(({ id }) => tasks.has(id)).map(({ document }) => readDocument(document));
  const ids = (isSo: (record: TaskRecord) => boolean) => records.filter(isSo).map(({ id }) => id);
  const states: Record<string, number> = {};
  for (const { status, outcome } of records) {
    const state = outcome ?? status;
    states[state] = (states[state] ?? 0) + 1;
  }
  return {
    states,
    revived: ids(({ revised_timestamp }) => revised_timestamp !== undefined),
    inverted: ids(
      ({ created_timestamp: created, start_timestamp: start, end_timestamp: end }) =>
        created > (start ?? created) || (start ?? created) > (end ?? "9999"),
    ),
  };
}

/** Waits until all tasks of a fleet are lost, for so many milliseconds at most, and gives how long that took. */
export async function untilLost(world: FleetWorld, fleet: Fleet, longest: number): Promise<number> {
  const from = performance.now();
  for (; performance.now() - from < longest; await Bun.sleep(200)) {
    const { states } = await standingOf(world, fleet);
    if (states.lost === fleet.tasks.size) break;
  }
  return performance.now() - from;
}
