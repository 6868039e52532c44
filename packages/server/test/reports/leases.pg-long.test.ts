import { afterAll, beforeEach, expect, test } from "bun:test";
import { DatabaseUnavailable } from "../../src/database/errors";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { openReportingPlane } from "./reporting-plane";
import { at, leaseShown, refusal, taskShown } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
/** Everything before has ended, and no gap is near. */
beforeEach(() => plane.pass(400));

const shownOf = async (id: string) => (await plane.read(id)).body;
async function begin(body: object): Promise<string> {
  const { id } = (await plane.create(body)).body;
  await plane.sweep();
  return id;
}

test("a runner that is silent for half its lease is shown as silent, cannot be asked to abort, and ends that with any report", async () => {
  const id = await begin({ lease_seconds: 60, can_abort: true });
  const created = { created_timestamp: at(plane), start_timestamp: at(plane), last_heartbeat_timestamp: at(plane) };
  await plane.pass(29);
  expect(await shownOf(id)).toEqual(taskShown(plane, id, { ...created, is_abortable: true }));
  await plane.pass(1);
  expect(await shownOf(id)).toEqual(taskShown(plane, id, { ...created, liveness: "silent" }));
  const beat = await plane.update(id, {});
  const heard = { ...created, is_abortable: true, last_heartbeat_timestamp: at(plane) };
  expect(beat.body).toEqual({ ...taskShown(plane, id, heard), lease: leaseShown({ expires_in_seconds: 60 }) });
  await plane.pass(29);
  expect((await shownOf(id)).liveness).toBeUndefined();
});

test("a runner that is silent for its whole lease is lost within 5 seconds, and not before", async () => {
  const id = await begin({ lease_seconds: 30, progress_percentage: 20 });
  const created = {
    created_timestamp: at(plane),
    start_timestamp: at(plane),
    last_heartbeat_timestamp: at(plane),
    last_progress_timestamp: at(plane),
    progress_percentage: 20,
  };
  await plane.pass(29);
  expect((await shownOf(id)).status).toBe("in_progress");
  await plane.pass(1);
  expect(await shownOf(id)).toEqual(
    taskShown(plane, id, {
      ...created,
      status: "failed",
      outcome: "lost",
      end_timestamp: at(plane),
      error: {
        code: "runner_lost",
        message: "Nothing was heard of the runner for 30 seconds.",
        remedy: "See whether its host is up and can reach this service. The task follows if its runner reports again.",
      },
    }),
  );
});

test("the host of a lost run may say what became of the runner, and nothing else changes", async () => {
  const id = await begin({ lease_seconds: 30, sequence: 1 });
  await plane.pass(31);
  const { error: _, ...lost } = await shownOf(id);
  const error = { code: "runner_lost", message: "The runner was killed.", remedy: "See what killed it." };
  plane.step(5_000);
  const answer = await plane.update(id, { status: "failed", outcome: "lost", error, sequence: 2 });
  expect(answer.status).toBe(200);
  const { error: said, last_heartbeat_timestamp: ___, ...now } = await shownOf(id);
  const { last_heartbeat_timestamp: __, ...before } = lost;
  expect([said, now]).toEqual([error, before]);
});

test("heartbeats alone keep a task for as long as they come, one per lease", async () => {
  const id = await begin({ lease_seconds: 30 });
  for (let time = 0; time < 8; time++) {
    await plane.pass(14);
    expect((await plane.update(id, {})).body).toEqual({
      id,
      status: "in_progress",
      lease: leaseShown({ expires_in_seconds: 30 }),
    });
  }
  await plane.pass(31);
  expect((await shownOf(id)).outcome).toBe("lost");
});

test("what is repeated renews the lease, too", async () => {
  const id = await begin({ lease_seconds: 30, sequence: 5 });
  await plane.pass(14);
  await plane.update(id, { sequence: 5, progress_percentage: 9 });
  await plane.pass(14);
  await plane.create({ id });
  await plane.pass(14);
  expect((await shownOf(id)).status).toBe("in_progress");
});

