import type { RawSettings } from "../../src/settings/settings";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { type Answered, type Ask, openPlane, type Plane } from "../harness";

/** A plane to which runners report, with a sweep whose monotonic clock the test moves. */
export interface ReportingPlane extends Plane {
  /** The token of a runner: it may report, and nothing else. */
  runner: string;
  create(body: object, ask?: Ask): Promise<Answered>;
  update(id: string, body: object, ask?: Ask): Promise<Answered>;
  batch(reports: readonly object[], ask?: Ask): Promise<Answered>;
  read(id: string): Promise<Answered>;
  /** Lets so many seconds pass, one sweep in each, on both clocks. */
  pass(seconds: number): Promise<void>;
  /** Moves the wall clock alone. */
  step(milliseconds: number): void;
  sweep(): Promise<void>;
}

const normal = { category: "backup", type: "restic_backup" };

/** Opens such a plane. The first sweep has been made. */
export async function openReportingPlane(flags: RawSettings = {}): Promise<ReportingPlane> {
  const plane = await openPlane(flags);
  const { token: runner } = await plane.serviceToken("reporter");
  const { token: owner } = await plane.serviceToken("owner");
  let monotonic = 0;
  const sweeper = startLeaseSweep({ ...plane.service, monotonic: () => monotonic });
  await sweeper.sweep();
  return {
    ...plane,
    runner,
    create: (body, ask = {}) =>
      plane.ask("/tasks", { method: "POST", token: runner, ...ask, body: { ...normal, ...body } }),
    update: (id, body, ask = {}) => plane.ask(`/tasks/${id}`, { method: "PATCH", token: runner, ...ask, body }),
    batch: (reports, ask = {}) =>
      plane.ask("/task-reports", { method: "POST", token: runner, ...ask, body: { reports } }),
    read: (id) => plane.ask(`/tasks/${id}`, { token: owner }),
    sweep: sweeper.sweep,
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        monotonic += 1000;
        plane.clock.now += 1000;
        await sweeper.sweep();
      }
    },
    step(milliseconds) {
      plane.clock.now += milliseconds;
    },
    async close() {
      await sweeper.stop();
      await plane.close();
    },
  };
}
