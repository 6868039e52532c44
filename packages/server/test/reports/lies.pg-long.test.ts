import { afterAll, expect, test } from "bun:test";
import { createApp } from "../../src/http/app";
import { readAnswer } from "../harness";
import { recountTasks } from "../recount";
import { openReportingPlane } from "./reporting-plane";
import { at, refusal, someError, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const app = createApp(plane.service);
const mine = await plane.addUnit("Mine");
const theirs = await plane.addUnit("Theirs");
const { token } = await plane.serviceToken("reporter", mine);
const { token: liar } = await plane.serviceToken("operator", theirs);

let count = 0;
const nextId = () => uuid(++count);
const shownOf = async (id: string) => (await plane.read(id)).body;
const begin = async (body: object = {}): Promise<string> => (await plane.create(body, { token })).body.id;

/** Sends a text as the body of a report. */
async function send(id: string, text: string) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return readAnswer(await app.request(`http://localhost/tasks/${id}`, { method: "PATCH", headers, body: text }));
}

test("T27: a runner reports on no task of another unit, by whatever road", async () => {
  const id = await begin({ can_abort: true });
  const queued = await begin({ status: "queued" });
  const before = [await shownOf(id), await shownOf(queued)];
  const claim = { status: "in_progress", claim_id: nextId() };
  const updates = [
    {},
    { progress_percentage: 50 },
    { status: "completed" },
    { attempt: 2, ...claim },
    { status: "aborting" },
  ];
  for (const said of updates) expect(refusal(await plane.update(id, said, { token: liar }))).toEqual([404, 40402]);
  expect(refusal(await plane.update(queued, claim, { token: liar }))).toEqual([404, 40402]);
  const reports = [id, queued].map((task_id) => ({ operation: "update", task_id, body: claim }));
  const { body } = await plane.batch(reports, { token: liar });
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([404, 404]);
  expect(refusal(await plane.create({ organizational_unit_id: mine }, { token: liar }))).toEqual([403, 40301]);
  expect(refusal(await plane.create({}, { token: liar, unit: mine }))).toEqual([403, 40301]);
  expect([await shownOf(id), await shownOf(queued)]).toEqual(before);
});

test("T27: an old update after a newer one changes nothing", async () => {
  const id = await begin();
  await plane.update(id, { sequence: 9, progress_percentage: 90, progress_message: "new" }, { token });
  const before = await shownOf(id);
  for (const old of [
    { sequence: 8, progress_percentage: 95, progress_message: "old" },
    { sequence: 8, status: "failed", error: someError },
    { sequence: 9, status: "completed" },
  ]) {
    expect((await plane.update(id, old, { token })).status).toBe(200);
    expect(await shownOf(id)).toEqual(before);
  }
});

test("T27: what has ended does not run again", async () => {
  for (const end of [{ status: "completed" }, { status: "failed", error: someError }, { status: "aborted" }]) {
    const id = await begin(end);
    const { late_report: _, ...before } = await shownOf(id);
    const tries = [
      { status: "in_progress" },
      { status: "in_progress", sequence: 1000 },
      { status: "in_progress", attempt: 2, claim_id: nextId() },
      { progress_percentage: 1 },
      {},
    ];
    for (const said of tries) expect(refusal(await plane.update(id, said, { token }))).toEqual([409, 40906]);
    const { late_report, ...after } = await shownOf(id);
    expect(after).toEqual(before);
    expect(late_report.status).toBe("in_progress");
  }
});

test("T27: a percentage is a whole number from 0 to 100", async () => {
  const id = await begin({ progress_percentage: 10 });
  for (const value of ["101", "-1", "1e3", "50.5", '"50"', "null", "true"]) {
    const answer = await send(id, `{"progress_percentage":${value}}`);
    expect([value, ...refusal(answer)]).toEqual([value, 422, 42201, "/progress_percentage"]);
  }
  expect((await send(id, '{"progress_percentage":1e400}')).status).toBe(422);
  for (const value of ["NaN", "Infinity", "-Infinity", "0x10", "+5", "05"]) {
    expect([value, ...refusal(await send(id, `{"progress_percentage":${value}}`))]).toEqual([value, 400, 40015]);
  }
  expect((await shownOf(id)).progress_percentage).toBe(10);
});

test("T27: a report of 10 MB is refused, alone and in a batch, and nothing of it is stored", async () => {
  const id = await begin();
  const before = await shownOf(id);
  const large = "x".repeat(10_000_000);
  expect(refusal(await plane.update(id, { progress_message: large }, { token }))).toEqual([413, 41301]);
  const error = { code: "x", message: large, remedy: large };
  expect(refusal(await plane.update(id, { status: "failed", error }, { token }))).toEqual([413, 41301]);
  const body = { progress_message: large };
  expect(refusal(await plane.batch([{ operation: "update", task_id: id, body }], { token }))).toEqual([413, 41301]);
  expect(await shownOf(id)).toEqual(before);
});

test("T27: no report says at what time by the clock something was", async () => {
  const id = await begin();
  const forged = "2001-01-01T00:00:00.000Z";
  const fields = [
    "created_timestamp",
    "start_timestamp",
    "end_timestamp",
    "last_heartbeat_timestamp",
    "revised_timestamp",
  ];
  for (const field of fields) {
    expect(refusal(await plane.update(id, { [field]: forged }, { token }))).toEqual([422, 42201, `/${field}`]);
    expect(refusal(await plane.create({ [field]: forged }, { token }))).toEqual([422, 42201, `/${field}`]);
  }
  // An age is at most 7 days, and an end never lies before its beginning.
  const ended = await plane.update(id, { status: "completed", age_ms: 604_800_000 }, { token });
  expect([ended.body.created_timestamp, ended.body.end_timestamp]).toEqual([at(plane), at(plane)]);
});

test("T27: of 8 parallel duplicates one has an effect", async () => {
  const eight = <Result>(act: () => Promise<Result>) => Promise.all(Array.from({ length: 8 }, act));
  const id = nextId();
  const created = await eight(() => plane.create({ id }, { token }));
  expect(created.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  const further = { sequence: 1, progress_percentage: 30 };
  const moved = await eight(() => plane.update(id, further, { token }));
  expect(moved.map(({ status, body }) => [status, body.lease.sequence])).toEqual(Array(8).fill([200, 1]));
  const ended = await eight(() => plane.update(id, { sequence: 2, status: "completed" }, { token }));
  expect(ended.map(({ status, body }) => [status, body.status])).toEqual(Array(8).fill([200, "completed"]));
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("tasks").select(["status"]).where("id", "=", id).execute(),
  );
  expect(rows).toEqual([{ status: "completed" }]);
});

test("T27: after all of this the counts are what the tasks give", async () => {
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
});
