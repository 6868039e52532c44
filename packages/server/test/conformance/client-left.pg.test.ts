import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { openPlane, type Plane } from "../harness";

let plane: Plane;
let server: ReturnType<typeof listen>;
let token: string;
beforeAll(async () => {
  plane = await openPlane({ log_level: "debug" });
  token = (await plane.serviceToken("owner")).token;
  const app = createApp(plane.service);
  server = listen({
    host: "127.0.0.1",
    port: 0,
    answer: (request, connection) => app.fetch(request, connection),
  });
});
afterAll(async () => {
  await server.stop();
  await plane.close();
});

/** Sends the beginning of something, and gives the connection when it has been counted. */
async function begin(bytes: string, isCounted: () => boolean): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
  await until(isCounted);
  return socket;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await condition()) && performance.now() < deadline; )
    await Bun.sleep(5);
}

/** Log line of the next exchange to end, and its count in the metrics. */
async function outcomeOf(act: () => Promise<void>) {
  const counted = async (): Promise<string[]> =>
    (await plane.service.metrics.read())
      .filter(({ name }) => name === "holdfast_requests_total")
      .flatMap(({ name, values }) =>
        values.map(
          ({ labels: { operation, status }, value }) => `${name}{operation="${operation}",status="${status}"} ${value}`,
        ),
      );
  const lines = () => {
    plane.service.log.flush();
    return plane.logged.join("").split("\n").filter(Boolean);
  };
  const [linesBefore, countedBefore] = [lines().length, await counted()];
  await act();
  await until(async () => (await counted()).join() !== countedBefore.join());
  const logged = lines()
    .slice(linesBefore)
    .map((line) => JSON.parse(line));
  return {
    logged: logged.map(({ level, message, operation, status }) => ({ level, message, operation, status })),
    counted: (await counted()).filter((line) => !countedBefore.includes(line)),
  };
}

/** Lets a list of tasks wait where the unit is chosen, and then go on or fail. */
async function leaveWhileWaiting(goOn: () => Promise<void>) {
  const { unitAccess } = plane.service;
  const gate = Promise.withResolvers<void>();
  plane.service.unitAccess = async (...given) => {
    await gate.promise;
    await goOn();
    return unitAccess(...given);
  };
  const inFlight = () => plane.service.admission.inFlight();
  const outcome = await outcomeOf(async () => {
    const request = `GET /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = await begin(request, () => inFlight() === 1);
    socket.destroy();
    // Many turns, in one of which the server sees that the connection is closed, however long each takes.
    for (let turn = 0; turn < 30; turn++) await Bun.sleep(2);
    gate.resolve();
  });
  plane.service.unitAccess = unitAccess;
  return outcome;
}

const head = "POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

test.each([
  ["of a length that was announced", `${head}Content-Length: 100\r\n\r\n{"email":`],
  ["in chunks", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n`],
])("a client that leaves within its body, %s, is counted as 499 and logged at debug alone", async (_, bytes) => {
  const outcome = await outcomeOf(async () => {
    const socket = await begin(bytes, () => plane.service.admission.pendingBodies() === 1);
    socket.destroy();
  });
  expect(outcome.logged).toEqual([{ level: "debug", message: "request", operation: "sign-in", status: 499 }]);
  expect(outcome.counted).toEqual([
    expect.stringMatching(/^holdfast_requests_total\{operation="sign-in",status="499"\} \d$/),
  ]);
  expect([plane.service.admission.inFlight(), plane.service.admission.pendingBodies()]).toEqual([0, 0]);
});

test("a client that leaves before its answer is counted as 499 and logged at debug alone", async () => {
  const outcome = await leaveWhileWaiting(async () => {});
  expect(outcome).toEqual({
    logged: [{ level: "debug", message: "request", operation: "list-tasks", status: 499 }],
    counted: ['holdfast_requests_total{operation="list-tasks",status="499"} 1'],
  });
});

test("a fault of ours is logged as one, also when the client has left", async () => {
  const outcome = await leaveWhileWaiting(() => Promise.reject(new TypeError("This is ours.")));
  expect(outcome).toEqual({
    logged: [
      { level: "error", message: "A request broke.", operation: undefined, status: undefined },
      { level: "debug", message: "request", operation: "list-tasks", status: 499 },
    ],
    counted: ['holdfast_requests_total{operation="list-tasks",status="499"} 2'],
  });
});

test("something that was aborted while the client waits is a fault of ours", async () => {
  const { unitAccess } = plane.service;
  plane.service.unitAccess = () => Promise.reject(new DOMException("The connection was closed.", "AbortError"));
  const outcome = await outcomeOf(async () => {
    expect((await plane.ask("/tasks", { token })).status).toBe(500);
  });
  plane.service.unitAccess = unitAccess;
  expect(outcome).toEqual({
    logged: [
      { level: "error", message: "A request broke.", operation: undefined, status: undefined },
      { level: "warn", message: "request", operation: "list-tasks", status: 500 },
    ],
    counted: ['holdfast_requests_total{operation="list-tasks",status="500"} 1'],
  });
});
