import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { type ServerProcess, startProcess } from "../process";

/** What a request came to: the status of its answer, or nothing that a client could use. */
type Outcome = number | "failed";

interface Run {
  exitCode: number;
  /** From the signal to the end. */
  took: number;
  outcomes: Outcome[];
  /** How many were answered after the server had said that it was going. */
  answeredLate: number;
  isSeenGoing: boolean;
}

/**
 * Stops a server under load, as a load balancer sees it: clients go on until a second after somebody who asks now and then
 * whether the server is ready was told that it is not.
 */
async function stopUnderLoad(server: ServerProcess, token: string): Promise<Run> {
  const outcomes: Outcome[] = [];
  let isOver = false;
  let isSeenGoing = false;
  let answeredLate = 0;
  const ask = (path: string) =>
    server.ask(path, { token }).then(
      ({ status }): Outcome => status,
      (): Outcome => "failed",
    );
  const client = async (path: string) => {
    while (!isOver) {
      const wasSeenGoing = isSeenGoing;
      const outcome = await ask(path);
      outcomes.push(outcome);
      answeredLate += Number(wasSeenGoing && outcome === 200);
      await Bun.sleep(2);
    }
  };
  const watch = async () => {
    while ((await ask("/readyz")) === 200) await Bun.sleep(200);
    isSeenGoing = true;
    await Bun.sleep(1_000);
    isOver = true;
  };
  const paths = ["/tasks?limit=1", "/tasks?limit=1000", "/users", "/tasks?limit=100&start=3"];
  const everybody = [watch(), ...paths.map(client)];
  await Bun.sleep(300);
  const signalledAt = performance.now();
  const exitCode = await server.stop("SIGTERM");
  const took = performance.now() - signalledAt;
  await Promise.all(everybody);
  return { exitCode, took, outcomes, answeredLate, isSeenGoing };
}

async function startWithTasks(drainSeconds: string) {
  const server = await startProcess({ flags: { drain_seconds: drainSeconds } });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("viewer");
  await beside.addTasks(Array.from({ length: 1_000 }, () => ({})));
  await beside.database.close();
  return { server, token };
}

test("R17: on SIGTERM it goes unready first, answers everything that comes in, and ends cleanly", async () => {
  const { server, token } = await startWithTasks("2");
  const { exitCode, took, outcomes, answeredLate, isSeenGoing } = await stopUnderLoad(server, token);
  const isLogLeft = existsSync(join(server.folder, "holdfast.db-wal"));
  rmSync(server.folder, { recursive: true });
  expect([exitCode, isSeenGoing, isLogLeft]).toEqual([0, true, false]);
  expect(took).toBeLessThan(10_000);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(answeredLate).toBeGreaterThan(20);
}, 30_000);

test("R17: without going unready first, requests would have failed", async () => {
  const { server, token } = await startWithTasks("0");
  const { exitCode, outcomes } = await stopUnderLoad(server, token);
  rmSync(server.folder, { recursive: true });
  expect(exitCode).toBe(0);
  expect(outcomes).toContain("failed");
}, 30_000);

test("R17: a request that came in before the end is answered, however late its headers come", async () => {
  const server = await startProcess({ flags: { drain_seconds: "1" } });
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
}, 30_000);

test("R17: idle connections and clients that never finish do not keep it from ending", async () => {
  const server = await startProcess();
  const sockets = ["", "GET /tasks HTTP/1.1\r\nHost: a", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"].flatMap(
    (bytes) =>
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
  expect(took).toBeLessThan(5_000);
  expect(exitCode).toBe(0);
}, 30_000);

test("R17: npm start hands the signal on, and nothing is left listening", async () => {
  const folder = makeFolder();
  const workspace = join(import.meta.dir, "../../../..");
  const environment = { ...process.env, HOLDFAST_DATA_DIR: folder, HOLDFAST_PORT: "0", HOLDFAST_DRAIN_SECONDS: "0" };
  const npm = Bun.spawn(["npm", "start"], { cwd: workspace, env: environment, stdout: "ignore", stderr: "pipe" });
  let printed = "";
  for await (const chunk of npm.stderr) {
    printed += new TextDecoder().decode(chunk);
    if (printed.includes("Holdfast serves")) break;
  }
  const [, baseUrl = ""] = /Holdfast serves (\S+),/.exec(printed) ?? [];
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  npm.kill("SIGTERM");
  await npm.exited;
  await Bun.sleep(500);
  await expect(fetch(`${baseUrl}/readyz`)).rejects.toThrow();
  rmSync(folder, { recursive: true });
}, 30_000);
