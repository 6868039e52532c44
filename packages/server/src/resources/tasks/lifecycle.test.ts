import { describe, expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import type { UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import { taskStatuses } from "@holdfast/api/resources/task-words";
import {
  acceptLog,
  applyReport,
  createTask,
  entityOf,
  expireTask,
  isFinished,
  isHeartbeat,
  type LifecycleStep,
  loseTask,
  missTask,
  type NewTask,
  noEndSignal,
  pingHolder,
  type Reporter,
  requestAbort,
  requireSameTask,
  setLiveness,
  type TrackedTask,
} from "./lifecycle";

// The fields of a task and the limits of time. truth/life-cycle.test.ts compares the transitions with a model.

const began = Date.parse("2026-11-15T12:00:00Z");
const [second, hour, day] = [1_000, 3_600_000, 86_400_000];
const at = (after: number) => new Date(began + after).toISOString();
const claim_id = "0f0e0d0c-0b0a-4908-8706-050403020100";
const error = { code: "disk_full", message: "No space left on device", remedy: "Free some space." };
const holder: Reporter = { holder: "a", mayRead: false };
const reader: Reporter = { holder: "b", mayRead: true };

const create = (given: Partial<NewTask> = {}) =>
  createTask({ id: "t", organizational_unit_id: "u", category: "backup", type: "restic_backup", ...given }, "a", began);
const report = (task: TrackedTask, body: UpdateTaskBody, after = 0, by = holder) =>
  applyReport(task, body, by, began + after);

/** The code of a refusal, or undefined if there is none. */
function codeOf(act: () => LifecycleStep | TrackedTask | undefined): number | undefined {
  try {
    const done = act();
    return done && "refusal" in done ? done.refusal?.body.errors[0]?.error_code : undefined;
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.body.errors[0]?.error_code;
    throw thrown;
  }
}
/** The error that is thrown, as it is answered. */
function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown instanceof ApiError ? thrown.body.errors[0] : thrown;
  }
}

test("completed, failed and aborted are the ends", () => {
  expect(taskStatuses.filter(isFinished)).toEqual(["completed", "failed", "aborted"]);
});

