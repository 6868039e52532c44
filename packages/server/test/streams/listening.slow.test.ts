import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { createApp } from "../../src/http/app";
import { type HttpListener, listen as serve } from "../../src/http/listen";
import { openPlane } from "../harness";
import { timeLimit } from "../runs";
import { eventsOf, listen } from "./watch";

const plane = await openPlane({}, undefined, { maxWaitMs: 2_000, maxWaitingBytes: 1_048_576 });
const { token } = await plane.serviceToken("viewer");
afterAll(plane.close);

let server: HttpListener;
beforeEach(() => {
  const app = createApp(plane.service);
  server = serve({
    host: "127.0.0.1",
    port: 0,
    idleSeconds: 2,
    answer: (request, connection) => app.fetch(request, connection),
  });
});
afterEach(() => server.stop());

/** Asks for a stream over a socket, and reads nothing. */
function takeNothing() {
  const socket = connect(server.port, "127.0.0.1", () => {
    socket.write(`GET /task-events?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
  socket.pause();
  socket.on("error", () => {});
  return socket;
}

async function until(isSo: () => boolean) {
  for (const deadline = performance.now() + 60_000; !isSo() && performance.now() < deadline; ) await Bun.sleep(50);
  return isSo();
}

test("T38: a client that takes nothing is let go, and its stream keeps nothing", async () => {
  const text = "x".repeat(8_000);
  const error = { code: "host_unreachable", message: text, remedy: text };
  await plane.addTasks(Array.from({ length: 1_000 }, () => ({ status: "failed", outcome: "error", error })));
  const socket = takeNothing();
  expect(await until(() => plane.service.taskFeed.count() === 1)).toBe(true);
  expect(await until(() => plane.service.taskFeed.count() === 0)).toBe(true);
  // The connection is cut, too: what was not taken is lost, and stop() need not wait for it.
  const stoppedAt = performance.now();
  await Bun.sleep(8_000);
  await server.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(8_000 + timeLimit(1_500));
  socket.destroy();
}, 120_000);

test("a stream may be silent for longer than a connection may be idle, and ends when the service drains", async () => {
  const headers = { Authorization: `Bearer ${token}` };
  const one = listen(await fetch(`http://127.0.0.1:${server.port}/task-events?limit=1`, { headers }));
  await one.until((heard) => heard.length > 0);
  await Bun.sleep(7_000);
  await plane.addTasks([{}]);
  await one.until((heard) => heard.length > 2);
  plane.service.taskFeed.close();
  await one.ended;
  expect(eventsOf(one.heard)).toEqual(["snapshot", "reset", "snapshot"]);
  const refused = await fetch(`http://127.0.0.1:${server.port}/task-events`, { headers });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
}, 120_000);
