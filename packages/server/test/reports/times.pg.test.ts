import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { at, leaseShown, refusal, taskShown, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
// A step back must not lead to before the tokens were made.
plane.step(3 * 3_600_000);
const minute = 60_000;
const day = 86_400_000;

test("a task that began a while ago stands where it began, and says when it was heard of", async () => {
  const { body } = await plane.create({ age_ms: 10 * minute });
  const began = at(plane, -10 * minute);
  expect(body).toEqual({
    ...taskShown(plane, body.id, {
      created_timestamp: began,
      start_timestamp: began,
      received_timestamp: at(plane),
    }),
    lease: leaseShown(),
  });
});

test("a task that is heard of within a minute does not say when", async () => {
  const { body } = await plane.create({ age_ms: minute });
  expect([body.created_timestamp, body.received_timestamp]).toEqual([at(plane, -minute), undefined]);
  const late = await plane.create({ age_ms: minute + 1 });
  expect(late.body.received_timestamp).toBe(at(plane));
});

test("a task that is reported at its end was created and began so long before its end as it took", async () => {
  const { body } = await plane.create({ status: "completed", age_ms: 5 * minute, duration_ms: 20 * minute });
  const began = at(plane, -25 * minute);
  expect(body).toEqual({
    ...taskShown(plane, body.id, {
      status: "completed",
      outcome: "success",
      progress_percentage: 100,
      created_timestamp: began,
      start_timestamp: began,
      end_timestamp: at(plane, -5 * minute),
      received_timestamp: at(plane),
    }),
    lease: null,
  });
});

test("ages go back 7 days, and durations 30 days more", async () => {
  const { body } = await plane.create({ status: "completed", age_ms: 7 * day, duration_ms: 30 * day });
  expect([body.created_timestamp, body.end_timestamp]).toEqual([at(plane, -37 * day), at(plane, -7 * day)]);
  expect(refusal(await plane.create({ age_ms: 7 * day + 1 }))).toEqual([422, 42201, "/age_ms"]);
});

test("an end, progress and a claim happened when their age says, but never before what came before them", async () => {
  const queued = await plane.create({ status: "queued" });
  plane.step(10 * minute);
  const claim = { status: "in_progress", claim_id: uuid(1), age_ms: 4 * minute };
  const claimed = await plane.update(queued.body.id, claim);
  expect(claimed.body.start_timestamp).toBe(at(plane, -4 * minute));
  const progress = await plane.update(queued.body.id, { progress_percentage: 1, age_ms: minute });
  expect(progress.body.last_progress_timestamp).toBe(at(plane, -minute));
  const ended = await plane.update(queued.body.id, { status: "completed", age_ms: 5 * day });
  expect([ended.body.created_timestamp, ended.body.start_timestamp, ended.body.end_timestamp]).toEqual([
    at(plane, -10 * minute),
    at(plane, -4 * minute),
    at(plane, -4 * minute),
  ]);
  const early = await plane.create({ status: "queued" });
  const before = await plane.update(early.body.id, { ...claim, age_ms: 7 * day });
  expect(before.body.start_timestamp).toBe(early.body.created_timestamp);
});

test("after the clock stepped back, order counts for more than the time", async () => {
  const { body } = await plane.create({});
  const began = body.start_timestamp;
  plane.step(-3_600_000);
  const further = await plane.update(body.id, { progress_percentage: 10 });
  expect(further.body.last_progress_timestamp).toBe(began);
  const ended = await plane.update(body.id, { status: "completed" });
  expect([ended.status, ended.body.start_timestamp, ended.body.end_timestamp]).toEqual([200, began, began]);
  plane.step(3_600_000);
});

test("no step of the wall clock ends the lease of a runner that reports", async () => {
  const { body } = await plane.create({ lease_seconds: 30 });
  for (const step of [3_600_000, -7_200_000, 3_600_000]) {
    plane.step(step);
    await plane.pass(10);
    expect((await plane.update(body.id, {})).body.status).toBe("in_progress");
  }
  const { lease: _, ...task } = body;
  expect((await plane.read(body.id)).body).toEqual(task);
});

test("a task that is put back in time stands there in lists, newest first", async () => {
  const { token } = await plane.serviceToken("viewer");
  const late = await plane.create({ id: uuid(2), age_ms: 7 * day });
  const list = await plane.ask("/tasks?limit=1000", { token });
  const shown: { id: string; created_timestamp: string }[] = list.body._embedded.items;
  const times = shown.map(({ created_timestamp }) => created_timestamp);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(shown.map(({ id }) => id)).toContain(late.body.id);
});
