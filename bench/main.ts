import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../packages/server/test/postgres-cluster";
import { findSteadyPort } from "../packages/server/test/steady-port";
import { measureBare, measureBlocks, measureManyReports, measureMemory, measureSizes, measureStart } from "./aims/also";
import type { Bench } from "./aims/bench";
import { measurePeer } from "./aims/peer";
import { measureRunner } from "./aims/runner";
import { measureUnderReports } from "./aims/under-reports";
import { measureUnits } from "./aims/units";
import { type Part, readArguments } from "./arguments";
import { createRandom } from "./load/random";
import { readKnown } from "./load/task-lists";
import { currentCommit, describeMachine, loadNow } from "./machine";
import { startPeer } from "./peer/start-peer";
import { inColumns, rowTable, runText, writeRun } from "./report";
import type { BenchRun, Row } from "./result";
import { type Ours, startOurs } from "./sides/ours";
import { postgresSettings } from "./sides/postgres-settings";
import { buildProgram } from "./sides/processes";

/** Measures the aims of docs/explanation/speed.md. */
const wanted = readArguments(process.argv.slice(2));
const { tasks, seconds, processes, only } = wanted;
const folder = wanted.data ?? mkdtempSync(join(tmpdir(), "holdfast-bench-"));
mkdirSync(folder, { recursive: true });
const begun = performance.now();
const loadBefore = loadNow();
const rows: Row[] = [];
const running: { stop(): Promise<void> }[] = [];
const isWanted = (part: Part) => (only === undefined ? part !== "units" && part !== "runner" : part === only);
const tell = (line: string) => void process.stdout.write(`      ${line}\n`);
function keep(row: Row): void {
  rows.push(row);
  const [cells = []] = rowTable([row]).lines;
  process.stdout.write(`${row.isHeld === false ? "MISS" : "    "}  ${cells.filter(Boolean).join(", ")}\n`);
}

const cluster = wanted.postgres ? await startCluster(postgresSettings) : undefined;
const serverUrl = wanted.postgresUrl ?? cluster?.url();

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stopAll().finally(() => process.exit(1)));
try {
  // The executable is what people install; the sources need about 20 MiB more.
  await buildProgram();
  if (isWanted("runner")) await measureRunner(keep);
  if (isWanted("units")) await measureUnits(await start(0), keep);
  if (isWanted("p95") || isWanted("also") || isWanted("peer")) await measureAims();
} finally {
  await stopAll();
}

const run: BenchRun = {
  at: new Date().toISOString(),
  commit: await currentCommit(),
  machine: describeMachine(),
  loadAverage: [loadBefore, loadNow()],
  runtime: `Bun ${Bun.version}`,
  options: { tasks, seconds, processes, database: serverUrl === undefined ? "SQLite" : "PostgreSQL" },
  rows,
  minutes: Math.round((performance.now() - begun) / 6000) / 10,
};
process.stdout.write(`\n${inColumns(rowTable(rows))}\n\n${runText(run)}\n`);
for (const file of await writeRun(run, wanted.out, wanted.keep)) process.stdout.write(`${file}\n`);

async function measureAims(): Promise<void> {
  const ours = await start(tasks);
  const random = createRandom(1);
  const known = await readKnown(ours, random);
  const reporter = await ours.tokenFor("operator");
  const bench: Bench = { ours, reporter, known, random, folder, seconds, keep, tell };
  // Without other load first: nothing is left running that a later part would share the cores with.
  if (isWanted("also")) {
    measureStart(bench);
    await measureBare(bench);
    await measureSizes(bench, await start(1_000), tasks);
    await measureBlocks(bench);
  }
  if (isWanted("peer") && ours.databaseUrl === undefined && !wanted.withoutPeer) {
    const peer = await startPeer(ours.dataDir, join(ours.dataDir, "holdfast.db"), tell);
    running.push(peer);
    await measurePeer(bench, peer.url);
    await peer.stop();
  }
  if (isWanted("p95")) await measureUnderReports(bench);
  if (isWanted("also")) {
    await measureManyReports(bench);
    await measureMemory(bench);
  }
}

/** Our service with so many tasks, or without any and with a new database. */
async function start(count: number): Promise<Ours> {
  const name = count === 0 ? `units_${Date.now()}` : `tasks_${count}`;
  const port = await findSteadyPort();
  const ours = await startOurs({ folder, name, tasks: count, port, processes, serverUrl, tell });
  running.push(ours.served);
  return ours;
}

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await cluster?.remove();
  if (wanted.data === undefined) rmSync(folder, { recursive: true, force: true });
}
