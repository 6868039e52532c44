import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPlane } from "../harness";
import { minute, openWatchedPlane, type WatchedPlane } from "./watched-plane";

const hour = 60 * minute;
const day = 24 * hour;
const schedule = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };

let plane: WatchedPlane;
/** Midnight of the day of a test, in UTC. Time only goes forward. */
let midnight: number;
beforeAll(async () => {
  plane = await openWatchedPlane("2027-06-01T00:00:00Z");
});
afterAll(() => plane.close());
beforeEach(async () => {
  await plane.database.change((db) => db.deleteFrom("monitors").execute());
  midnight = Math.ceil(plane.clock.now / day + 1) * day;
});

/** A time of the day of a test, or of a day after it. */
const at = (time: string, days = 0) => midnight + days * day + Date.parse(`1970-01-01T${time}Z`);
const timestampAt = (time: string, days = 0) => new Date(at(time, days)).toISOString();
/** Lets time pass until a moment, watched all the while. */
const until = (time: string, days = 0, every = 50_000) => plane.pass(at(time, days) - plane.clock.now, every);
/** A monitor that expects a run every night at 00:30Z. It is made at midnight. */
async function addMonitor(body: object = {}, time = "00:00:00", days = 0) {
  plane.sleep(at(time, days) - plane.clock.now);
  await plane.worker.sweep();
  return plane.addMonitor({ schedule, ...body });
}

describe("a run that is expected at half past two in Berlin", () => {
  test("is known beforehand", async () => {
    const monitor = await addMonitor();
    expect(monitor).toMatchObject({ state: "waiting", next_expected_timestamp: timestampAt("00:30:00") });
  });

  test("is late when it has not begun, and missed once its grace is over: one task", async () => {
    const monitor = await addMonitor({ name: "Files of web-1", category: "backup" });
    await until("00:29:59");
    expect((await plane.read(monitor)).state).toBe("waiting");
    await until("00:30:01");
    expect((await plane.read(monitor)).state).toBe("late");
    await until("01:30:00");
    expect([(await plane.read(monitor)).state, await plane.tasksOf(monitor)]).toEqual(["late", []]);
    await until("01:30:05");
    const [task, ...others] = await plane.tasksOf(monitor);
    expect(others).toEqual([]);
    expect(task).toEqual({
      id: expect.any(String),
      category: "backup",
      status: "failed",
      progress_percentage: 0,
      created_timestamp: timestampAt("01:30:00"),
      type: "ping_run",
      start_timestamp: null,
      end_timestamp: timestampAt("01:30:00"),
      organizational_unit_id: monitor.organizational_unit_id,
      primary_entity: { id: monitor.id, type: "job", value: "Files of web-1" },
      outcome: "missed",
      error: {
        code: "expected_run_missing",
        message: expect.stringMatching(
          /^A run was expected at \S+ 00:30 UTC, and none had begun by \S+ 01:30 UTC, when its grace ended\.$/,
        ),
        remedy: "See whether its host is up, whether its schedule runs, and whether its clock and time zone are right.",
      },
      is_abortable: false,
      last_heartbeat_timestamp: null,
      last_progress_timestamp: null,
      name: "Files of web-1",
      operation: "files-of-web-1",
      monitor_id: monitor.id,
      _links: expect.anything(),
    });
    expect(await plane.read(monitor)).toMatchObject({
      state: "missed",
      missed_in_a_row: 1,
      last_task_id: task?.id,
      next_expected_timestamp: timestampAt("00:30:00", 1),
      recent_outcomes: [{ task_id: task?.id, outcome: "missed", created_timestamp: timestampAt("01:30:00") }],
      last_unwatched_timestamp: null,
    });
    const answer = await plane.ask(`/tasks/${task?.id}`, { token: plane.token, method: "PATCH", body: {} });
    expect(answer.status).toBe(409);
  });

  test("that comes after the miss is a task of its own, and all is well", async () => {
    const monitor = await addMonitor();
    await until("01:31:00");
    await plane.report(monitor);
    const tasks = await plane.tasksOf(monitor);
    expect(tasks.map(({ outcome }) => outcome)).toEqual(["success", "missed"]);
    expect(await plane.read(monitor)).toMatchObject({
      state: "ok",
      missed_in_a_row: 0,
      next_expected_timestamp: timestampAt("00:30:00", 1),
    });
  });

  test.each([
    ["late, within its grace", "01:29:30", 0, {}, "ok"],
    ["up to its grace early", "23:31:00", -1, {}, "ok"],
    [
      "and fails: it has come",
      "00:31:00",
      0,
      { status: "failed", error: { code: "e", message: "", remedy: "" } },
      "failed",
    ],
    ["and is still running", "00:31:00", 0, { status: "in_progress" }, "waiting"],
  ])("may begin %s", async (_how, begins, days, body, state) => {
    const monitor = await addMonitor({}, "23:00:00", -1);
    await until(begins, days);
    await plane.report(monitor, body);
    await until("02:00:00");
    expect((await plane.tasksOf(monitor)).map(({ outcome }) => outcome)).not.toContain("missed");
    expect(await plane.read(monitor)).toMatchObject({
      state,
      missed_in_a_row: 0,
      next_expected_timestamp: timestampAt("00:30:00", 1),
    });
  });

  test("does not come with one that is far too early", async () => {
    const monitor = await addMonitor({}, "23:00:00", -1);
    await until("23:20:00", -1);
    await plane.report(monitor);
    await until("01:31:00");
    expect((await plane.tasksOf(monitor)).map(({ outcome }) => outcome)).toEqual(["missed", "success"]);
  });
});

