import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "../reports/reporting-plane";
import { watch } from "../streams/watch";
import { movedBy, openMetrics, scrape } from "./scrape";

const plane = await openReportingPlane(openMetrics);
afterAll(plane.close);
const { token: owner } = await plane.serviceToken("owner");

const moved = (act: () => Promise<unknown>) => movedBy(plane, act);
const begin = async (body: object = {}): Promise<string> => (await plane.create(body)).body.id;
const total = (status: string, outcome = "none", category = "backup") =>
  `holdfast_tasks_total{category="${category}",status="${status}",outcome="${outcome}"}`;
const reports = (kind: string, result = "accepted") => `holdfast_reports_total{kind="${kind}",result="${result}"}`;
const requests = (kind: string) => `holdfast_report_duration_seconds_count{kind="${kind}"}`;
const open = (status: string) => `holdfast_tasks_open{status="${status}"}`;
const held = (liveness: string) => `holdfast_leases_held{liveness="${liveness}"}`;
const error = { code: "x", message: "It broke.", remedy: "Mend it." };
const created = { [reports("create")]: 1, [requests("create")]: 1 };
const updated = { [reports("update")]: 1, [requests("update")]: 1 };

test("a created task is counted in its status, and as one that is open with a lease", async () => {
  expect(await moved(() => plane.create({ status: "queued", category: "restore" }))).toEqual({
    ...created,
    [total("queued", "none", "restore")]: 1,
    [open("queued")]: 1,
    [held("good")]: 1,
  });
  expect(await moved(() => plane.create({}))).toEqual({
    ...created,
    [total("in_progress")]: 1,
    [open("in_progress")]: 1,
    [held("good")]: 1,
  });
  expect(await moved(() => plane.create({ status: "completed", outcome: "warning", error }))).toEqual({
    ...created,
    [total("completed", "warning")]: 1,
  });
});

test("what is sent again is an accepted report, and counts no task a second time", async () => {
  const id = crypto.randomUUID();
  await plane.create({ id });
  expect(await moved(() => plane.create({ id }))).toEqual(created);
  const once = { token: plane.runner, headers: { "Idempotency-Key": "metrics" } };
  const repeat = () => plane.create({ status: "completed" }, once);
  expect(await moved(repeat)).toEqual({ ...created, [total("completed", "success")]: 1 });
  expect(await moved(repeat)).toEqual(created);
});

test("an update counts the status that a task comes to, and nothing where that stays", async () => {
  const id = await begin();
  expect(await moved(() => plane.update(id, { progress_percentage: 40 }))).toEqual(updated);
  expect(await moved(() => plane.update(id, { status: "failed", error }))).toEqual({
    ...updated,
    [total("failed", "error")]: 1,
    [open("in_progress")]: -1,
    [held("good")]: -1,
  });
  expect(await moved(() => plane.update(id, { status: "completed" }))).toEqual({
    [reports("update", "refused")]: 1,
    [requests("update")]: 1,
  });
});

test("heartbeats, logs and refused reports are counted by kind, and bytes of logs as they are stored", async () => {
  const id = await begin();
  expect(await moved(() => plane.update(id, {}))).toEqual({ [reports("heartbeat")]: 1, [requests("heartbeat")]: 1 });
  const log = (offset: number, text: string) =>
    plane.ask(`/tasks/${id}/log`, { method: "POST", token: plane.runner, body: { offset, text } });
  const logged = { [reports("log")]: 1, [requests("log")]: 1 };
  expect(await moved(() => log(0, "grün\n"))).toEqual({ ...logged, holdfast_task_log_bytes_total: 6 });
  expect(await moved(() => log(0, "grün\nblau\n"))).toEqual({ ...logged, holdfast_task_log_bytes_total: 5 });
  expect(await moved(() => log(0, "grün\n"))).toEqual(logged);
  expect(await moved(() => log(99, "a gap"))).toEqual({ [reports("log", "refused")]: 1, [requests("log")]: 1 });
  expect(await moved(() => plane.create({ category: "none" }))).toEqual({
    [reports("create", "refused")]: 1,
    [requests("create")]: 1,
  });
});

test("a batch is one request, and each of its reports is counted by itself", async () => {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const batch = () =>
    plane.batch([
      { operation: "create", task_id: first, body: { id: first, category: "backup", type: "restic_backup" } },
      { operation: "update", task_id: first, body: {} },
      { operation: "log", task_id: first, body: { offset: 0, text: "abc" } },
      { operation: "update", task_id: first, body: { status: "completed" } },
      { operation: "update", task_id: second, body: { status: "completed" } },
      { operation: "create", task_id: second, body: { id: second, category: "none", type: "x" } },
    ]);
  expect(await moved(batch)).toEqual({
    [requests("batch")]: 1,
    [reports("create")]: 1,
    [reports("create", "refused")]: 1,
    [reports("heartbeat")]: 1,
    [reports("log")]: 1,
    [reports("update")]: 1,
    [reports("update", "refused")]: 1,
    [total("in_progress")]: 1,
    [total("completed", "success")]: 1,
    holdfast_task_log_bytes_total: 3,
  });
});

test("an abort is counted: of a running task that it is asked for, of a queued one that it has happened", async () => {
  const running = await begin({ can_abort: true });
  const queued = await begin({ status: "queued" });
  const abort = (id: string) =>
    plane.ask(`/tasks/${id}`, { method: "PATCH", token: owner, body: { status: "aborting" } });
  expect(await moved(() => abort(running))).toEqual({
    [total("aborting")]: 1,
    [open("in_progress")]: -1,
    [open("aborting")]: 1,
  });
  expect(await moved(() => abort(running))).toEqual({});
  expect(await moved(() => abort(queued))).toEqual({
    [total("aborted", "cancelled")]: 1,
    [open("queued")]: -1,
    [held("good")]: -1,
  });
});

test("imported tasks are open if they have not ended, and counted nowhere else", async () => {
  expect(await moved(() => plane.addTasks([{ status: "in_progress" }, { status: "failed" }]))).toEqual({
    [open("in_progress")]: 1,
  });
});

test("a stream is open until its client leaves", async () => {
  const stream = await watch(plane, "", { token: owner });
  expect((await scrape(plane)).get("holdfast_streams_open")).toBe(1);
  await stream.close();
  expect((await scrape(plane)).get("holdfast_streams_open")).toBe(0);
});

test("leases that grow silent, are lost and revived, and queued tasks that expire are counted after the sweep", async () => {
  const other = await openReportingPlane(openMetrics);
  await other.create({ status: "queued", start_by_seconds: 60 });
  const { body } = await other.create({ lease_seconds: 30 });
  expect(await movedBy(other, () => other.pass(16))).toEqual({ [held("good")]: -1, [held("silent")]: 1 });
  expect(await movedBy(other, () => other.pass(20))).toEqual({
    [total("failed", "lost")]: 1,
    [open("in_progress")]: -1,
    [held("silent")]: -1,
    holdfast_leases_lost_total: 1,
  });
  expect(await movedBy(other, () => other.update(body.id, { progress_percentage: 9 }))).toEqual({
    ...updated,
    [total("in_progress")]: 1,
    [open("in_progress")]: 1,
    [held("good")]: 1,
    holdfast_leases_revived_total: 1,
  });
  await other.update(body.id, { status: "completed" });
  expect(await movedBy(other, () => other.pass(30))).toEqual({
    [total("failed", "expired")]: 1,
    [open("queued")]: -1,
    [held("good")]: -1,
  });
  await other.close();
});
