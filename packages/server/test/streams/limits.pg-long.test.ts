import { afterAll, expect, test } from "bun:test";
import { openPlane } from "../harness";
import { eventsOf, watch } from "./watch";

const plane = await openPlane({ watch_limit: "12" }, undefined, { commentEvery: 500, life: 3_000 });
afterAll(plane.close);
/** Whose streams stay open, however long a slow machine takes to open as many as there may be. */
const lasting = await openPlane({ watch_limit: "12" });
afterAll(lasting.close);
const { token: first } = await plane.serviceToken("viewer");

test("a stream has the headers that keep it from being stored or held up, and no ETag", async () => {
  const one = await watch(plane, "", { token: first });
  const names = ["content-type", "cache-control", "x-accel-buffering", "etag", "content-encoding", "content-length"];
  expect(names.map((name) => one.response.headers.get(name))).toEqual([
    "text/event-stream; charset=utf-8",
    "no-store",
    "no",
    null,
    null,
    null,
  ]);
  await one.close();
});

test("HEAD has the headers of a stream, and leaves none open", async () => {
  const { status, headers, text } = await plane.ask("/task-events", { method: "HEAD", token: first });
  expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
  expect(plane.service.taskFeed.count()).toBe(0);
});

test("a stream says that it is alive, and is closed after its time", async () => {
  const startedAt = performance.now();
  const one = await watch(plane, "", { token: first });
  await one.ended;
  expect(performance.now() - startedAt).toBeGreaterThan(2_900);
  expect(one.text().match(/^: .+\n\n/gm)?.length).toBeGreaterThanOrEqual(2);
  expect(eventsOf(one.heard)).toEqual(["snapshot"]);
});

test("T38: a token may have 10 streams, and the process as many as it is set to", async () => {
  const { token: mineAlone } = await lasting.serviceToken("viewer");
  const { token: another } = await lasting.serviceToken("viewer");
  const mine = await Promise.all(Array.from({ length: 10 }, () => watch(lasting, "", { token: mineAlone })));
  const refused = await lasting.ask("/task-events", { token: mineAlone });
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
  const theirs = await Promise.all(Array.from({ length: 2 }, () => watch(lasting, "", { token: another })));
  const full = await lasting.ask("/task-events", { token: another });
  expect([full.status, full.headers.has("retry-after")]).toEqual([503, true]);
  await mine[0]?.close();
  const again = await watch(lasting, "", { token: another });
  expect(again.response.status).toBe(200);
  expect(lasting.service.admission.inFlight()).toBe(0);
  await Promise.all([...mine, ...theirs, again].map((one) => one.close()));
  expect(lasting.service.taskFeed.count()).toBe(0);
});

test("a stream that cannot begin is refused like a list, and leaves nothing open", async () => {
  const answer = await plane.ask("/task-events", { token: first, unit: "00000000-0000-4000-8000-00000000ffff" });
  expect([answer.status, plane.service.taskFeed.count()]).toEqual([403, 0]);
});