describe("a period", () => {
  test("counts from when the monitor was made, and then from the beginning of each run", async () => {
    const monitor = await addMonitor({ schedule: { period_seconds: 3_600 }, grace_seconds: 60 }, "10:00:00");
    expect(monitor.next_expected_timestamp).toBe(timestampAt("11:00:00"));
    await until("10:40:00");
    await plane.report(monitor, { duration_ms: 10 * minute });
    expect((await plane.read(monitor)).next_expected_timestamp).toBe(timestampAt("11:30:00"));
    await until("12:32:00");
    expect(await plane.read(monitor)).toMatchObject({
      missed_in_a_row: 2,
      next_expected_timestamp: timestampAt("13:30:00"),
    });
  });
});

describe("nothing is expected", () => {
  test("without a schedule", async () => {
    const monitor = await addMonitor({ schedule: null });
    await until("03:00:00");
    expect([(await plane.read(monitor)).state, await plane.tasksOf(monitor)]).toEqual(["waiting", []]);
  });

  test("during a pause; its end by time starts from then", async () => {
    const monitor = await addMonitor({ paused_until: timestampAt("05:00:00") });
    expect(monitor).toMatchObject({ state: "paused", next_expected_timestamp: null });
    await until("05:01:00");
    expect(await plane.read(monitor)).toMatchObject({
      state: "waiting",
      paused_until: null,
      next_expected_timestamp: timestampAt("00:30:00", 1),
    });
    expect(await plane.tasksOf(monitor)).toEqual([]);
  });

  test("of the past when a pause is ended, or the schedule is changed, after a run was due", async () => {
    const monitor = await addMonitor();
    await until("01:00:00");
    const change = (body: object) =>
      plane.ask(`/monitors/${monitor.id}`, { token: plane.token, method: "PATCH", body });
    await change({ schedule: { cron: "0 2 * * *" } });
    expect(await plane.read(monitor)).toMatchObject({
      state: "waiting",
      next_expected_timestamp: timestampAt("02:00:00"),
    });
    await change({ paused_until: timestampAt("00:00:00", 9) });
    await until("04:00:00");
    await change({ paused_until: null });
    expect((await plane.read(monitor)).next_expected_timestamp).toBe(timestampAt("02:00:00", 1));
    expect(await plane.tasksOf(monitor)).toEqual([]);
  });
});

test("the first 24 misses in a row are a task each, then one a day says how many there were", async () => {
  const monitor = await addMonitor({ schedule: { cron: "*/15 * * * *" }, grace_seconds: 60 });
  await until("07:00:00", 1, 55_000);
  const tasks = await plane.tasksOf(monitor);
  expect(tasks.length).toBe(25);
  const said = tasks.map(({ created_timestamp, error }) => [
    created_timestamp,
    /\d+ expected runs in a row have not come\.$/.exec(error?.message ?? "")?.[0],
  ]);
  expect(said.slice(0, 2)).toEqual([
    [timestampAt("06:01:00", 1), "120 expected runs in a row have not come."],
    [timestampAt("06:01:00"), "24 expected runs in a row have not come."],
  ]);
  expect(await plane.read(monitor)).toMatchObject({ state: "missed", missed_in_a_row: 123 });
}, 120_000);

