import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Plane } from "../harness";
import { runHoldfast, type ServerProcess, startProcess } from "../process";
import { size, timeLimit } from "../runs";

const tasks = size({ default: 12_000, long: 1_000_000 });
const seconds = size({ default: 2, long: 20 });

let server: ServerProcess;
let beside: Plane;
let viewer: string;
let other: string;

beforeAll(async () => {
  server = await startProcess({ flags: { rate_limit: "0" } });
  const filled = await runHoldfast(server.folder, ["demo", "--tasks", String(tasks)]);
  expect({ exitCode: filled.exitCode, errors: filled.errors }).toEqual({ exitCode: 0, errors: expect.any(String) });
  beside = await server.openBeside();
  viewer = (await beside.serviceToken("viewer")).token;
  other = (await beside.serviceToken("viewer")).token;
}, 600_000);
afterAll(async () => {
  await server.stop();
  await beside.close();
});

/** Filters of which each has to be found in all tasks; no two are alike, so that none is remembered. */
function expensive(n: number): string {
  const ended = new Date(Date.now() - (90 * 86_400 - n) * 1000).toISOString();
  const filter = { "primary_entity.value": { $contains: "e" }, end_timestamp: { $gte: ended } };
  return `/tasks?limit=${1 + (n % 7)}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

const askAs = (token: string, path: string, signal?: AbortSignal) =>
  fetch(`${server.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` }, signal: signal ?? null });

/** Processor time of the server, in milliseconds. */
function usedTime(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test("T39: 20 connections of the most expensive filters keep no other caller waiting", async () => {
  let isOver = false;
  let sent = 0;
  const answers: number[] = [];
  const attackers = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      sent += 1;
      const response = await askAs(viewer, expensive(sent));
      answers.push(response.status);
      await response.text();
    }
  });
  const times: number[] = [];
  const statuses = new Set<number>();
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    const response = await askAs(other, `/tasks?limit=100&start=${1 + (times.length % 50)}`);
    await response.text();
    statuses.add(response.status);
    times.push(performance.now() - startedAt);
  }
  isOver = true;
  await Promise.all(attackers);
  times.sort((a, b) => a - b);
  expect([...statuses]).toEqual([200]);
  // One after the other, as they came, 20 of these filters would take many seconds.
  expect(times[Math.floor(times.length * 0.9)] ?? Number.POSITIVE_INFINITY).toBeLessThan(timeLimit(1_000));
  expect(answers.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
}, 120_000);

test("T39: work that its client has left stops within a second", async () => {
  const clients = new AbortController();
  const left = Array.from({ length: 20 }, (_, n) =>
    askAs(viewer, expensive(100_000 + n), clients.signal).then(
      () => "answered",
      () => "left",
    ),
  );
  await Bun.sleep(50);
  clients.abort();
  expect(await Promise.all(left)).toContain("left");
  const leftAt = performance.now();
  for (let used = Number.POSITIVE_INFINITY; used >= 500; ) {
    const before = usedTime();
    await Bun.sleep(1_000);
    used = usedTime() - before;
    expect(performance.now() - leftAt).toBeLessThan(1_000 + timeLimit(1_500));
  }
}, 120_000);
