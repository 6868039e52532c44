import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../packages/server/test/postgres-cluster";
import { findSteadyPort } from "../packages/server/test/steady-port";
import { parts, readArguments } from "./arguments";
import type { Bench, Figure } from "./bench";
import { growProcesses } from "./growth/processes";
import { growRunners } from "./growth/runners";
import { growTasks } from "./growth/tasks";
import { growUnits } from "./growth/units";
import { currentCommit, describeMachine, loadNow } from "./machine";
import { exportTasks } from "./peers/export-tasks";
import { type Peers, startPeers } from "./peers/start-peers";
import { writeReport } from "./report/json";
import { shortLine, writtenTables } from "./report/table";
import type { BenchRun, Growth, RowResult } from "./result";
import { measureCounts } from "./rows/counts";
import { measureLists } from "./rows/lists";
import { measureReports } from "./rows/reports";
import { measureRow, type Row } from "./rows/row";
import { measureRunner } from "./rows/runner";
import { measureStreams } from "./rows/streams";
import { measureTimes } from "./rows/times";
import { startBare } from "./sides/bare-side";
import { fetchText, type Ours, startOurs } from "./sides/ours";
import { postgresSettings } from "./sides/postgres-settings";
import { buildProgram, residentMemory } from "./sides/processes";

/**
 * Measures what docs/explanation/speed.md aims for. What counts is a ratio of two figures from the same round, because
 * machines differ and are shared.
 */
const wanted = readArguments(process.argv.slice(2));
const { tasks, seconds, rounds, quick, processes, most, isWanted } = wanted;
const options = { tasks, seconds, rounds, quick, processes, most };
const folder = wanted.data ?? mkdtempSync(join(tmpdir(), "holdfast-bench-"));
mkdirSync(folder, { recursive: true });
const begun = performance.now();
const loadBefore = loadNow();
const rows: RowResult[] = [];
const growth: Growth[] = [];
/** Every process that was started, and has to end with the run. */
const running: { stop(): Promise<void> }[] = [];
const tell = (line: string) => void process.stdout.write(`      ${line}\n`);

async function measure(row: Row): Promise<void> {
  const result = await measureRow(row, row.isOnce ? 1 : rounds);
  rows.push(result);
  process.stdout.write(`${shortLine(result)}\n`);
}

const figure: Figure = (group, what, value, unit, aim) =>
  measure({ group, what, unit, sides: { ours: async () => ({ value }) }, isOnce: true, ...(aim ? { aim } : {}) });

const cluster = wanted.postgres ? await startCluster(postgresSettings) : undefined;
const serverUrl = wanted.postgresUrl ?? cluster?.url();
let startedUnits = 0;

/** Our service with so many tasks, or without any and with a database that only this run has. */
async function start(count: number, processesOfIt = processes): Promise<Ours> {
  const name = count === 0 ? `units_${Date.now()}_${startedUnits++}` : `tasks_${count}`;
  const ours = await startOurs({
    folder,
    name,
    tasks: count,
    port: await findSteadyPort(),
    processes: processesOfIt,
    serverUrl,
    serverPid: cluster?.pid(),
    tell,
  });
  running.push(ours);
  return ours;
}

let peers: Peers | undefined;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stopAll().finally(() => process.exit(1)));
try {
  // What people install. From its sources the service needs about 20 MiB more.
  await buildProgram();
  if (isWanted("runner")) await measureRunner(quick ? 1 : rounds, figure);
  if (parts.some((part) => part !== "runner" && part !== "growth" && isWanted(part))) await measureRows();
  if (isWanted("growth")) {
    const growing = { options, folder, serverUrl, start, tell, figure };
    for (const grow of [growTasks, growUnits, growRunners, growProcesses]) growth.push(await grow(growing));
  }
} finally {
  await stopAll();
  await cluster?.remove();
  if (wanted.data === undefined) rmSync(folder, { recursive: true });
}

const run: BenchRun = {
  at: new Date().toISOString(),
  commit: await currentCommit(),
  machine: describeMachine(),
  loadAverage: [loadBefore, loadNow()],
  runtime: `Bun ${Bun.version}`,
  options: { tasks, seconds, rounds, quick, processes, database: serverUrl === undefined ? "SQLite" : "PostgreSQL" },
  peers: (peers?.sides ?? []).map(({ name, about }) => ({ name, about })),
  rows,
  growth,
  minutes: Math.round((performance.now() - begun) / 6000) / 10,
};
process.stdout.write(`\n${writtenTables(run)}\n`);
for (const file of await writeReport(run, wanted.out, wanted.keep)) process.stdout.write(`${file}\n`);

async function measureRows(): Promise<void> {
  const ours = await start(tasks);
  const small = await start(1_000);
  const bare = await startBare(folder, await fetchText(ours, ours.list({})), ours.headers);
  running.push(bare);
  if (wanted.peers && (isWanted("lists") || isWanted("reports"))) {
    const ofPeers = join(folder, `peers_${tasks}`);
    mkdirSync(ofPeers, { recursive: true });
    peers = await startPeers({ folder: ofPeers, tasksFile: await exportTasks(ours, ofPeers), tasks, tell });
  }
  const bench: Bench = { options, folder, ours, small, bare, peers: peers?.sides ?? [], tell, measure, figure };
  await measureStarts(bench);
  if (isWanted("lists")) await measureLists(bench);
  if (isWanted("times")) await measureTimes(bench);
  if (isWanted("counts")) await measureCounts(bench);
  await measureMemory(bench, "all lists");
  if (isWanted("reports")) {
    await measureReports(bench);
    await measureMemory(bench, "reports, too");
  }
  // After memory was read: what a thousand streams need is not what the aim is about.
  if (isWanted("streams")) await measureStreams(bench);
  await stopAll();
}

async function measureMemory({ ours, figure }: Bench, afterWhat: string): Promise<void> {
  const memory = await residentMemory(ours.served.pid);
  await figure("start and memory", `resident memory of a process after ${afterWhat}`, memory, " MiB", { atMost: 150 });
}

/** How long each start took. */
async function measureStarts({ ours, measure }: Bench): Promise<void> {
  const times = [...ours.startTimes];
  await measure({
    group: "start and memory",
    what: "start to first answer",
    unit: " ms",
    sides: { ours: async () => ({ value: times.shift() ?? ours.served.startTime }) },
    aim: { atMost: 500 },
  });
}

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await peers?.stop();
}
