import { afterAll, beforeEach, expect, test } from "bun:test";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { openReportingPlane } from "./reporting-plane";
import { at, refusal, taskShown, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
/** No gap is near. */
beforeEach(() => plane.pass(301));

const shownOf = async (id: string) => (await plane.read(id)).body;
async function begin(body: object): Promise<string> {
  const { id } = (await plane.create(body)).body;
  await plane.sweep();
  return id;
}

/** Lets time pass while the runner reports that it lives. */
async function live(id: string, seconds: number): Promise<void> {
  for (let rest = seconds; rest > 0; rest -= 20) {
    await plane.pass(Math.min(20, rest));
    await plane.update(id, {});
  }
}

test("a queued task that nobody claims in time has expired, which is the service's own word and final", async () => {
  const id = await begin({ status: "queued", start_by_seconds: 120 });
  const created = { created_timestamp: at(plane), last_heartbeat_timestamp: at(plane), start_timestamp: null };
  await live(id, 119);
  expect((await shownOf(id)).status).toBe("queued");
  await plane.pass(1);
  expect(await shownOf(id)).toEqual(
    taskShown(plane, id, {
      ...created,
      status: "failed",
      outcome: "expired",
      end_timestamp: at(plane),
      error: {
        code: "not_started_in_time",
        message: "No runner claimed the task within 120 seconds.",
        remedy: "See whether a runner for it is up, and report the work as a new task.",
      },
    }),
  );
  const claim = { status: "in_progress", claim_id: uuid(1) };
  expect(refusal(await plane.update(id, claim))).toEqual([409, 40906]);
  expect(refusal(await plane.update(id, { status: "in_progress" }))).toEqual([409, 40906]);
});

test("R19: a queued task that came just before the wall clock was set forward has all of its time", async () => {
  const { id } = (await plane.create({ status: "queued", start_by_seconds: 120 })).body;
  plane.step(3_600_000);
  await plane.pass(119);
  expect((await shownOf(id)).status).toBe("queued");
  await plane.pass(1);
  expect((await shownOf(id)).outcome).toBe("expired");
});

test("a queued task has at least a minute after a gap, and what the wall clock says has passed before", async () => {
  const soon = await begin({ status: "queued", start_by_seconds: 100 });
  const later = await begin({ status: "queued", start_by_seconds: 1000 });
  await plane.pass(95);
  let monotonic = 5e6;
  const restarted = startLeaseSweep({ ...plane.service, monotonic: () => monotonic });
  await restarted.sweep();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      monotonic += 1000;
      plane.step(1000);
      await restarted.sweep();
    }
  };
  await pass(59);
  expect((await shownOf(soon)).status).toBe("queued");
  await pass(1);
  expect((await shownOf(soon)).outcome).toBe("expired");
  await pass(844);
  expect((await shownOf(later)).status).toBe("queued");
  await pass(2);
  expect((await shownOf(later)).outcome).toBe("expired");
  await restarted.stop();
});

test("a task that takes too long is shown as overdue, and goes on for as long as its runner is heard of", async () => {
  const id = await begin({ lease_seconds: 60, max_duration_seconds: 100, age_ms: 40_000 });
  await live(id, 59);
  expect((await shownOf(id)).liveness).toBeUndefined();
  await live(id, 2);
  expect((await shownOf(id)).liveness).toBe("overdue");
  await live(id, 200);
  expect(await shownOf(id)).toMatchObject({ status: "in_progress", liveness: "overdue" });
  const relaxed = await plane.update(id, { max_duration_seconds: 3600 });
  expect(relaxed.body.liveness).toBeUndefined();
  expect((await plane.update(id, { status: "completed" })).body).toMatchObject({ status: "completed" });
  expect(Object.hasOwn(await shownOf(id), "liveness")).toBe(false);
});

test("a task in which nothing is new is shown as stalled, until something is", async () => {
  const id = await begin({ lease_seconds: 60, stall_seconds: 60 });
  await live(id, 59);
  expect((await shownOf(id)).liveness).toBeUndefined();
  await live(id, 2);
  expect((await shownOf(id)).liveness).toBe("stalled");
  await plane.update(id, { progress_percentage: 0, progress_message: "" });
  expect((await shownOf(id)).liveness).toBe("stalled");
  const moved = await plane.update(id, { progress_message: "file 2" });
  expect(moved.body.liveness).toBeUndefined();
  await live(id, 59);
  expect((await shownOf(id)).liveness).toBeUndefined();
  await live(id, 3);
  expect((await shownOf(id)).liveness).toBe("stalled");
});

test("a task that waited long is not stalled when it is claimed or taken over", async () => {
  const id = await begin({ status: "queued", stall_seconds: 60, lease_seconds: 30 });
  await plane.pass(500);
  await plane.update(id, { status: "in_progress", claim_id: uuid(2) });
  await plane.pass(10);
  expect((await shownOf(id)).liveness).toBeUndefined();
  await plane.pass(31);
  expect((await shownOf(id)).outcome).toBe("lost");
  await plane.pass(100);
  await plane.update(id, { attempt: 2, status: "in_progress", claim_id: uuid(3) });
  await plane.pass(10);
  expect((await shownOf(id)).liveness).toBeUndefined();
});

test("the first worry of silent, overdue and stalled is shown", async () => {
  const id = await begin({ lease_seconds: 600, max_duration_seconds: 120, stall_seconds: 60 });
  await plane.pass(61);
  expect((await shownOf(id)).liveness).toBe("stalled");
  await plane.pass(60);
  expect((await shownOf(id)).liveness).toBe("overdue");
  await plane.pass(180);
  expect((await shownOf(id)).liveness).toBe("silent");
  await plane.update(id, {});
  await plane.pass(1);
  expect((await shownOf(id)).liveness).toBe("overdue");
});
