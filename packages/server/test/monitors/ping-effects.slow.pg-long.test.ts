import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { openPingPlane, type PingPlane, type PingStep } from "./ping-plane";

let plane: PingPlane;
beforeAll(async () => {
  plane = await openPingPlane();
});
afterAll(() => plane.close());

const ridA = "0b8f5a52-6f0b-4b7c-9a54-0d7c1c9f6a21";
const ridB = "1b8f5a52-6f0b-4b7c-9a54-0d7c1c9f6a21";

/** Sends pings to a new monitor, and gives what became of them in short: a word for each task, oldest first. */
async function after(steps: readonly PingStep[], body: object = {}): Promise<string[]> {
  const monitor = await plane.addMonitor(body);
  await plane.follow(monitor, steps);
  return (await plane.runs(monitor.id)).map(inShort);
}

function inShort({ status, outcome, error }: TaskV1): string {
  return [status, outcome, error?.code].filter((word) => word !== null && word !== undefined).join(" ");
}

const a = `?rid=${ridA}`;
const b = `?rid=${ridB}`;
const running = "in_progress";
const success = "completed success";
const failure = "failed error command_failed";
const lost = "failed lost no_end_signal";

describe("what pings do", () => {
  test.each<[string, PingStep[], string[]]>([
    ["a start", ["/start"], [running]],
    ["a start again soon", ["/start", 30, "/start"], [running]],
    ["a start again later", ["/start", 31, "/start"], [lost, running]],
    ["a start with a rid", [`/start${a}`], [running]],
    ["a start with the same rid later", [`/start${a}`, 3_600, `/start${a}`], [running]],
    ["a start with another rid", [`/start${a}`, 60, `/start${b}`], [running, running]],
    ["a start without a rid beside one with a rid", [`/start${a}`, 60, "/start"], [lost, running]],
    [
      "a start without a rid beside two with a rid",
      [`/start${a}`, `/start${b}`, 60, "/start"],
      [running, running, running],
    ],
    ["a success alone", [""], [success]],
    ["a success again soon", ["", 30, ""], [success]],
    ["a success again later", ["", 31, ""], [success, success]],
    ["a failure soon after a success", ["", 1, "/fail"], [success, failure]],
    ["a start and a success", ["/start", 600, ""], [success]],
    ["a start and the status 0", ["/start", 600, "/0"], [success]],
    ["a success again after its run", ["/start", 600, "", 5, ""], [success]],
    ["a start and a failure", ["/start", 600, "/fail"], [failure]],
    ["a failure alone", ["/fail"], [failure]],
    ["a failure again soon", ["/fail", 10, "/fail"], [failure]],
    ["another status soon", ["/7", 10, "/8"], [failure, failure]],
    ["the end of the run with the same rid", [`/start${a}`, `/start${b}`, 9, a], [success, running]],
    ["a success with an unknown rid", ["/start", 9, a], [running, success]],
    ["a failure with an unknown rid", ["/start", 9, `/fail${a}`], [running, failure]],
    ["a success with the rid of an ended run", [`/start${a}`, 9, a, 3_600, a], [success]],
    ["a failure with the rid of an ended run", [a, 9, `/fail${a}`], [success]],
    ["a start with the rid of an ended run", [a, 9, `/start${a}`], [success]],
    ["an end without a rid, for the only open run", [`/start${a}`, 9, ""], [success]],
    ["an end without a rid beside two with a rid", [`/start${a}`, `/start${b}`, 9, ""], [running, running, success]],
    ["an end without a rid, for the newest run without", ["/start", 5, `/start${a}`, 9, ""], [success, running]],
    ["a log alone", ["/log"], []],
    ["a log in a run", ["/start", 5, "/log"], [running]],
  ])("%s", async (_, steps, tasks) => {
    const found = await after(steps);
    expect(found.toSorted()).toEqual(tasks.toSorted());
  });

  test.each<[string, string, string]>([
    ["restic_backup", "/3", "completed warning files_unreadable"],
    ["restic_forget", "/3", failure],
    ["ping_run", "/3", failure],
    ["restic_backup", "/11", "failed error repository_locked"],
    ["borg_create", "/1", "completed warning command_failed"],
    ["rsync_copy", "/24", "completed warning files_changed"],
    ["ping_run", "/143", "aborted error interrupted"],
    ["ping_run", "/255", failure],
  ])("a run of type %s that ends with %s", async (type, status, ending) => {
    expect(await after(["/start", 60, status], { type })).toEqual([ending]);
    expect(await after([status], { type })).toEqual([ending]);
  });
});

test("a task that pings report is what its monitor says, and no runner can report on it", async () => {
  const monitor = await plane.addMonitor({ name: "Files", type: "restic_backup", run_limit_seconds: 600 });
  await plane.ping(`${monitor.path}/start`);
  const begun = new Date(plane.clock.now).toISOString();
  const [task] = await plane.runs(monitor.id);
  expect(task).toMatchObject({
    category: "backup",
    type: "restic_backup",
    name: "Files",
    operation: "files",
    monitor_id: monitor.id,
    primary_entity: { id: monitor.id, type: "job", value: "Files" },
    created_timestamp: begun,
    start_timestamp: begun,
    is_abortable: false,
  });
  const report = { method: "PATCH", token: plane.owner, body: { status: "completed" } };
  expect((await plane.ask(`/tasks/${task?.id}`, report)).body.errors[0].error_code).toBe(40909);
  const lease = await plane.database.snapshot((db) =>
    db
      .selectFrom("task_leases")
      .select("lease_seconds")
      .where("task_id", "=", task?.id ?? "")
      .executeTakeFirst(),
  );
  expect(lease?.lease_seconds).toBe(600);
  plane.clock.now += 5_000;
  await plane.ping(monitor.path);
  const end = new Date(plane.clock.now).toISOString();
  expect(await plane.runs(monitor.id)).toMatchObject([{ start_timestamp: begun, end_timestamp: end }]);
});

