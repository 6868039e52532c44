import { randomUUID } from "node:crypto";
import { type Connection, connect, type Sent } from "./connection";
import { quantile } from "./spread";

/** What reports came to. */
export interface ReportResult {
  /** Of the second half of the time: progress is held before it is answered, so a beginning has fewer answers. */
  perSecond: number;
  /** Milliseconds from when a report was due. */
  p99: number;
  /** Answers other than 200 and 201. */
  refused: number;
}

export interface ReportLoad {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Reports a second; without it, each connection reports as soon as it is answered. */
  rate?: number;
  /** Called when the n-th report is answered. */
  onAnswered?: (n: number) => void;
  /** Waited for once all runners have begun, and before they end: what happens between is the mix alone. */
  onBegun?: () => Promise<void>;
  onOver?: () => Promise<void>;
}

const runners = 500;
const task = { category: "backup", type: "bench_report", lease_seconds: 600 };

/** Reports like many runners: of a hundred, 80 are heartbeats, 15 are progress, and 5 begin or end a task. */
export async function reportLoad(load: ReportLoad): Promise<ReportResult> {
  const { url, headers, connections, seconds, rate, onAnswered } = load;
  const json = { ...headers, "Content-Type": "application/json" };
  const send = (method: string, path: string, body: object): Sent => ({
    method,
    path,
    headers: json,
    body: JSON.stringify(body),
  });
  // Connections do not outlive a wait: the service closes those that are idle.
  const open = () => Promise.all(Array.from({ length: connections }, () => connect(url)));
  const close = (some: readonly Connection[]) => some.forEach((line) => void line.end());
  const first = await open();
  const running = Array.from({ length: runners }, () => randomUUID());
  await eachOver(first, running, async (line, id) => {
    await line.send(send("POST", "/tasks", { ...task, id }));
  });
  close(first);
  await load.onBegun?.();

  const begun: string[] = [];
  /** The n-th report. What ends began long enough ago that its beginning is answered. */
  function report(n: number): Sent {
    const id = running[n % runners] ?? "";
    const turn = n % 100;
    if (turn >= 5 && turn < 20) return send("PATCH", `/tasks/${id}`, { progress_message: `at ${n}` });
    if (turn >= 20) return send("PATCH", `/tasks/${id}`, {});
    if (turn % 2 === 1 && begun.length > 4 * connections) {
      return send("PATCH", `/tasks/${begun.shift()}`, { status: "completed" });
    }
    const fresh = randomUUID();
    begun.push(fresh);
    return send("POST", "/tasks", { ...task, id: fresh });
  }

  const lines = await open();
  const times: number[] = [];
  let refused = 0;
  let answered = 0;
  let next = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const half = startedAt + seconds * 500;
  await Promise.all(
    lines.map(async (line) => {
      for (;;) {
        const n = next++;
        const due = rate === undefined ? performance.now() : startedAt + (n * 1000) / rate;
        if (due >= until || performance.now() >= until + 5000) break;
        const early = due - performance.now();
        if (early > 1) await Bun.sleep(early);
        const status = await line.send(report(n));
        const at = performance.now();
        times.push(at - due);
        if (at >= half && at < until) answered += 1;
        onAnswered?.(n);
        if (status !== 200 && status !== 201) refused += 1;
      }
    }),
  );
  close(lines);
  await load.onOver?.();
  const last = await open();
  await eachOver(last, [...running, ...begun], async (line, id) => {
    await line.send(send("PATCH", `/tasks/${id}`, { status: "completed" }));
  });
  close(last);
  times.sort((a, b) => a - b);
  return { perSecond: answered / (seconds / 2), p99: quantile(times, 0.99), refused };
}

async function eachOver<Value>(
  lines: readonly Connection[],
  values: readonly Value[],
  act: (line: Connection, value: Value) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    lines.map(async (line) => {
      for (let value = values[next++]; value !== undefined; value = values[next++]) await act(line, value);
    }),
  );
}
