import { randomUUID } from "node:crypto";
import { type Connection, connect, type Sent } from "../load/connection";
import { quantile } from "../load/spread";
import type { Ours } from "../sides/ours";
import { processorSeconds, residentMemory } from "../sides/processes";
import type { Grow } from "./grow";
import { createLines } from "./lines";

/** Seconds from one report of a runner to the next. The service closes connections that are idle for ten. */
const pace = 8;
const openedTogether = 100;

/** How the service does with many runners, each over a connection of its own and with a task of its own. */
export const growRunners: Grow = async ({ options, start, tell }) => {
  const sizes = options.quick ? [1, 1_000] : [1, 1_000, 10_000];
  const { note, lines } = createLines(sizes);
  const ours = await start(1_000);
  try {
    for (const runners of sizes) {
      const before = await residentMemory(ours.served.pid);
      const result = await report(ours, runners, options.quick ? pace : 3 * pace);
      note(runners, "reports", "/s", result.perSecond);
      note(runners, "time of a report, median", " ms", result.median);
      note(runners, "time of a report, slowest of a hundred", " ms", result.p99);
      note(runners, "share of one processor", " %", result.share);
      note(runners, "resident memory", " MiB", result.memory);
      // Of a few reports, and of one connection, these say nothing.
      if (runners > 1) {
        note(runners, "processor time of the service for a report", " ms", result.cpu);
        note(runners, "memory for each runner", " KiB", Math.max(0, (1024 * (result.memory - before)) / runners));
      }
      note(runners, "refused", "", result.refused);
      tell(`Runners, ${runners.toLocaleString("en")}: ${result.perSecond.toFixed(1)} reports a second.`);
    }
  } finally {
    await ours.stop();
  }
  const paced = `Each runner has a connection and a task, and sends a heartbeat every ${pace} s. All run in one process.`;
  return { name: "Runners", axis: "runners", sizes, lines: lines(), notes: [paced] };
};

async function report(ours: Ours, runners: number, seconds: number) {
  const json = { ...ours.headers, "Content-Type": "application/json" };
  const send = (method: string, path: string, body: object): Sent => ({
    method,
    path,
    headers: json,
    body: JSON.stringify(body),
  });
  const lines: { id: string; line?: Connection }[] = Array.from({ length: runners }, () => ({ id: randomUUID() }));
  const task = { category: "backup", type: "bench_report", lease_seconds: 600 };
  for (let from = 0; from < runners; from += openedTogether) {
    await Promise.all(
      lines.slice(from, from + openedTogether).map(async (runner) => {
        runner.line = await connect(ours.url);
        await runner.line.send(send("POST", "/tasks", { ...task, id: runner.id }));
      }),
    );
  }
  const times: number[] = [];
  let refused = 0;
  const usedBefore = await processorSeconds(ours.served.pid);
  const startedAt = performance.now();
  await Promise.all(
    lines.map(async (runner, number) => {
      for (let due = (number / runners) * pace; due < seconds; due += pace) {
        await Bun.sleep(Math.max(0, startedAt + due * 1000 - performance.now()));
        const sentAt = performance.now();
        const heartbeat = send("PATCH", `/tasks/${runner.id}`, {});
        // A connection that was idle for too long is opened again, as a runner does it.
        const status = await runner.line?.send(heartbeat).catch(async () => {
          runner.line = await connect(ours.url);
          return runner.line.send(heartbeat);
        });
        times.push(performance.now() - sentAt);
        if (status !== 200) refused += 1;
      }
    }),
  );
  await Bun.sleep(Math.max(0, startedAt + seconds * 1000 - performance.now()));
  const elapsed = (performance.now() - startedAt) / 1000;
  const used = (await processorSeconds(ours.served.pid)) - usedBefore;
  const memory = await residentMemory(ours.served.pid);
  for (let from = 0; from < runners; from += openedTogether) {
    await Promise.all(
      lines.slice(from, from + openedTogether).map(async ({ id, line }) => {
        await line?.send(send("PATCH", `/tasks/${id}`, { status: "completed" })).catch(() => undefined);
        line?.end();
      }),
    );
  }
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: (1000 * used) / times.length,
    share: (100 * used) / elapsed,
    memory,
    refused,
  };
}
