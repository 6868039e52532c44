import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { refusal, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const largest = 1_048_576;

let count = 0;
const nextId = () => uuid(++count);
const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
const total = async () =>
  (await plane.database.snapshot((db) => db.selectFrom("tasks").select("seq").execute())).length;

test("a task that is created with an Idempotency-Key is created once, without an id of the client's own", async () => {
  const before = await total();
  const first = await plane.create({}, withKey("once"));
  plane.step(1_000);
  const again = await plane.create({}, withKey("once"));
  expect([again.status, again.body, again.headers.get("location")]).toEqual([
    201,
    first.body,
    `/tasks/${first.body.id}`,
  ]);
  expect(await total()).toBe(before + 1);
  expect(refusal(await plane.create({ name: "another" }, withKey("once")))).toEqual([409, 40903, "Idempotency-Key"]);
});

test("of 8 parallel requests with one Idempotency-Key one has an effect, and all have one answer", async () => {
  const before = await total();
  const answers = await Promise.all(Array.from({ length: 8 }, () => plane.create({}, withKey("eight"))));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(await total()).toBe(before + 1);
});

test("a batch with an Idempotency-Key is written once, its refusals included", async () => {
  const id = nextId();
  const create = { operation: "create", task_id: id, body: { id, category: "backup", type: "x" } };
  const reports = [create, { operation: "update", task_id: nextId(), body: {} }];
  const first = await plane.batch(reports, withKey("batch"));
  expect(first.body.results.map(({ status }: { status: number }) => status)).toEqual([201, 404]);
  await plane.update(id, { status: "completed" });
  const again = await plane.batch(reports, withKey("batch"));
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(refusal(await plane.batch([create], withKey("batch")))).toEqual([409, 40903, "Idempotency-Key"]);
});

test("a request that is refused keeps no answer under its key", async () => {
  const id = nextId();
  await plane.create({ id });
  expect(refusal(await plane.create({ id, category: "restore" }, withKey("refused")))).toEqual([409, 40902, "/id"]);
  expect((await plane.create({ id: nextId(), category: "restore" }, withKey("refused"))).status).toBe(201);
});

test("a report whose sequence is not above the last changes nothing; gaps are allowed", async () => {
  const { body } = await plane.create({ sequence: 5 });
  const say = (sequence: number, progress_percentage: number) =>
    plane.update(body.id, { sequence, progress_percentage });
  const shown = [];
  for (const [sequence, percentage] of [
    [5, 10],
    [4, 20],
    [6, 30],
    [6, 40],
    [100, 50],
    [99, 60],
  ] as const) {
    const answer = await say(sequence, percentage);
    shown.push([answer.status, answer.body.progress_percentage, answer.body.lease.sequence]);
  }
  expect(shown).toEqual([
    [200, 0, 5],
    [200, 0, 5],
    [200, 30, 6],
    [200, 30, 6],
    [200, 50, 100],
    [200, 50, 100],
  ]);
});

test("heartbeats and reports without a number do not move the sequence", async () => {
  const { body } = await plane.create({});
  await plane.update(body.id, { sequence: 3, progress_percentage: 1 });
  await plane.update(body.id, {});
  const answer = await plane.update(body.id, { progress_percentage: 2 });
  expect(answer.body).toMatchObject({ progress_percentage: 2, lease: { sequence: 3 } });
});

test("sequences start again with each attempt", async () => {
  const { body } = await plane.create({ lease_seconds: 30, sequence: 50 });
  await plane.pass(31);
  const taken = await plane.update(body.id, { attempt: 2, status: "in_progress", claim_id: nextId(), sequence: 1 });
  expect(taken.body.lease).toMatchObject({ attempt: 2, sequence: 1 });
  const next = await plane.update(body.id, { sequence: 2, progress_percentage: 9 });
  expect(next.body).toMatchObject({ progress_percentage: 9, lease: { sequence: 2 } });
});

test("progress on a task that has ended is refused, but not where it was applied before", async () => {
  const { body } = await plane.create({});
  await plane.update(body.id, { sequence: 1, progress_percentage: 10 });
  await plane.update(body.id, { sequence: 2, status: "completed" });
  expect((await plane.update(body.id, { sequence: 1, progress_percentage: 10 })).status).toBe(200);
  expect(refusal(await plane.update(body.id, { sequence: 3, progress_percentage: 10 }))).toEqual([409, 40906]);
});

test("bodies that are malformed, too large, or no JSON are refused like all others", async () => {
  const { body } = await plane.create({});
  const raw = async (type: string, text: string) => {
    const ask = { method: "PATCH", token: plane.runner, headers: { "Content-Type": type } };
    // The harness sends JSON; a text in it is a text, whatever its type says.
    return refusal(await plane.ask(`/tasks/${body.id}`, { ...ask, body: text }));
  };
  expect(await raw("application/json", "x")).toEqual([400, 40015]);
  expect(await raw("text/plain", "x")).toEqual([415, 41501]);
  expect(await raw("application/json", "x".repeat(largest))).toEqual([413, 41301]);
});
