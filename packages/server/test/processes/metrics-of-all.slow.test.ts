import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { parseMetrics } from "../metrics/parse-metrics";
import { metricsToken, startProcess } from "../process";
import { type Connection, connectToEach } from "./connection";

const unknown = /^holdfast_requests_total\{operation="unknown",status="404"\} (\d+)$/m;

async function scrape({ ask }: Connection): Promise<string> {
  return (await ask("/metrics", { token: metricsToken })).text;
}

const countIn = (text: string) => Number(unknown.exec(text)?.[1] ?? 0);

/** Scrapes until so many requests are counted: each is counted just after its answer. */
async function scrapeUntil(connection: Connection, count: number): Promise<string> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(50)) {
    const text = await scrape(connection);
    if (countIn(text) >= count) return text;
  }
  return scrape(connection);
}

test("each of several processes shows the requests of all, and counters do not go down when one dies", async () => {
  const server = await startProcess({ flags: { processes: "3" } });
  const connections = await connectToEach(server.port, 3);
  const [first, second, third] = connections;
  await Promise.all(connections.map(async ({ ask }) => [await ask("/nothing"), await ask("/nothing")]));
  const texts = [];
  for (const connection of connections) texts.push(await scrapeUntil(connection, 6));
  expect(texts.map(countIn)).toEqual([6, 6, 6]);
  const pids = texts.map((text) => Array.from(text.matchAll(/^holdfast_info\{.*pid="(\d+)"\} 1$/gm), ([, pid]) => pid));
  const all = connections.map(({ pid }) => String(pid)).sort();
  expect(pids.map((some) => some.toSorted())).toEqual([all, all, all]);
  for (const name of ["process_resident_memory_bytes", "process_start_time_seconds"]) {
    const shown = Array.from(texts[0]?.matchAll(new RegExp(`^${name}(\\{.*\\}) [\\d.]+$`, "gm")) ?? [], ([, at]) => at);
    expect(shown.toSorted()).toEqual(['{process="1"}', '{process="2"}', '{process="3"}']);
  }
  process.kill(first.pid, "SIGKILL");
  const [replacement] = await connectToEach(server.port, 1, [first.pid, second?.pid ?? 0, third?.pid ?? 0]);
  await replacement.ask("/nothing");
  expect(countIn(await scrapeUntil(replacement, 7))).toBe(7);
  for (const survivor of connections.slice(1)) expect(countIn(await scrapeUntil(survivor, 7))).toBe(7);
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
}, 120_000);

/** Metrics of tasks and of the database. */
async function scrapeTasks(connection: Connection) {
  const scraped = parseMetrics(await scrape(connection));
  return [
    'holdfast_tasks_total{category="backup",status="in_progress",outcome="none"}',
    'holdfast_report_duration_seconds_count{kind="create"}',
    'holdfast_tasks_open{status="in_progress"}',
    'holdfast_leases_held{liveness="good"}',
    "holdfast_database_up",
    "holdfast_audit_anchor_ok",
  ].map((key) => scraped.get(key));
}

/** Scrapes until it is as wanted, or for some seconds. */
async function scrapeTasksUntil(connection: Connection, wanted: readonly number[]) {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(100)) {
    if (Bun.deepEquals(await scrapeTasks(connection), wanted)) break;
  }
  return scrapeTasks(connection);
}

test("tasks are added up over all processes and kept when one dies, and what the database holds is said once", async () => {
  const server = await startProcess({ flags: { processes: "2" } });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("reporter");
  await beside.database.close();
  const connections = await connectToEach(server.port, 2);
  const [first, second] = connections;
  const body = { category: "backup", type: "restic_backup" };
  const all = [3, 3, 3, 3, 1, 1];
  const create = ({ ask }: Connection) => ask("/tasks", { method: "POST", token, body });
  const statuses = [];
  for (const connection of [first, ...connections]) statuses.push((await create(connection)).status);
  expect(statuses).toEqual([201, 201, 201]);
  for (const connection of connections) expect(await scrapeTasksUntil(connection, all)).toEqual(all);
  process.kill(first.pid, "SIGKILL");
  const [replacement] = await connectToEach(server.port, 1, [first.pid, second?.pid ?? 0]);
  expect(await scrapeTasksUntil(replacement, all)).toEqual(all);
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
}, 120_000);