describe("only what was watched can be missed:", () => {
  test.each([
    ["the service was away when it was expected", "00:20:00", { sleep: 20 * minute, step: 0 }],
    ["it was away at the end of the grace", "01:29:00", { sleep: 10 * minute, step: 0 }],
    ["it was away for a week", "00:10:00", { sleep: 7 * day, step: 0 }],
    ["the wall clock was set forward", "00:40:00", { sleep: 0, step: 5 * minute }],
    ["the wall clock was set back", "00:40:00", { sleep: 0, step: -5 * minute }],
  ])("not if %s", async (_why, time, { sleep, step }) => {
    const monitor = await addMonitor();
    await until(time);
    plane.step(step);
    plane.sleep(sleep);
    await plane.pass(2 * hour, 50_000);
    expect(await plane.tasksOf(monitor)).toEqual([]);
    const { state, last_unwatched_timestamp, missed_in_a_row } = await plane.read(monitor);
    expect([state, missed_in_a_row, last_unwatched_timestamp?.slice(11)]).toEqual(["waiting", 0, "00:30:00.000Z"]);
  });

  test.each([
    ["a restart of less than a minute", "00:40:00", 0, 49_000],
    ["what was long before it", "23:00:00", -1, 20 * minute],
  ])("but %s hides nothing", async (_what, time, days, away) => {
    const monitor = await addMonitor({}, "22:00:00", -1);
    await until(time, days);
    await plane.pass(20_000, 10_000);
    plane.sleep(away);
    await plane.worker.sweep();
    await until("01:31:00");
    expect((await plane.tasksOf(monitor)).map(({ outcome }) => outcome)).toEqual(["missed"]);
    expect((await plane.read(monitor)).last_unwatched_timestamp).toBeNull();
  });

  test("a run that was reported late counts for the expected one", async () => {
    const monitor = await addMonitor();
    await until("00:20:00");
    plane.sleep(55 * minute);
    await plane.worker.sweep();
    await plane.report(monitor, { age_ms: 40 * minute, duration_ms: 5 * minute });
    await until("02:00:00");
    expect((await plane.tasksOf(monitor)).map(({ start_timestamp }) => start_timestamp)).toEqual([
      timestampAt("00:30:00"),
    ]);
    expect(await plane.read(monitor)).toMatchObject({
      state: "ok",
      last_unwatched_timestamp: null,
      next_expected_timestamp: timestampAt("00:30:00", 1),
    });
  });

  test("a period starts again when the service listens again", async () => {
    const monitor = await addMonitor({ schedule: { period_seconds: 3_600 } });
    await until("00:50:00");
    plane.sleep(30 * minute);
    await plane.worker.sweep();
    await until("02:01:00");
    expect(await plane.read(monitor)).toMatchObject({
      last_unwatched_timestamp: timestampAt("01:00:00"),
      next_expected_timestamp: timestampAt("02:20:00"),
    });
  });

  test("a clock that was half a year ahead does not leave the monitor waiting for so long", async () => {
    const monitor = await addMonitor({}, "12:00:00");
    plane.step(200 * day);
    await plane.pass(2 * minute);
    expect((await plane.read(monitor)).next_expected_timestamp).toStartWith("2028");
    plane.step(-200 * day);
    await plane.pass(2 * minute);
    expect((await plane.read(monitor)).next_expected_timestamp).toBe(timestampAt("00:30:00", 1));
  });
});

test("two processes make one task of a miss, also when the second was just started", async () => {
  const monitor = await addMonitor();
  await until("01:29:30");
  const other = await openPlane({}, plane.folder);
  const second = plane.startWorker(other);
  await second.sweep();
  plane.sleep(40_000);
  await Promise.all([plane.worker.sweep(), second.sweep(), plane.worker.sweep(), second.sweep()]);
  const third = plane.startWorker(other);
  await third.sweep();
  for (const worker of [second, third]) await worker.stop();
  await other.close();
  expect((await plane.tasksOf(monitor)).map(({ outcome }) => outcome)).toEqual(["missed"]);
  expect((await plane.read(monitor)).missed_in_a_row).toBe(1);
});
