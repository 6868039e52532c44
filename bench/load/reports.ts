import { randomUUID } from "node:crypto";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { type Sent, withConnections } from "./connection";

/** One report: a request, and its kind for the statistics. */
export interface Report {
  kind: "start" | "end" | "progress" | "heartbeat";
  request: Sent;
}

/** A sequence of reports that one schedule makes. */
export interface Reports {
  /** Requests that start the tasks that run at the beginning. */
  begin(): Sent[];
  /** The n-th report. */
  report(n: number): Report;
  /** Requests that end all tasks that still run. */
  end(): Sent[];
}

const batchSize = 500;

/**
 * Makes reports about runs of known items. Of a hundred reports some are heartbeats and some are progress; the others start and
 * end tasks in turn. So many tasks run at any time, and the oldest ends first: its start is long answered.
 */
export function createReports(
  headers: Record<string, string>,
  tasks: readonly TaskV1[],
  { heartbeats = 0, progress = 0, runs = 500 } = {},
): Reports {
  const json = { ...headers, "Content-Type": "application/json" };
  const send = (method: string, path: string, body: object): Sent => ({
    method,
    path,
    headers: json,
    body: JSON.stringify(body),
  });
  const running: string[] = [];
  let starts = 0;
  let changes = 0;
  function start() {
    const id = randomUUID();
    running.push(id);
    return { id, ...newTask(tasks, starts++) };
  }
  function batches(reports: readonly object[]): Sent[] {
    return Array.from({ length: Math.ceil(reports.length / batchSize) }, (_, batch) =>
      send("POST", "/task-reports", { reports: reports.slice(batch * batchSize, (batch + 1) * batchSize) }),
    );
  }
  return {
    begin() {
      const bodies = Array.from({ length: runs }, start);
      return batches(bodies.map((body) => ({ operation: "create", task_id: body.id, body })));
    },
    report(n) {
      const turn = n % 100;
      if (turn < heartbeats + progress) {
        const kind = turn < heartbeats ? "heartbeat" : "progress";
        const body = kind === "heartbeat" ? {} : { progress_message: `at ${n}` };
        // Of the older half: the start of the newest may not be answered yet.
        return { kind, request: send("PATCH", `/tasks/${running[n % Math.floor(runs / 2)]}`, body) };
      }
      if (changes++ % 2 === 0) return { kind: "start", request: send("POST", "/tasks", start()) };
      return { kind: "end", request: send("PATCH", `/tasks/${running.shift()}`, { status: "completed" }) };
    },
    end() {
      const body = { status: "completed" };
      return batches(running.splice(0).map((id) => ({ operation: "update", task_id: id, body })));
    },
  };
}

/** The body of a new task: another run of what a known task was a run of. */
export function newTask(tasks: readonly TaskV1[], n: number): object {
  const { category, type, organizational_unit_id, primary_entity } = tasks[n % tasks.length] ?? {};
  return { category, type, organizational_unit_id, primary_entity: primary_entity ?? undefined, lease_seconds: 600 };
}

/** A report that was answered. */
export interface Answered {
  kind: Report["kind"];
  /** Milliseconds from the moment when it was due, however late it was sent. */
  ms: number;
  status: number;
}

interface ReportLoad {
  url: string;
  reports: Reports;
  /** Reports a second. */
  rate: number;
  connections: number;
  seconds: number;
  onAnswered?: (answered: Answered) => void;
}

/** Sends reports at a fixed rate, whether or not earlier ones were answered, over the first connection that is free. */
export async function reportLoad({
  url,
  reports,
  rate,
  connections,
  seconds,
  onAnswered,
}: ReportLoad): Promise<Answered[]> {
  const answered: Answered[] = [];
  let next = 0;
  await withConnections(url, connections, async (lines) => {
    const [first] = lines;
    for (const request of reports.begin()) await first?.send(request);
    const startedAt = performance.now();
    const send = async (line: (typeof lines)[number]) => {
      for (let n = next++; n < rate * seconds; n = next++) {
        const due = startedAt + (1000 * n) / rate;
        const early = due - performance.now();
        if (early > 0) await Bun.sleep(early);
        const { kind, request } = reports.report(n);
        const { status } = await line.send(request);
        const one = { kind, ms: performance.now() - due, status };
        answered.push(one);
        onAnswered?.(one);
      }
    };
    await Promise.all(lines.map(send));
    for (const request of reports.end()) await first?.send(request);
  });
  return answered;
}