test("a report that only says that the runner lives is a heartbeat", () => {
  expect([{}, { attempt: 1 }, { wait_seconds: 30 }, { attempt: 1, wait_seconds: 30 }].map(isHeartbeat)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([{ sequence: 1 }, { attempt: 1, status: "in_progress" }].map(isHeartbeat)).toEqual([false, false]);
});

describe("a new task", () => {
  test("has what was said of it, and what is usual otherwise", () => {
    const { record, lease } = create();
    expect(record).toStrictEqual({
      id: "t",
      category: "backup",
      status: "in_progress",
      progress_percentage: 0,
      created_timestamp: at(0),
      type: "restic_backup",
      start_timestamp: at(0),
      end_timestamp: null,
      organizational_unit_id: "u",
      primary_entity: null,
      outcome: null,
      error: null,
      is_abortable: false,
      last_heartbeat_timestamp: at(0),
      last_progress_timestamp: null,
    });
    expect(lease).toEqual({
      task_id: "t",
      created_at: began,
      organizational_unit_id: "u",
      holder: "a",
      former_holders: "[]",
      claim_id: null,
      attempt: 1,
      sequence: 0,
      state: "in_progress",
      lease_seconds: 180,
      renewals: 1,
      waited_seconds: 0,
      liveness: "",
      can_abort: 0,
      abort_grace_seconds: 30,
      abort_requested_at: null,
      abort_reason: null,
      start_by_seconds: 86_400,
      max_duration_seconds: null,
      stall_seconds: null,
      received_at: began,
      started_at: began,
      progressed_at: began,
      log_size: 0,
      ended_at: null,
    });
  });

  test("keeps everything that was said", () => {
    const said = {
      name: "Nightly",
      operation: "etc",
      progress_percentage: 7,
      progress_message: "packing",
      attempt: 2,
      sequence: 4,
      monitor_id: "m",
      runner: { host: "h", version: "1" },
      primary_entity: { type: "host", value: "web-1" },
      can_abort: true,
      lease_seconds: 60,
      abort_grace_seconds: 5,
      start_by_seconds: 90,
      max_duration_seconds: 100,
      stall_seconds: 110,
    };
    const { record, lease } = create(said);
    expect(record).toMatchObject({
      ...{ name: "Nightly", operation: "etc", progress_percentage: 7, progress_message: "packing", attempt: 2 },
      ...{ monitor_id: "m", runner: said.runner, last_progress_timestamp: at(0), is_abortable: true },
      primary_entity: { id: "web-1", type: "host", value: "web-1" },
    });
    expect(lease).toMatchObject({
      ...{ attempt: 2, sequence: 4, can_abort: 1, lease_seconds: 60, abort_grace_seconds: 5, start_by_seconds: 90 },
      ...{ max_duration_seconds: 100, stall_seconds: 110 },
    });
  });

  test("does not repeat its type as its operation, nor its first attempt, nor an empty message", () => {
    const { record } = create({ operation: "restic_backup", attempt: 1, progress_message: "" });
    expect(["operation", "attempt", "progress_message"].filter((field) => field in record)).toEqual([]);
  });

  test("was created when it happened, and says so if that was more than a minute ago", () => {
    const late = create({ status: "completed", age_ms: hour, duration_ms: 10 * second });
    expect(late.record).toMatchObject({
      ...{ created_timestamp: at(-hour - 10 * second), start_timestamp: at(-hour - 10 * second) },
      ...{ end_timestamp: at(-hour), received_timestamp: at(0), last_heartbeat_timestamp: at(0) },
    });
    expect(late.lease).toMatchObject({ created_at: began - hour - 10 * second, received_at: began, ended_at: began });
    expect(create({ age_ms: 60_001 }).record.received_timestamp).toBe(at(0));
    expect(create({ age_ms: 60_000 }).record).not.toHaveProperty("received_timestamp");
    expect(create({ age_ms: 5 * second }).lease).toMatchObject({
      started_at: began - 5 * second,
      progressed_at: began - 5 * second,
    });
  });

  test("waits if it is queued, and can be aborted meanwhile", () => {
    const { record, lease } = create({ status: "queued" });
    expect(record).toMatchObject({ status: "queued", start_timestamp: null, is_abortable: true });
    expect(lease).toMatchObject({ state: "queued", started_at: null });
  });

  test("that is reported again has to be the same", () => {
    const task = create();
    const given: NewTask = { id: "t", organizational_unit_id: "u", category: "backup", type: "restic_backup" };
    const codes = [given, { ...given, organizational_unit_id: "v" }, { ...given, category: "restore" as const }].map(
      (one) => codeOf(() => void requireSameTask(task, one, "a")),
    );
    expect(codes).toEqual([undefined, 40902, 40902]);
    expect(codeOf(() => void requireSameTask(task, { ...given, type: "other" }, "a"))).toBe(40902);
    expect(errorOf(() => requireSameTask(task, given, "b"))).toMatchObject({ error_code: 40902, field: "/id" });
    expect(codeOf(() => void requireSameTask({ ...task, lease: undefined }, given, "a"))).toBe(40902);
  });

  test("protects what has its value as its id, if no other was given", () => {
    expect(entityOf(undefined)).toBeNull();
    expect(entityOf({ type: "host", value: "web-1" })).toEqual({ id: "web-1", type: "host", value: "web-1" });
    expect(entityOf({ id: "1", type: "host", value: "web-1" })).toEqual({ id: "1", type: "host", value: "web-1" });
  });
});

describe("a report", () => {
  test("is refused of a task without a lease", () => {
    expect(codeOf(() => report({ ...create(), lease: undefined }, {}))).toBe(40906);
  });

  test("renews the lease, and changes what it says", () => {
    const task = create({ progress_percentage: 10, progress_message: "packing" });
    const waiting = { ...task, lease: task.lease && { ...task.lease, waited_seconds: 9 } };
    const { record, lease } = report(waiting, { progress_percentage: 20, age_ms: second, sequence: 3 }, hour).task;
    expect(record).toMatchObject({
      ...{ progress_percentage: 20, progress_message: "packing", last_progress_timestamp: at(hour - second) },
    });
    expect(lease).toMatchObject({ renewals: 2, waited_seconds: 0, sequence: 3, progressed_at: began + hour });
  });

  test("that says nothing further is no progress", () => {
    const task = create({ progress_percentage: 10, progress_message: "packing" });
    for (const body of [{}, { progress_percentage: 9 }, { progress_percentage: 10, progress_message: "packing" }]) {
      const { record, lease } = report(task, body, hour).task;
      expect([record.last_progress_timestamp, lease?.progressed_at]).toEqual([at(0), began]);
      expect(record.progress_percentage).toBe(10);
    }
    const other = report(task, { progress_message: "sending" }, hour).task;
    expect([other.record.last_progress_timestamp, other.lease?.progressed_at]).toEqual([at(hour), began + hour]);
    expect(report(create(), { progress_message: "" }, hour).task.record).not.toHaveProperty("progress_message");
    expect(report(task, { progress_message: "" }, hour).task.record).not.toHaveProperty("progress_message");
  });

  test("never says that progress or the end was before the beginning", () => {
    const { record } = report(create(), { progress_percentage: 1, age_ms: day }, second).task;
    expect(record.last_progress_timestamp).toBe(at(0));
    const claimed = report(create({ status: "queued" }), { status: "in_progress", claim_id }, hour).task;
    const late = report(claimed, { progress_percentage: 1, age_ms: day }, 2 * hour).task;
    expect(late.record.last_progress_timestamp).toBe(at(hour));
    expect(report(claimed, { status: "completed", age_ms: day }, 2 * hour).task.record.end_timestamp).toBe(at(hour));
    // After a step back of the clock, too.
    expect(loseTask(claimed, began - hour).record.end_timestamp).toBe(at(hour));
  });

  test("that says once more that the task has begun needs no claim", () => {
    const task = report(create(), { status: "in_progress" }, second).task;
    expect([task.record.start_timestamp, task.lease?.renewals]).toEqual([at(0), 2]);
  });

  test("changes limits and the item, and leaves them if it does not name them", () => {
    const limits = { lease_seconds: 40, abort_grace_seconds: 6, max_duration_seconds: 70, stall_seconds: 80 };
    const entity = { id: "1", type: "host", value: "web-1" };
    const { record, lease } = report(create(), { ...limits, can_abort: true, primary_entity: entity }).task;
    expect([lease, record]).toMatchObject([
      { ...limits, can_abort: 1 },
      { primary_entity: entity, is_abortable: true },
    ]);
    const after = report({ record, lease }, {}).task;
    expect([after.lease, after.record]).toMatchObject([{ ...limits, can_abort: 1 }, { primary_entity: entity }]);
    expect(report(after, { can_abort: false }).task.lease?.can_abort).toBe(0);
  });

  test("that comes again, or out of order, changes nothing", () => {
    const task = create({ sequence: 5 });
    expect(report(task, { sequence: 5, status: "failed", error }).task).toBe(task);
    expect(report(task, { sequence: 4, progress_percentage: 9 }).task).toBe(task);
    expect(report(task, { sequence: 6, progress_percentage: 9 }).task.record.progress_percentage).toBe(9);
  });

  test("of a queued task says no more than that its runner lives", () => {
    const queued = create({ status: "queued" });
    expect(report(queued, { lease_seconds: 40 }).task.lease).toMatchObject({
      ...{ lease_seconds: 40, state: "queued", started_at: null },
    });
    for (const body of [{ progress_percentage: 0 }, { progress_message: "" }, { status: "failed", error }] as const) {
      expect(codeOf(() => report(queued, body))).toBe(40906);
    }
  });

  test("calms what worried, as far as it says something of that", () => {
    const task = (liveness: "silent" | "stalled" | "overdue") => setLiveness(create({ can_abort: true }), liveness);
    const worry = (liveness: "silent" | "stalled" | "overdue", body: UpdateTaskBody) => {
      const { record, lease } = report(task(liveness), body).task;
      expect(lease?.liveness).toBe(record.liveness ?? "");
      expect("liveness" in record).toBe(record.liveness !== undefined);
      return record.liveness;
    };
    expect(task("silent").record.is_abortable).toBe(false);
    expect(task("stalled").record.is_abortable).toBe(true);
    expect(worry("silent", {})).toBeUndefined();
    expect([worry("stalled", {}), worry("stalled", { progress_percentage: 1 })]).toEqual(["stalled", undefined]);
    expect([worry("overdue", {}), worry("overdue", { progress_percentage: 1 })]).toEqual(["overdue", "overdue"]);
    expect(worry("overdue", { max_duration_seconds: 9 })).toBeUndefined();
    expect(worry("stalled", { stall_seconds: 9 })).toBeUndefined();
  });
});

describe("a claim", () => {
  const queued = create({ status: "queued" });
  test("begins a queued task, which was not held up by itself while it waited", () => {
    const body = { status: "in_progress", claim_id, age_ms: 5 * second } as const;
    const { record, lease } = report(queued, body, hour, reader).task;
    expect(record).toMatchObject({ status: "in_progress", start_timestamp: at(hour - 5 * second) });
    expect(lease).toMatchObject({
      ...{ holder: "b", claim_id, state: "in_progress", progressed_at: began + hour },
      started_at: began + hour - 5 * second,
    });
    expect(report(queued, { ...body, age_ms: 2 * hour }, hour, reader).task.record.start_timestamp).toBe(at(0));
  });

  test("needs an id, and keeps all others out", () => {
    expect(errorOf(() => report(queued, { status: "in_progress" }))).toMatchObject({
      ...{ error_code: 42201, field: "/claim_id" },
      error_message: expect.stringContaining('The field "claim_id" is missing.'),
    });
    const claimed = report(queued, { status: "in_progress", claim_id }).task;
    const other = "1f0e0d0c-0b0a-4908-8706-050403020101";
    expect(codeOf(() => report(claimed, { claim_id: other }))).toBe(40909);
    expect(codeOf(() => report(claimed, { claim_id }))).toBeUndefined();
    expect(codeOf(() => report(claimed, {}, 0, reader))).toBe(40909);
    expect(codeOf(() => report(claimed, {}, 0, { ...reader, mayRead: false }))).toBe(40402);
    const ended = report(claimed, { status: "completed" }).task;
    expect(codeOf(() => report(ended, { claim_id: other }))).toBe(40909);
  });

  test("is known to all who report as long as the task waits, and to nobody else", () => {
    const stranger = { ...reader, mayRead: false };
    expect(codeOf(() => report(queued, { claim_id }, 0, stranger))).toBe(40909);
    expect(codeOf(() => report(queued, {}, 0, stranger))).toBe(40402);
    const expired = expireTask(queued, began);
    expect(codeOf(() => report(expired, { claim_id }))).toBe(40906);
    expect(codeOf(() => report(create(), { claim_id }))).toBe(40909);
  });
});

describe("the end", () => {
  test("has the outcome that is usual, or the one that was said, and the time at which it happened", () => {
    const done = report(create(), { status: "completed", age_ms: second }, hour).task;
    expect(done.record).toMatchObject({
      ...{ status: "completed", outcome: "success", progress_percentage: 100, end_timestamp: at(hour - second) },
      ...{ error: null, is_abortable: false },
    });
    expect(done.lease).toMatchObject({ state: "ended", ended_at: began + hour });
    const failed = report(create({ progress_percentage: 40 }), { status: "failed", error }).task;
    expect(failed.record).toMatchObject({ outcome: "error", progress_percentage: 40, error });
    const warned = report(create(), { status: "completed", outcome: "warning", error }).task;
    expect(warned.record).toMatchObject({ outcome: "warning", error });
    expect(report(create(), { status: "completed", age_ms: day }, hour).task.record.end_timestamp).toBe(at(0));
  });

  test("says how the work was stopped, also if nobody has asked for that here", () => {
    const abort = { signals: ["TERM"], process_tree_ended: true };
    const unasked = report(create(), { status: "aborted", abort }).task;
    expect(unasked.record.abort).toEqual({ requested_timestamp: null, requested_by: null, reason: null, ...abort });
    const asked = requestAbort(create({ can_abort: true }), "Ada", "now", began + second);
    expect(report(asked, { status: "aborted", abort }).task.record.abort).toEqual({
      ...{ requested_timestamp: at(second), requested_by: "Ada", reason: "now" },
      ...abort,
    });
    expect(report(create(), { status: "aborted" }).task.record).not.toHaveProperty("abort");
  });

  test("can be repeated, and any other is noted and refused", () => {
    const task = report(create(), { status: "failed", error }).task;
    expect(report(task, { status: "failed", error }, hour)).toEqual({ task });
    expect(report(task, { status: "failed", outcome: "error" }, hour)).toEqual({ task });
    const warned = report(create(), { status: "completed", outcome: "warning", error }).task;
    expect(report(warned, { status: "completed", outcome: "warning", error })).toEqual({ task: warned });
    expect(codeOf(() => report(warned, { status: "completed" }))).toBe(40906);
    const late = report(task, { status: "completed" }, hour);
    expect(codeOf(() => late)).toBe(40906);
    expect(late.task.record.late_report).toEqual({ attempt: 1, status: "completed", received_timestamp: at(hour) });
    expect(late.task.record).toMatchObject({ status: "failed", outcome: "error" });
    // A report that is known, and one that says no status, are refused and leave nothing.
    expect(report(late.task, { status: "completed" }, 2 * hour).task).toBe(late.task);
    expect(report(late.task, { progress_percentage: 1 }, 2 * hour).task).toBe(late.task);
    expect(codeOf(() => report(late.task, { progress_percentage: 1 }))).toBe(40906);
    expect(report(late.task, { status: "aborted" }, 2 * hour).task.record.late_report?.status).toBe("aborted");
  });

  test("takes log for an hour", () => {
    const task = report(create(), { status: "completed" }).task;
    const log = (after: number, attempt?: number, by = holder) => acceptLog(task, attempt, by, began + after);
    expect(log(hour)).toEqual({ task });
    expect(log(hour, 1)).toEqual({ task });
    expect(codeOf(() => log(hour + 1))).toBe(40906);
    expect(codeOf(() => log(0, 1, reader))).toBe(40909);
    expect(codeOf(() => log(0, 2))).toBe(40906);
  });

  test("takes no log without a lease, and log of what runs says that the runner lives", () => {
    const task = create();
    expect(codeOf(() => acceptLog({ ...task, lease: undefined }, undefined, holder, began))).toBe(40906);
    expect(acceptLog(task, undefined, holder, began).task.lease?.renewals).toBe(2);
    expect(acceptLog(task, 1, holder, began).task.lease?.renewals).toBe(2);
    expect(codeOf(() => acceptLog(task, 2, holder, began))).toBe(40906);
  });
});

describe("a lost task", () => {
  const lost = loseTask(create({ progress_percentage: 30, progress_message: "packing" }), began + hour);

  test("says what was not heard", () => {
    expect(lost.record).toMatchObject({
      ...{ status: "failed", outcome: "lost", end_timestamp: at(hour), progress_percentage: 30 },
      error: { code: "runner_lost", message: "Nothing was heard of the runner for 180 seconds." },
    });
    expect(lost.lease).toMatchObject({ state: "lost", ended_at: began + hour });
    const aborting = requestAbort(create({ can_abort: true }), "Ada", null, began);
    expect(loseTask(aborting, began).record.error?.code).toBe("abort_unconfirmed");
    const task = create();
    const pinged = { ...task, lease: task.lease && { ...task.lease, holder: pingHolder("m") } };
    const message = "No ping has said how the run ended within 180 seconds.";
    expect(loseTask(pinged, began).record.error).toEqual(noEndSignal(message));
    expect(noEndSignal(message)).toMatchObject({ code: "no_end_signal", message });
  });

  test("goes on where it was when its runner is heard of again, for 30 days", () => {
    const back = report(lost, { progress_percentage: 40 }, hour + 30 * day).task;
    expect(back.record).toMatchObject({
      ...{ status: "in_progress", outcome: null, error: null, end_timestamp: null, progress_percentage: 40 },
      revised_timestamp: at(hour + 30 * day),
    });
    expect(back.lease).toMatchObject({ state: "in_progress", ended_at: null });
    expect(codeOf(() => report(lost, {}, hour + 30 * day + 1))).toBe(40906);
    const aborting = loseTask(requestAbort(create({ can_abort: true }), "Ada", null, began), began);
    expect(report(aborting, {}).task.record.status).toBe("aborting");
  });

  test("is explained by its host, once and for the same cause alone", () => {
    const explain = (given: UpdateTaskBody["error"], body: UpdateTaskBody = {}) =>
      report(lost, { status: "failed", outcome: "lost", error: given, ...body }, 2 * hour).task;
    const known = { code: "runner_lost", message: "It was killed.", remedy: "Look." };
    expect(explain(known).record).toEqual({ ...lost.record, error: known });
    expect(explain(known).lease).toBe(lost.lease);
    expect(explain({ ...known, code: "other" })).toBe(lost);
    expect(explain({ ...known, message: "Nothing was heard of the runner for 180 seconds." })).toBe(lost);
    expect(report(lost, { status: "failed", outcome: "lost" }).task).toBe(lost);
    // Another end is what became of it.
    expect(report(lost, { status: "failed", error }).task.record).toMatchObject({ outcome: "error", error });
  });

  test("is taken over by the next attempt, which begins anew", () => {
    const asked = loseTask(requestAbort(create({ can_abort: true, sequence: 7 }), "Ada", "now", began), began + hour);
    const { record, lease } = report(asked, { attempt: 2, claim_id }, hour + 30 * day, reader).task;
    expect(record).toMatchObject({
      ...{ status: "in_progress", attempt: 2, progress_percentage: 0, outcome: null, error: null, end_timestamp: null },
      start_timestamp: at(hour + 30 * day),
    });
    expect(record).not.toHaveProperty("abort");
    expect(lease).toMatchObject({
      ...{ holder: "b", former_holders: '["a"]', claim_id, attempt: 2, sequence: 0, state: "in_progress" },
      ...{ abort_requested_at: null, abort_reason: null, ended_at: null, progressed_at: began + hour + 30 * day },
    });
    const { record: fresh } = report(lost, { attempt: 2, claim_id, status: "in_progress" }, 2 * hour).task;
    expect(fresh).not.toHaveProperty("progress_message");
  });

  test("is taken over by no other attempt, with no end, and not after 30 days", () => {
    const take = (body: UpdateTaskBody, after = hour) =>
      codeOf(() => report(lost, { claim_id, ...body }, after, reader));
    expect(take({ attempt: 2 })).toBeUndefined();
    expect([take({ attempt: 3 }), take({ attempt: 2, status: "failed", error })]).toEqual([40906, 40906]);
    expect(take({ attempt: 2 }, hour + 30 * day + 1)).toBe(40909);
    expect(codeOf(() => report(create(), { attempt: 2 }))).toBe(40906);
    expect(codeOf(() => report(create(), { attempt: 2, claim_id }))).toBe(40909);
    expect(codeOf(() => report(create(), { attempt: 2, claim_id }, 0, { ...reader, mayRead: false }))).toBe(40402);
  });

  test("refuses those who held it, whoever they are now, and notes what they say", () => {
    const taken = report(lost, { attempt: 2, claim_id }, hour, reader).task;
    const late = report(taken, { attempt: 1, status: "completed" }, 2 * hour);
    expect(codeOf(() => late)).toBe(40908);
    expect(late.task.record.late_report).toEqual({ attempt: 1, status: "completed", received_timestamp: at(2 * hour) });
    expect(codeOf(() => report(taken, { attempt: 1 }, 2 * hour, reader))).toBe(40908);
    expect(codeOf(() => report(taken, { attempt: 1 }, 2 * hour, { holder: "c", mayRead: false }))).toBe(40402);
    // A claim of an earlier attempt is late as well, whoever makes it.
    const waiting = create({ status: "queued", attempt: 2 });
    const claim = { attempt: 1, status: "in_progress", claim_id } as const;
    expect(codeOf(() => report(waiting, claim, 0, { holder: "c", mayRead: false }))).toBe(40908);
  });

  test("remembers its last 20 holders, each once", () => {
    let task = lost;
    for (let attempt = 2; attempt <= 24; attempt++) {
      task = report(task, { attempt, claim_id }, hour, { holder: `h${attempt}`, mayRead: true }).task;
      task = loseTask(task, began + hour);
    }
    const former = Array.from({ length: 20 }, (_, index) => `h${index + 4}`);
    expect(JSON.parse(task.lease?.former_holders ?? "")).toEqual(former);
    task = report(task, { attempt: 25, claim_id }, hour, { holder: "h10", mayRead: true }).task;
    task = report(loseTask(task, began + hour), { attempt: 26, claim_id }, hour, reader).task;
    expect(JSON.parse(task.lease?.former_holders ?? "").filter((one: string) => one === "h10")).toHaveLength(1);
  });
});

describe("a request to abort", () => {
  test("is noted, and ends what waits at once", () => {
    const running = requestAbort(create({ can_abort: true }), "Ada", "now", began + second);
    expect(running.record).toMatchObject({
      ...{ status: "aborting", is_abortable: false },
      abort: { requested_timestamp: at(second), requested_by: "Ada", reason: "now" },
    });
    expect(running.lease).toMatchObject({ state: "aborting", abort_requested_at: began + second, abort_reason: "now" });
    expect(requestAbort(running, "Bob", null, began + hour)).toBe(running);
    const waiting = requestAbort(create({ status: "queued" }), "Ada", null, began + second);
    expect(waiting.record).toMatchObject({
      ...{ status: "aborted", outcome: "cancelled", end_timestamp: at(second) },
      abort: { requested_by: "Ada" },
    });
    expect(waiting.lease).toMatchObject({
      state: "ended",
      ended_at: began + second,
      abort_requested_at: began + second,
    });
  });

  test("says why it is refused", () => {
    const why = (task: TrackedTask) => {
      const refused = errorOf(() => requestAbort(task, "Ada", null, began));
      expect(refused).toMatchObject({ error_code: 40910 });
      return Object(refused).error_message;
    };
    expect(why(create())).toBe("This task cannot be aborted. Its runner cannot stop the work. Stop it on its host.");
    expect(why(setLiveness(create({ can_abort: true }), "silent"))).toBe(
      "This task cannot be aborted. Its runner is silent.",
    );
    expect(why(create({ status: "completed" }))).toBe("This task cannot be aborted. It has ended.");
    expect(why({ ...create({ can_abort: true }), lease: undefined })).toBe(
      "This task cannot be aborted. It was imported, so no runner can be asked.",
    );
  });
});

test("a task that nobody claimed expires", () => {
  const { record, lease } = expireTask(create({ status: "queued", start_by_seconds: 60 }), began + hour);
  expect(record).toMatchObject({
    ...{ status: "failed", outcome: "expired", start_timestamp: null, end_timestamp: at(hour) },
    error: { code: "not_started_in_time", message: "No runner claimed the task within 60 seconds." },
  });
  expect(lease).toMatchObject({ state: "ended", ended_at: began + hour });
});

test("a run that did not come is a task that has never begun", () => {
  const run = { id: "t", category: "backup", type: "restic_backup", organizational_unit_id: "u" } as const;
  const given = { ...run, primary_entity: null, name: "Nightly", operation: "etc", monitor_id: "m", error };
  const { record, lease } = missTask(given, began, began + 60_001);
  expect(record).toEqual({
    ...{ ...given, status: "failed", outcome: "missed", progress_percentage: 0, is_abortable: false },
    ...{ created_timestamp: at(0), start_timestamp: null, end_timestamp: at(0) },
    ...{ last_heartbeat_timestamp: null, last_progress_timestamp: null, received_timestamp: at(60_001) },
  });
  expect(lease).toBeUndefined();
  const prompt = missTask({ ...given, operation: "restic_backup" }, began, began + 60_000).record;
  expect(["operation", "received_timestamp"].filter((field) => field in prompt)).toEqual([]);
});
