import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { at, leaseShown, refusal, someError, taskShown } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { id: operatorId, token: operator } = await plane.serviceToken("operator");
const { token: owner } = await plane.serviceToken("owner");

const shownOf = async (id: string) => (await plane.read(id)).body;
const abort = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  plane.update(id, { status: "aborting", ...body }, { token: operator, headers });
async function begin(body: object = {}): Promise<string> {
  return (await plane.create({ can_abort: true, lease_seconds: 30, ...body })).body.id;
}

test("an abort is asked for with a reason, and the runner hears of both with its next report", async () => {
  const id = await begin();
  const asked = { requested_timestamp: at(plane), requested_by: operatorId, reason: "the disk is needed" };
  const { status, body, headers } = await abort(id, { reason: " the disk\nis needed " });
  const shown = taskShown(plane, id, { status: "aborting", abort: asked });
  expect([status, body]).toEqual([200, shown]);
  const read = await plane.read(id);
  expect([read.body, read.headers.get("etag")]).toEqual([shown, headers.get("etag")]);
  const lease = leaseShown({ expires_in_seconds: 30, abort_requested: true, abort_reason: "the disk is needed" });
  expect((await plane.update(id, {})).body).toEqual({ id, status: "aborting", lease });
  const progress = await plane.update(id, { progress_percentage: 10 });
  expect(progress.body).toMatchObject({ status: "aborting", progress_percentage: 10, lease });
});

test("asking again is answered with what was asked for first", async () => {
  const id = await begin();
  const first = await abort(id, { reason: "one" });
  plane.step(1_000);
  const second = await abort(id, { reason: "two" });
  expect([second.status, second.body]).toEqual([200, first.body]);
});

test("the runner says what it did, and what really happened is what stands", async () => {
  const done = { signals: ["INT", "KILL"], process_tree_ended: true };
  for (const end of [{ status: "aborted" }, { status: "completed" }, { status: "failed", error: someError }]) {
    const id = await begin();
    const { body: asked } = await abort(id);
    const ended = await plane.update(id, { ...end, abort: done });
    expect(ended.body).toMatchObject({ status: end.status, abort: { ...asked.abort, ...done }, lease: null });
  }
});

test("what cannot be aborted is refused: it cannot, is silent, has ended, was imported", async () => {
  const unable = await begin({ can_abort: false });
  expect(refusal(await abort(unable))).toEqual([409, 40910]);
  const silent = await begin();
  await plane.pass(16);
  expect((await shownOf(silent)).is_abortable).toBe(false);
  expect(refusal(await abort(silent))).toEqual([409, 40910]);
  const ended = await begin({ status: "completed" });
  expect(refusal(await abort(ended))).toEqual([409, 40910]);
  const [imported] = await plane.addTasks([{ status: "in_progress", end_timestamp: null, outcome: null }]);
  expect(refusal(await abort(imported?.id ?? ""))).toEqual([409, 40910]);
});

test("an abort says nothing else, and a reason has at most 200 characters", async () => {
  const id = await begin();
  expect(refusal(await abort(id, { progress_percentage: 1 }))).toEqual([422, 42201, "/progress_percentage"]);
  expect(refusal(await abort(id, { reason: "x".repeat(201) }))).toEqual([422, 42201, "/reason"]);
  expect(refusal(await abort(id, { reason: 1 }))).toEqual([422, 42201, "/reason"]);
  expect((await shownOf(id)).status).toBe("in_progress");
  expect((await abort(id, { reason: "x".repeat(200) })).body.abort.reason).toBe("x".repeat(200));
});

test("If-Match speaks of the task but for what is restless: progress, heartbeats and liveness", async () => {
  const id = await begin();
  const before = await plane.read(id);
  const etag = before.headers.get("etag") ?? "";
  plane.step(1_000);
  await plane.update(id, { progress_percentage: 20, progress_message: "on" });
  await plane.pass(16);
  expect((await shownOf(id)).liveness).toBe("silent");
  await plane.update(id, { progress_percentage: 30 });
  expect(refusal(await abort(id, {}, { "If-Match": '"1-stale"' }))).toEqual([412, 41201]);
  expect((await shownOf(id)).status).toBe("in_progress");
  expect((await abort(id, {}, { "If-Match": etag })).status).toBe(200);
  expect(refusal(await abort(id, {}, { "If-Match": etag }))).toEqual([412, 41201]);
});

test("an abort is in the audit trail, and reports are not", async () => {
  const id = await begin();
  await plane.update(id, { progress_percentage: 1 });
  const asked = await abort(id, { reason: "why not" });
  await plane.update(id, { status: "aborted" });
  const filter = encodeURIComponent(JSON.stringify({ object_id: id }));
  const { body } = await plane.ask(`/audit-events?filter=${filter}`, { token: owner });
  expect(body._embedded.items).toMatchObject([
    {
      operation: "update-task",
      object: { type: "task", id },
      request_id: asked.headers.get("x-request-id"),
      result: "done",
      before: { status: "in_progress" },
      after: { status: "aborting", reason: "why not" },
    },
  ]);
  expect(body._embedded.items.length).toBe(1);
});

test("an abort that its runner does not end is overdue while the runner is heard of, and lost once it is not", async () => {
  const id = await begin({ abort_grace_seconds: 5 });
  await plane.sweep();
  await abort(id);
  for (let time = 0; time < 3; time++) {
    await plane.pass(11);
    await plane.update(id, {});
  }
  expect(await shownOf(id)).toMatchObject({ status: "aborting" });
  await plane.pass(4);
  expect(await shownOf(id)).toMatchObject({ status: "aborting", liveness: "overdue" });
  await plane.pass(31);
  const lost = await shownOf(id);
  expect(lost).toMatchObject({ status: "failed", outcome: "lost", error: { code: "abort_unconfirmed" } });
  const again = await plane.update(id, {});
  expect(again.body).toMatchObject({
    status: "aborting",
    revised_timestamp: at(plane),
    error: null,
    lease: { abort_requested: true },
  });
});

test("who may abort, and nothing else, may do that alone; who may only report may not", async () => {
  const role = { name: "Stops tasks", permissions: ["tasks:abort"] };
  const { body: made } = await plane.ask("/roles", { method: "POST", token: owner, body: role });
  const wanted = { name: "stopper", kind: "service", role_id: made.id };
  const { body: stopper } = await plane.ask("/api-tokens", { method: "POST", token: owner, body: wanted });
  const id = await begin();
  expect(refusal(await plane.update(id, { status: "aborting" }))).toEqual([403, 40302]);
  expect(refusal(await plane.update(id, {}, { token: stopper.token }))).toEqual([403, 40302]);
  expect(refusal(await plane.create({}, { token: stopper.token }))).toEqual([403, 40302]);
  const aborted = await plane.update(id, { status: "aborting" }, { token: stopper.token });
  expect([aborted.status, aborted.body.status]).toEqual([200, "aborting"]);
});