describe("bodies", () => {
  const send = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    expect((await plane.ping(path, { method: "POST", body })).status).toBe(200);
  const only = async (monitorId: string) => {
    const [task, ...others] = await plane.runs(monitorId);
    expect(others).toEqual([]);
    return { task, log: await plane.log(task?.id ?? "") };
  };

  test("go into the log, each on a line of its own, and never twice", async () => {
    const { id, path } = await plane.addMonitor();
    await send(`${path}/start`, "begins\n");
    await send(`${path}/log`, "one\ntwo");
    await send(`${path}/log`, "one\ntwo\nthree");
    await send(path, "one\ntwo\nthree\nfour\n");
    expect((await only(id)).log).toBe("begins\none\ntwo\nthree\nfour\n");
    await send(`${path}/log`, "after the end");
    expect((await only(id)).log).toBe("begins\none\ntwo\nthree\nfour\nafter the end");
    plane.clock.now += 3_601_000;
    await send(`${path}/log`, "too late");
    expect((await only(id)).log).toBe("begins\none\ntwo\nthree\nfour\nafter the end");
  });

  test("are kept up to 100,000 bytes, and no ping fails for its size", async () => {
    const { id, path } = await plane.addMonitor();
    await send(path, "ä".repeat(1_000_000));
    const { log } = await only(id);
    expect([Buffer.byteLength(log), new Set(log)]).toEqual([100_000, new Set("ä")]);
    const other = await plane.addMonitor();
    await send(`${other.path}/fail`, `x${"ä".repeat(100_000)}`);
    expect(Buffer.byteLength((await only(other.id)).log)).toBe(99_999);
    await send((await plane.addMonitor()).path, new Uint8Array(11 * 1_048_576));
  });

  test("may be anything: what is no text is replaced", async () => {
    const { id, path } = await plane.addMonitor();
    await send(`${path}/fail`, new Uint8Array([0x61, 0x00, 0xff, 0x62, 0x1b]));
    const { task, log } = await only(id);
    expect(log).toBe("a␀�b\u001b");
    expect(task?.error?.message).toBe("a␀�b�");
  });

  test("say what went wrong: the last 2,000 characters, or else the status", async () => {
    const { id, path } = await plane.addMonitor();
    await send(`${path}/fail`, `${"a".repeat(2_000)}😀${"b".repeat(1_999)}\n`);
    expect((await only(id)).task?.error?.message).toBe(`😀${"b".repeat(1_999)}`);
    const silent = await plane.addMonitor();
    await send(`${silent.path}/9`, " \n");
    expect((await only(silent.id)).task?.error?.message).toBe("The exit status was 9.");
  });

  test.each([
    ["all is well", "completed success"],
    ["Event: snapshot warning", "completed warning command_failed"],
    ["Event: snapshot error, and Event: snapshot warning", "failed error command_failed"],
  ])("of a success that say %p follow the rules of the monitor", async (body, ending) => {
    const body_rules = { failure: ["snapshot error"], warning: ["Event: snapshot warning"] };
    const { id, path } = await plane.addMonitor({ body_rules });
    await send(path, body);
    expect((await plane.runs(id)).map(inShort)).toEqual([ending]);
  });
});

test("a run that was lost is revised when its end comes late", async () => {
  const monitor = await plane.addMonitor();
  await plane.ping(`${monitor.path}/start?rid=${ridA}`);
  plane.clock.now += 60_000;
  await plane.ping(`${monitor.path}/start`);
  expect((await plane.runs(monitor.id)).map(inShort)).toEqual([lost, running]);
  expect((await plane.monitor(monitor.id)).state).toBe("failed");
  plane.clock.now += 60_000;
  await plane.ping(`${monitor.path}?rid=${ridA}`);
  expect((await plane.runs(monitor.id)).map(inShort)).toEqual([success, running]);
  expect((await plane.runs(monitor.id))[0]?.revised_timestamp).toBe(new Date(plane.clock.now).toISOString());
  expect(await plane.monitor(monitor.id)).toMatchObject({ state: "ok", is_running: true });
});

test("pings of a paused monitor make tasks and do not end the pause", async () => {
  const paused_until = new Date(plane.clock.now + 3_600_000).toISOString();
  const monitor = await plane.addMonitor({ paused_until, schedule: { period_seconds: 60 } });
  await plane.ping(`${monitor.path}/fail`);
  expect((await plane.runs(monitor.id)).map(inShort)).toEqual([failure]);
  expect(await plane.monitor(monitor.id)).toMatchObject({
    state: "paused",
    paused_until,
    next_expected_timestamp: null,
    last_ping_timestamp: new Date(plane.clock.now).toISOString(),
  });
});