/** A process that begins to sweep beside the first, with a monotonic clock of its own. */
function sweepBeside(database = plane.database) {
  let monotonic = 1e9;
  const sweeper = startLeaseSweep({ ...plane.service, database, monotonic: () => monotonic });
  return {
    ...sweeper,
    async pass(seconds: number, every = 1) {
      for (let second = 0; second < seconds; second += every) {
        monotonic += 1000 * every;
        plane.step(1000 * every);
        await sweeper.sweep();
      }
    },
  };
}

test("a process that starts gives every lease its whole time, up to 300 seconds, and what has passed of a longer one stays", async () => {
  const short = await begin({ lease_seconds: 60 });
  const long = await begin({ lease_seconds: 600 });
  await plane.pass(50);
  const restarted = sweepBeside();
  await restarted.sweep();
  await restarted.pass(59);
  expect((await shownOf(short)).status).toBe("in_progress");
  await restarted.pass(2);
  expect((await shownOf(short)).outcome).toBe("lost");
  await restarted.pass(300);
  // It has been noted every minute how long nothing was heard.
  const again = sweepBeside();
  await again.sweep();
  await again.pass(299);
  expect((await shownOf(long)).status).toBe("in_progress");
  await again.pass(3);
  expect((await shownOf(long)).outcome).toBe("lost");
  await restarted.stop();
  await again.stop();
});

test("a sweep that comes more than 5 seconds late is a gap: the machine stood still, and runners get new time", async () => {
  const own = sweepBeside();
  await own.sweep();
  const id = await begin({ lease_seconds: 30 });
  await own.sweep();
  await own.pass(20);
  await own.pass(6, 6);
  await own.pass(29);
  expect((await shownOf(id)).status).toBe("in_progress");
  await own.pass(2);
  expect((await shownOf(id)).outcome).toBe("lost");
  await own.stop();
});

test("a database that was away is a gap", async () => {
  let isAway = false;
  const away = () => Promise.reject(new DatabaseUnavailable("It does not answer."));
  const database: typeof plane.database = {
    ...plane.database,
    snapshot: (read, options) => (isAway ? away() : plane.database.snapshot(read, options)),
  };
  const own = sweepBeside(database);
  await own.sweep();
  const id = await begin({ lease_seconds: 30 });
  await own.pass(25);
  isAway = true;
  await own.pass(4);
  isAway = false;
  await own.pass(29);
  expect((await shownOf(id)).status).toBe("in_progress");
  await own.pass(2);
  expect((await shownOf(id)).outcome).toBe("lost");
  await own.stop();
});

test("heartbeats that cannot be written down are a gap, and are written once they can be", async () => {
  const id = await begin({ lease_seconds: 30 });
  let fails = true;
  const { renewals } = plane.service;
  const sweeper = startLeaseSweep({
    ...plane.service,
    renewals: { ...renewals, flush: async () => (fails ? false : renewals.flush()) },
    monotonic: () => plane.clock.now,
  });
  await sweeper.sweep();
  await plane.update(id, {});
  for (let second = 0; second < 40; second++) {
    plane.step(1000);
    await sweeper.sweep();
  }
  expect((await shownOf(id)).status).toBe("in_progress");
  fails = false;
  await sweeper.sweep();
  const renewed = await plane.database.snapshot((db) =>
    db.selectFrom("task_leases").select("renewals").where("task_id", "=", id).executeTakeFirst(),
  );
  expect(renewed?.renewals).toBe(2);
  await sweeper.stop();
});

test("a lost task is lost once, however many processes sweep", async () => {
  const beside = [sweepBeside(), sweepBeside()];
  for (const one of beside) await one.sweep();
  const id = await begin({ lease_seconds: 30 });
  await Promise.all(beside.map((one) => one.pass(32)));
  expect((await shownOf(id)).outcome).toBe("lost");
  plane.service.log.flush();
  const told = plane.logged.filter((line) => line.includes(id) && line.includes("A task was lost"));
  expect(told.length).toBe(1);
  for (const one of beside) await one.stop();
  expect(refusal(await plane.update(id, { attempt: 3, claim_id: id }))).toEqual([409, 40906]);
});
