import { afterAll, expect, test } from "bun:test";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { createLongPolls } from "../../src/resources/tasks/reports/long-polls";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { openPlane, readAnswer } from "../harness";
import { timeLimit } from "../runs";
import { leaseShown } from "./shapes";

const plane = await openPlane();
/** Another process on the same database. */
const other = await openPlane({}, plane.folder);
const app = createApp(plane.service);
const listener = listen({
  host: "127.0.0.1",
  port: 0,
  answer: (request, connection) => app.fetch(request, connection),
});
const sweeper = startLeaseSweep({ ...plane.service, monotonic: () => performance.now() });
const { token } = await plane.serviceToken("reporter");
const { token: operator } = await plane.serviceToken("operator");
afterAll(async () => {
  await sweeper.stop();
  await listener.stop();
  await other.close();
  await plane.close();
});

const begin = async (body: object = {}): Promise<string> => {
  const sent = { category: "backup", type: "restic_backup", can_abort: true, ...body };
  return (await plane.ask("/tasks", { method: "POST", token, body: sent })).body.id;
};

/** Sends a heartbeat over a real connection, and gives its answer with the time that it took. */
async function beat(id: string, wait_seconds: number, signal?: AbortSignal) {
  const startedAt = performance.now();
  const sent = fetch(`http://127.0.0.1:${listener.port}/tasks/${id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Host: "localhost" },
    body: JSON.stringify({ wait_seconds }),
    ...(signal ? { signal } : {}),
  });
  const { status, body } = await readAnswer(await sent);
  return { status, body, seconds: (performance.now() - startedAt) / 1000 };
}

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !condition() && performance.now() < deadline; ) await Bun.sleep(5);
  expect(condition()).toBe(true);
}

const held = () => plane.service.held.count();

test("a held heartbeat is answered within 2 seconds of an abort that another process took", async () => {
  const id = await begin();
  const answer = beat(id, 30);
  await until(() => held() === 1);
  // A held request keeps nothing busy.
  expect(plane.service.admission.inFlight()).toBe(0);
  const askedAt = performance.now();
  const asked = await other.ask(`/tasks/${id}`, {
    method: "PATCH",
    token: operator,
    body: { status: "aborting", reason: "now" },
  });
  expect(asked.status).toBe(200);
  const { status, body } = await answer;
  expect((performance.now() - askedAt) / 1000).toBeLessThan(timeLimit(2));
  const lease = leaseShown({ abort_requested: true, abort_reason: "now" });
  expect([status, body]).toEqual([200, { id, status: "aborting", lease }]);
  // There is nothing left to wait for.
  expect((await beat(id, 30)).seconds).toBeLessThan(timeLimit(1));
});

test("a heartbeat is held as long as it asks for, and at most for a sixth of its lease", async () => {
  const [short, long] = [await begin({ lease_seconds: 30 }), await begin({ lease_seconds: 600 })];
  const [capped, asked, none] = await Promise.all([beat(short, 30), beat(long, 2), beat(long, 0)]);
  expect(capped.seconds).toBeGreaterThan(4.9);
  expect(capped.seconds).toBeLessThan(20);
  expect(asked.seconds).toBeGreaterThan(1.9);
  expect(asked.seconds).toBeLessThan(timeLimit(4));
  expect(none.seconds).toBeLessThan(timeLimit(1));
  expect(capped.body).toEqual({ id: short, status: "in_progress", lease: leaseShown({ expires_in_seconds: 30 }) });
});

test("a client that leaves is waited for no longer", async () => {
  const id = await begin();
  const client = new AbortController();
  const answer = beat(id, 30, client.signal).catch((error: Error) => error.name);
  await until(() => held() === 1);
  client.abort();
  expect(await answer).toBe("AbortError");
  await until(() => held() === 0 && plane.service.admission.inFlight() === 0);
});

test("a task that ends while its heartbeat is held is told so", async () => {
  const id = await begin();
  const answer = beat(id, 3);
  await until(() => held() === 1);
  await plane.ask(`/tasks/${id}`, { method: "PATCH", token, body: { status: "completed" } });
  const { status, body } = await answer;
  expect([status, body.errors[0].error_code]).toEqual([409, 40906]);
});

test("beyond as many as can be held none is, and once closed none is any more", async () => {
  const places = createLongPolls(2);
  const { signal } = new AbortController();
  const waits = [places.wait("a", 60_000, signal), places.wait("b", 60_000, signal)];
  await places.wait("c", 60_000, signal);
  expect(places.count()).toBe(2);
  places.wake("a");
  await waits[0];
  expect(places.count()).toBe(1);
  places.close();
  await waits[1];
  await places.wait("d", 60_000, signal);
  expect(places.count()).toBe(0);
});

test("T21: one unit holds half of all heartbeats back at most; beyond that it is answered at once", async () => {
  const places = createLongPolls(40);
  const { signal } = new AbortController();
  const waits = Array.from({ length: 30 }, (_, n) => places.wait(`task ${n}`, 60_000, signal, ["unit a"]));
  expect(places.count()).toBe(20);
  void places.wait("another", 60_000, signal, ["unit b"]);
  expect(places.count()).toBe(21);
  places.close();
  await Promise.all(waits);
});
