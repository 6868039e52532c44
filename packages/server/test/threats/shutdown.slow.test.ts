import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { startProcess } from "../process";
import { readUntil } from "../read-until";
import { control, size, timeLimit } from "../runs";
import { startWithTasks, stopUnderLoad } from "../stop-under-load";

test("R17: on SIGTERM it goes unready first, answers everything that comes in, and ends cleanly", async () => {
  const { server, token } = await startWithTasks({ drain_seconds: "4" });
  const { exitCode, took, outcomes, answeredLate, isSeenGoing } = await stopUnderLoad(server, token);
  const isLogLeft = existsSync(join(server.folder, "holdfast.db-wal"));
  rmSync(server.folder, { recursive: true });
  expect([exitCode, isSeenGoing, isLogLeft]).toEqual([0, true, false]);
  expect(took).toBeLessThan(timeLimit(10_000));
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(answeredLate).toBeGreaterThan(size({ default: 5, long: 20 }));
}, 120_000);

control(
  "R17: without going unready first, requests would have failed",
  async () => {
    const { server, token } = await startWithTasks({ drain_seconds: "0" });
    const { exitCode, outcomes } = await stopUnderLoad(server, token);
    rmSync(server.folder, { recursive: true });
    expect(exitCode).toBe(0);
    expect(outcomes).toContain("failed");
  },
  120_000,
);

test("R17: a request that came in before the end is answered, however late its headers come", async () => {
  const server = await startProcess({ flags: { drain_seconds: "3" } });
  const text = new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"),
    );
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("close", () => resolve(received));
    setTimeout(() => socket.write("\r\n"), 700);
  });
  await Bun.sleep(200);
  const exitCode = await server.stop("SIGTERM");
  rmSync(server.folder, { recursive: true });
  expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);
  expect(exitCode).toBe(0);
}, 120_000);

test("R17: idle connections and clients that never finish do not keep it from ending", async () => {
  const server = await startProcess();
  const sockets = [
    "",
    "GET /tasks HTTP/1.1\r\nHost: a",
    "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
  ].flatMap((bytes) =>
    Array.from({ length: 10 }, () => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
      socket.on("error", () => {});
      return socket;
    }),
  );
  await Bun.sleep(300);
  const startedAt = performance.now();
  const exitCode = await server.stop("SIGTERM");
  const took = performance.now() - startedAt;
  for (const socket of sockets) socket.destroy();
  rmSync(server.folder, { recursive: true });
  expect(took).toBeLessThan(timeLimit(10_000));
  expect(exitCode).toBe(0);
}, 120_000);

test("R17: npm start hands the signal on, and nothing is left listening", async () => {
  const folder = makeFolder();
  const workspace = join(import.meta.dir, "../../../..");
  const environment = { ...process.env, HOLDFAST_DATA_DIR: folder, HOLDFAST_PORT: "0", HOLDFAST_DRAIN_SECONDS: "0" };
  const npm = Bun.spawn(["npm", "start"], { cwd: workspace, env: environment, stdout: "ignore", stderr: "pipe" });
  const printed = await readUntil(npm.stderr, "Holdfast serves");
  const [, baseUrl = ""] = /Holdfast serves (\S+),/.exec(printed) ?? [];
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  npm.kill("SIGTERM");
  await npm.exited;
  const isSilent = () =>
    fetch(`${baseUrl}/readyz`, { headers: { Connection: "close" } }).then(
      () => false,
      () => true,
    );
  for (const deadline = performance.now() + 60_000; performance.now() < deadline && !(await isSilent()); ) {
    await Bun.sleep(50);
  }
  expect(await isSilent()).toBe(true);
  rmSync(folder, { recursive: true });
}, 120_000);
