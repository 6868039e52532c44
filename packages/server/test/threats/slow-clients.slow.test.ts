import { afterAll, expect, test } from "bun:test";
import { readdirSync, readlinkSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { type ServerProcess, startProcess } from "../process";
import { sendRaw } from "../raw-connection";
import { timeLimit } from "../runs";

const maxAllowedMs = Math.min(timeLimit(16_000), 80_000);

/** Number of open sockets of a process, its listening one included. */
function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return "closed meanwhile";
    }
  });
  return targets.filter((target) => target.startsWith("socket:")).length;
}

/** Connects many times, sends something at once and something more every second, whether or not it is answered. */
function open(port: number, count: number, first: string, more = ""): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write(first));
    const timer = setInterval(() => more !== "" && socket.writable && socket.write(more), 1_000);
    socket.on("error", () => {});
    socket.on("data", () => {});
    socket.on("close", () => clearInterval(timer));
    return socket;
  });
}

/** Asks for a large answer and never reads it. The shell does not read what it is not told to. */
function openWithoutReading({ port }: ServerProcess, request: string): Bun.Subprocess {
  return Bun.spawn([
    "bash",
    "-c",
    `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '%s' "$1" >&3; exec sleep 60`,
    "bash",
    request,
  ]);
}

async function until(condition: () => boolean, longest: number): Promise<number> {
  const startedAt = performance.now();
  while (!condition() && performance.now() - startedAt < longest) await Bun.sleep(50);
  return performance.now() - startedAt;
}

const server = await startProcess({ flags: { log_level: "warn" } });
const beside = await server.openBeside();
const { token } = await beside.serviceToken("viewer");
const value = "x".repeat(15_000);
await beside.addTasks(Array.from({ length: 1_000 }, () => ({ primary_entity: { id: "big", type: "host", value } })));
afterAll(async () => {
  await server.stop();
  await beside.close();
});

test("T18: slow and idle clients are cut off in time, hundreds of them, while others are served", async () => {
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
  const atRest = countSockets(server.pid);
  const sockets = [
    ...open(server.port, 100, ""),
    ...open(server.port, 50, `GET /healthz HTTP/1.1\r\n${head}\r\n`),
    ...open(server.port, 100, `GET / HTTP/1.1\r\n${head}`, "X-More: a\r\n"),
    ...open(server.port, 50, "GET /", "a"),
    ...open(server.port, 50, `POST / HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n`, "a"),
    ...open(server.port, 50, `POST /session HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n`),
    ...open(server.port, 50, `POST /session HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n`, "a"),
    ...open(server.port, 50, `POST /session HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"),
  ];
  // Slow with the headers and then, too, with the body.
  const twiceSlow = open(server.port, 50, `POST /session HTTP/1.1\r\n${head}Content-Length: 100000\r\n`);
  for (const socket of twiceSlow) setTimeout(() => socket.write("\r\n{"), 7_000);
  sockets.push(...twiceSlow);
  const deaf = Array.from({ length: 8 }, () =>
    openWithoutReading(server, `GET /tasks?limit=1000 HTTP/1.1\r\n${head}\r\n`),
  );
  const opened = sockets.length + deaf.length;
  let max = 0;
  await until(() => {
    max = Math.max(max, countSockets(server.pid));
    return max >= atRest + opened - 10;
  }, 5_000);
  // All of them, but for those with a body on a slow machine: these are cut off after three seconds.
  expect(max).toBeGreaterThanOrEqual(atRest + 300);
  // These are answered without their body, and closed.
  sockets.push(...open(server.port, 50, `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"));

  const served: number[] = [];
  const statuses = new Set<number>();
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const startedAt = performance.now();
      statuses.add((await server.ask("/tasks?limit=1", { token, headers: { connection: "close" } })).status);
      served.push(performance.now() - startedAt);
      await Bun.sleep(50);
    }
  })();
  // One connection more may be the watcher's own.
  const took = await until(() => countSockets(server.pid) <= atRest + 1, maxAllowedMs + 4_000);
  isWatching = false;
  await watching;
  for (const socket of sockets) socket.destroy();
  for (const child of deaf) child.kill();
  expect(took).toBeLessThan(maxAllowedMs);
  expect([...statuses]).toEqual([200]);
  expect(served.length).toBeGreaterThan(10);
  expect(served.sort((a, b) => a - b)[Math.floor(served.length / 2)]).toBeLessThan(timeLimit(500));
}, 120_000);

test("T18: a body that does not arrive in time is refused with 408, however slowly its headers came", async () => {
  const quick = await startProcess({ flags: { log_level: "warn" }, timeouts: { bodyArrival: 1_000 } });
  const head = "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n";
  const answers = await Promise.all([
    sendRaw(quick.port, `${head}\r\n{`, 15_000),
    sendRaw(quick.port, head, 15_000, undefined, { after: 2_000, bytes: "\r\n{" }),
  ]);
  await quick.stop();
  rmSync(quick.folder, { recursive: true });
  const message = "The body of this request did not arrive in time. Send it again, all at once.";
  const body = JSON.stringify({ errors: [{ error_code: 40801, error_message: message }] });
  expect(answers.map(({ statuses, isClosed }) => [statuses, isClosed])).toEqual(answers.map(() => [[408], true]));
  expect(answers.map(({ text }) => text.split("\r\n\r\n")[1])).toEqual(answers.map(() => body));
}, 120_000);

test("T18: a server that runs out of connections survives, and serves again when they are gone", async () => {
  const small = await startProcess({
    flags: { log_level: "warn" },
    under: ["bash", "-c", 'ulimit -n 80; exec "$@"', "bash"],
  });
  const before = await small.ask("/healthz");
  const hoard = open(small.port, 300, "GET /");
  await until(() => countSockets(small.pid) > 30, 60_000);
  const sockets = countSockets(small.pid);
  for (const socket of hoard) socket.destroy();
  const wait = performance.now() + maxAllowedMs;
  let after = 0;
  while (after !== 200 && performance.now() < wait) {
    after = await small.ask("/readyz", { headers: { connection: "close" } }).then(
      ({ status }) => status,
      () => 0,
    );
  }
  const exitCode = await small.stop();
  rmSync(small.folder, { recursive: true });
  expect([before.status, after, exitCode]).toEqual([200, 200, 0]);
  // The control: it did run out.
  expect(sockets).toBeLessThan(80);
  expect(sockets).toBeGreaterThan(30);
}, 120_000);
