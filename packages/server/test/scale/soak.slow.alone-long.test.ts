import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plane } from "../harness";
import { runHoldfast, type ServerProcess, startProcess } from "../process";
import { size } from "../runs";
import { until } from "../until";
import { askInOpenLoop, percentile } from "./open-loop";

const tasks = size({ default: 5_000, long: 100_000 });
const seconds = size({ default: 8, long: 1_800 });
const listsPerSecond = size({ default: 30, long: 100 });
const reportsPerSecond = size({ default: 20, long: 50 });
const pause = 1_000 / reportsPerSecond;

let server: ServerProcess;
let beside: Plane;
beforeAll(async () => {
  server = await startProcess({ flags: { rate_limit: "0" } });
  expect((await runHoldfast(server.folder, ["demo", "--tasks", String(tasks)])).exitCode).toBe(0);
  beside = await server.openBeside();
}, 600_000);
afterAll(async () => {
  await server.stop();
  await beside.close();
});

/** Resources that the service holds at a moment. */
interface Held {
  /** Seconds since the beginning. */
  at: number;
  memoryMiB: number;
  /** Open files and the like. Connections are apart: how many there are, the clients decide. */
  files: number;
  connections: number;
  walMiB: number;
}

/** Target of a descriptor, such as a path or `socket:[…]`; empty where it is closed by now. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/${server.pid}/fd/${descriptor}`);
  } catch {
    return "";
  }
}

function look(at: number): Held {
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
  const open = readdirSync(`/proc/${server.pid}/fd`).map(targetOf);
  const connections = open.filter((target) => target.startsWith("socket:")).length;
  // There is none on PostgreSQL.
  const walMiB = (statSync(join(server.folder, "holdfast.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20;
  return { at, memoryMiB: memory, files: open.length - connections, connections, walMiB };
}

/** By how much it grows in a second, by least squares. */
function slope(points: readonly { at: number; value: number }[]): number {
  const mean = (of: (point: { at: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  return mean((point) => (point.at - at) * (point.value - value)) / mean((point) => (point.at - at) ** 2);
}

/** Asks for pages without ever reading an answer. */
async function openStuckReader(token: string) {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data() {} } });
  socket.pause();
  const request = `GET /tasks?limit=1000 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(20));
  return socket;
}

/** Returns true if a list was refused to keep accepted ones fast: 429 if too many of its caller wait, 503 if too many of all. */
function isRefusal(status: number): boolean {
  return status === 429 || status === 503;
}

test("R16: under a mixed load for long, with a reader that is stuck, memory, files and the log of the database stay flat", async () => {
  const { token: viewer } = await beside.serviceToken("viewer");
  const { token: reporter } = await beside.serviceToken("reporter");
  const stuck = await openStuckReader(viewer);
  const connectionsBefore = look(0).connections;
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1000;

  async function report(): Promise<number[]> {
    const statuses = [];
    for (; since() < seconds; await Bun.sleep(pause)) {
      const body = { category: "backup", type: "restic_backup" };
      const created = await server.ask("/tasks", { method: "POST", token: reporter, body });
      const path = `/tasks/${created.body.id}`;
      const send = (change: object) => server.ask(path, { method: "PATCH", token: reporter, body: change });
      statuses.push(created.status, (await send({ sequence: 1, progress_percentage: 50 })).status);
      statuses.push((await send({ sequence: 2, status: "completed" })).status);
    }
    return statuses;
  }

  async function watch(): Promise<Held[]> {
    const held = [];
    for (; since() < seconds; await Bun.sleep(seconds * 10)) held.push(look(since()));
    return held;
  }

  const paths = Array.from({ length: 100 }, (_, n) => `/tasks?limit=${1 + n}&start=${1 + (n % 50)}`);
  const asking = { url: server.baseUrl, token: viewer, paths, perSecond: listsPerSecond, seconds };
  const [answers, statuses, held] = await Promise.all([askInOpenLoop(asking), report(), watch()]);
  stuck.end();
  const warm = held.filter(({ at }) => at > seconds / 3);
  const growth = slope(warm.map(({ at, memoryMiB }) => ({ at, value: memoryMiB })));
  const files = warm.map((moment) => moment.files);
  const max = (of: (moment: Held) => number) => Math.max(...held.map(of)).toFixed(1);
  // The figures of a run that lasted half an hour are worth more than whether it passed.
  process.stdout.write(
    `${answers.length} lists of which ${answers.filter(({ status }) => isRefusal(status)).length} were refused, ${statuses.length} reports; memory at most ${max((moment) => moment.memoryMiB)} MiB, ` +
      `${(growth * 600).toFixed(2)} MiB more every ten minutes; ${Math.min(...files)} to ${Math.max(...files)} open files; ` +
      `at most ${max((moment) => moment.connections)} connections; ` +
      `log of the database at most ${max((moment) => moment.walMiB)} MiB; ` +
      `slowest of a hundred lists ${percentile(answers, 0.99).toFixed(1)} ms\n`,
  );

  expect(answers.filter(({ status }) => status !== 200 && !isRefusal(status))).toEqual([]);
  // A default run has other jobs beside it: where the service was not let run for seconds, it refuses what has gathered.
  const refused = answers.filter(({ status }) => isRefusal(status)).length / answers.length;
  expect(refused).toBeLessThan(size({ default: 50, long: 0.1 }) / 100);
  expect(new Set(statuses)).toEqual(new Set([201, 200]));
  expect(Math.max(...files) - Math.min(...files)).toBeLessThan(10);
  // The clients keep theirs open for a while; after that none may be left.
  await until("no connection is left", () => look(since()).connections <= connectionsBefore);
  expect(Math.max(...held.map(({ walMiB }) => walMiB))).toBeLessThan(64);
  // A megabyte in ten minutes, which a few seconds of a default run cannot show.
  expect(growth * 600).toBeLessThan(size({ default: 10_000, long: 1 }));
  // Requests that wait behind the event loop are answered later by as much. A default run has other jobs beside it.
  expect(percentile(answers, 0.99)).toBeLessThan(size({ default: 5_000, long: 50 }));
}, 3_000_000);
