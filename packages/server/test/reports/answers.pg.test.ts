import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { at, leaseShown, someError, taskShown, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);

test("a new task has begun now, with the defaults, and its runner learns when to report", async () => {
  const { status, headers, body } = await plane.create({});
  expect(status).toBe(201);
  expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(headers.get("location")).toBe(`/tasks/${body.id}`);
  expect(headers.get("content-type")).toBe("application/api.svc.tasks=v1+json");
  expect(body).toEqual({ ...taskShown(plane, body.id), lease: leaseShown() });
  expect((await plane.read(body.id)).body).toEqual(taskShown(plane, body.id));
});

test("a new task has everything that was said of it", async () => {
  const given = {
    id: uuid(1).toUpperCase(),
    category: "restore",
    type: "borg_extract",
    name: "Friday’s restore",
    primary_entity: { type: "host", value: "db-01" },
    runner: { host: "node-7", version: "holdfast 1.0.0" },
    progress_percentage: 40,
    progress_message: "unpacking",
    attempt: 3,
    sequence: 9,
    lease_seconds: 30,
    can_abort: true,
    abort_grace_seconds: 60,
    max_duration_seconds: 3600,
    stall_seconds: 600,
  };
  const { body } = await plane.create(given);
  expect(body).toEqual({
    ...taskShown(plane, uuid(1), {
      category: "restore",
      type: "borg_extract",
      name: "Friday’s restore",
      primary_entity: { id: "db-01", type: "host", value: "db-01" },
      runner: { host: "node-7", version: "holdfast 1.0.0" },
      progress_percentage: 40,
      progress_message: "unpacking",
      attempt: 3,
      is_abortable: true,
      last_progress_timestamp: at(plane),
    }),
    lease: leaseShown({ attempt: 3, sequence: 9, expires_in_seconds: 30 }),
  });
});

test("a queued task waits, can be aborted, and says how long it still waits", async () => {
  const { body } = await plane.create({ status: "queued" });
  const shown = { status: "queued", start_timestamp: null, is_abortable: true };
  expect(body).toEqual({ ...taskShown(plane, body.id, shown), lease: leaseShown({ expires_in_seconds: 86_400 }) });
  plane.step(3_600_000);
  const beat = await plane.update(body.id, {});
  expect(beat.body).toEqual({ id: body.id, status: "queued", lease: leaseShown({ expires_in_seconds: 82_800 }) });
});

test("a task that is reported at its end has no lease", async () => {
  const ended = { end_timestamp: at(plane) };
  const completed = await plane.create({ status: "completed" });
  expect(completed.body).toEqual({
    ...taskShown(plane, completed.body.id, {
      ...ended,
      status: "completed",
      progress_percentage: 100,
      outcome: "success",
    }),
    lease: null,
  });
  const failed = await plane.create({ status: "failed", error: someError });
  expect(failed.body).toEqual({
    ...taskShown(plane, failed.body.id, { ...ended, status: "failed", outcome: "error", error: someError }),
    lease: null,
  });
  const aborted = await plane.create({ status: "aborted" });
  expect(aborted.body).toEqual({
    ...taskShown(plane, aborted.body.id, { ...ended, status: "aborted", outcome: "cancelled" }),
    lease: null,
  });
});

test("a heartbeat is answered with the status and the lease, and changes nothing that is shown", async () => {
  const { body } = await plane.create({ progress_percentage: 3 });
  const before = await plane.read(body.id);
  plane.step(10_000);
  for (const beat of [{}, { body: {} }, { body: { attempt: 1 } }, { body: { attempt: 1, wait_seconds: 0 } }]) {
    const answer = await plane.ask(`/tasks/${body.id}`, { method: "PATCH", token: plane.runner, ...beat });
    expect([answer.status, answer.body]).toEqual([200, { id: body.id, status: "in_progress", lease: leaseShown() }]);
  }
  await plane.sweep();
  const after = await plane.read(body.id);
  expect([after.text, after.headers.get("etag")]).toEqual([before.text, before.headers.get("etag")]);
});

test("progress is shown, and with it when the runner was last heard of; a lower percentage is passed over", async () => {
  const { body } = await plane.create({});
  const created = { created_timestamp: at(plane), start_timestamp: at(plane) };
  plane.step(10_000);
  const first = await plane.update(body.id, { progress_percentage: 10, progress_message: "reading" });
  const shown = {
    ...created,
    progress_percentage: 10,
    progress_message: "reading",
    last_progress_timestamp: at(plane),
    last_heartbeat_timestamp: at(plane),
  };
  expect(first.body).toEqual({ ...taskShown(plane, body.id, shown), lease: leaseShown() });
  plane.step(10_000);
  const lower = await plane.update(body.id, { progress_percentage: 5 });
  expect(lower.body).toEqual({ ...taskShown(plane, body.id, shown), lease: leaseShown() });
  const quiet = await plane.update(body.id, { progress_message: "" });
  expect(quiet.body).toEqual({
    ...taskShown(plane, body.id, { ...created, progress_percentage: 10, last_progress_timestamp: at(plane) }),
    lease: leaseShown(),
  });
});

test("another entity is shown, and found by filters", async () => {
  const { body } = await plane.create({ primary_entity: { type: "host", value: "db-01" } });
  const moved = await plane.update(body.id, { primary_entity: { type: "host", value: "db-02", id: "2" } });
  const primary_entity = { id: "2", type: "host", value: "db-02" };
  expect(moved.body).toEqual({ ...taskShown(plane, body.id, { primary_entity }), lease: leaseShown() });
  const { token } = await plane.serviceToken("viewer");
  const found = await plane.ask(`/tasks?filter=${encodeURIComponent('{"primary_entity.value":"db-02"}')}`, { token });
  expect(found.body._embedded.items).toEqual([taskShown(plane, body.id, { primary_entity })]);
});

test("the lease and what the runner can do change with any report, which is not shown as progress", async () => {
  const { body } = await plane.create({});
  const changed = await plane.update(body.id, { lease_seconds: 600, can_abort: true });
  expect(changed.body).toEqual({
    ...taskShown(plane, body.id, { is_abortable: true }),
    lease: leaseShown({ expires_in_seconds: 600 }),
  });
});
