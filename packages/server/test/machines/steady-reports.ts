import type { Asked } from "../faults/steady-asking";
import type { Machines } from "./start-machines";
import type { KnownTask } from "./steady-walks";

/** A task that is reported on all the time, each report until it is acknowledged. */
export interface ReportedTask {
  id: string;
  /** Before its first report was sent, by Date.now(). */
  begun: number;
  acknowledged: number;
  sent: number;
}

/** Load that reports on tasks, and keeps heartbeats waiting. */
export interface SteadyReports {
  tasks: readonly ReportedTask[];
  /** Every report that was answered. */
  reports: readonly Asked[];
  /** Every heartbeat that was answered: how long it took beyond the time that it may be held back. */
  heartbeats: readonly Asked[];
  /** The tasks, as a walk has to find them. */
  known(): KnownTask[];
  /** Number of acknowledged reports. */
  acknowledged(): number;
  stop(): Promise<void>;
}

const heldSeconds = 5;
const pause = 20;

/** Starts to report on so many tasks, from this process and with clients that never give up. */
export function reportSteadily({ ask, reporter: token }: Machines, count: number): SteadyReports {
  const [tasks, reports, heartbeats]: [ReportedTask[], Asked[], Asked[]] = [[], [], []];
  let isOver = false;

  async function send(into: Asked[], path: string, method: string, body: object, held = 0): Promise<boolean> {
    const startedAt = performance.now();
    const answer = await ask(path, { method, token, body }).catch(() => undefined);
    const status = answer?.status ?? 0;
    const took = Math.max(0, performance.now() - startedAt - held);
    into.push({
      path: `${method} ${path}`,
      startedAt,
      took,
      status,
      retryAfter: answer?.headers.get("retry-after") ?? null,
    });
    return status === 200 || status === 201;
  }

  async function report(): Promise<void> {
    const task: ReportedTask = { id: crypto.randomUUID(), begun: Date.now(), acknowledged: 0, sent: 0 };
    tasks.push(task);
    const about = { id: task.id, category: "backup", type: "tests_backup", status: "in_progress", lease_seconds: 30 };
    for (; !isOver; await Bun.sleep(pause)) {
      const sequence = task.acknowledged + 1;
      task.sent = sequence;
      const isKnown = task.acknowledged > 0;
      const body = isKnown ? { sequence, progress_message: `did ${sequence}` } : { ...about, sequence };
      const path = isKnown ? `/tasks/${task.id}` : "/tasks";
      if (!(await send(reports, path, isKnown ? "PATCH" : "POST", body))) continue;
      task.acknowledged = sequence;
    }
  }

  async function live(index: number): Promise<void> {
    for (; !isOver; await Bun.sleep(pause)) {
      const task = tasks[index];
      if (!task?.acknowledged) continue;
      await send(heartbeats, `/tasks/${task.id}`, "PATCH", { wait_seconds: heldSeconds }, heldSeconds * 1_000);
    }
  }

  const busy = Array.from({ length: count }, (_, index) => [report(), live(index)]).flat();
  return {
    tasks,
    reports,
    heartbeats,
    known: () => tasks.map(({ id, begun, acknowledged }) => ({ id, begun, isAcknowledged: acknowledged > 0 })),
    acknowledged: () => tasks.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    async stop() {
      isOver = true;
      await Promise.all(busy);
    },
  };
}
