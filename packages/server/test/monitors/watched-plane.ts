import type { MonitorV1 } from "@holdfast/api/resources/monitors";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { type MissedRunDetector, startMissedRunDetector } from "../../src/workers/missed-run-detector";
import { openPlane, type Plane, root } from "../harness";

/** A plane whose expected runs are looked at when a test says so, with clocks that it sets. */
export interface WatchedPlane extends Plane {
  token: string;
  worker: MissedRunDetector;
  /** Starts a worker beside the others, or after them: of this process, or of another one on the same database. */
  startWorker(process?: Plane): MissedRunDetector;
  /** Lets time pass, and looks at expected runs every so many milliseconds. */
  pass(milliseconds: number, every?: number): Promise<void>;
  /** Lets time pass in which nothing runs. */
  sleep(milliseconds: number): void;
  /** Sets the wall clock by so much. */
  step(milliseconds: number): void;
  addMonitor(body: object): Promise<MonitorV1>;
  read(monitor: { id: string }): Promise<MonitorV1>;
  /** The tasks of a monitor, newest first. */
  tasksOf(monitor: { id: string }): Promise<TaskV1[]>;
  report(monitor: { id: string }, body?: object): Promise<void>;
}

const minute = 60_000;

export async function openWatchedPlane(at: string, folder?: string): Promise<WatchedPlane> {
  const plane = await openPlane({}, folder);
  // The token is good for as long as any test sets the clock back or forward.
  plane.clock.now = Date.parse(at) - 60 * 86_400_000;
  const { token } = await plane.serviceToken("admin", root, 400 * 86_400_000);
  plane.clock.now = Date.parse(at);
  let monotonic = 0;
  const started: MissedRunDetector[] = [];

  function startWorker({ database, service }: Plane = plane): MissedRunDetector {
    const worker = startMissedRunDetector({
      database,
      log: service.log,
      metrics: service.metrics,
      workers: service.workers,
      clock: () => plane.clock.now,
      monotonic: () => monotonic,
      onBroken: () => {},
    });
    started.push(worker);
    return worker;
  }

  const worker = startWorker();
  const sleep = (milliseconds: number) => {
    plane.clock.now += milliseconds;
    monotonic += milliseconds;
  };
  const ask = async (path: string, method = "GET", body?: unknown) => {
    const answer = await plane.ask(path, { token, method, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  await worker.sweep();
  return {
    ...plane,
    token,
    worker,
    startWorker,
    sleep,
    async pass(milliseconds, every = 30_000) {
      for (let left = milliseconds; left > 0; left -= every) {
        sleep(Math.min(left, every));
        await worker.sweep();
      }
    },
    step(milliseconds) {
      plane.clock.now += milliseconds;
    },
    addMonitor: (body) => ask("/monitors", "POST", { name: `monitor ${Math.random()}`, ...body }),
    read: ({ id }) => ask(`/monitors/${id}`),
    tasksOf: async ({ id }) =>
      (await ask(`/tasks?limit=100&filter=${encodeURIComponent(JSON.stringify({ monitor_id: id }))}`))._embedded.items,
    report: async ({ id }, body = {}) => {
      await ask("/tasks", "POST", { monitor_id: id, status: "completed", ...body });
    },
    async close() {
      for (const one of started) await one.stop();
      await plane.close();
    },
  };
}

export { minute };
