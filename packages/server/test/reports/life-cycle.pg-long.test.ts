import { afterAll, expect, test } from "bun:test";
import { recountTasks } from "../recount";
import { openReportingPlane } from "./reporting-plane";
import { at, refusal, someError, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: operator } = await plane.serviceToken("operator");
const { token: other } = await plane.serviceToken("reporter");

let count = 0;
const nextId = () => uuid(++count);

async function create(body: object): Promise<string> {
  return (await plane.create(body)).body.id;
}

async function lost(body: object = {}): Promise<string> {
  const id = await create({ lease_seconds: 30, ...body });
  await plane.pass(31);
  return id;
}

async function aborting(): Promise<string> {
  const id = await create({ can_abort: true });
  await plane.update(id, { status: "aborting" }, { token: operator });
  return id;
}

async function expired(): Promise<string> {
  const id = await create({ status: "queued", start_by_seconds: 60 });
  await plane.pass(62);
  return id;
}

/** Ways to each state of a task. */
const states: Record<string, () => Promise<string>> = {
  queued: () => create({ status: "queued" }),
  in_progress: () => create({}),
  aborting,
  completed: () => create({ status: "completed" }),
  "completed with a warning": () => create({ status: "completed", outcome: "warning", error: someError }),
  failed: () => create({ status: "failed", error: someError }),
  aborted: () => create({ status: "aborted" }),
  lost: () => lost(),
  "lost, as its runner says": () => create({ status: "failed", outcome: "lost", error: someError }),
  expired,
};

/** Reports of the holder. */
const reports: Record<string, object> = {
  "a heartbeat": {},
  progress: { progress_percentage: 50 },
  in_progress: { status: "in_progress" },
  completed: { status: "completed" },
  "completed with a warning": { status: "completed", outcome: "warning", error: someError },
  failed: { status: "failed", error: someError },
  aborted: { status: "aborted" },
};

const over = 40906;
const runs = { "a heartbeat": "in_progress", progress: "in_progress", in_progress: "in_progress" };
const ends = { completed: "completed", "completed with a warning": "completed", failed: "failed", aborted: "aborted" };
const everyReport = Object.keys(reports);
const refusedAll = Object.fromEntries(everyReport.map((name) => [name, over]));

/** Result of each report of the holder in each state, or its refusal. */
const lifeCycle: Record<string, Record<string, string | number>> = {
  // Without a claim_id nobody claims it.
  queued: { ...refusedAll, "a heartbeat": "queued", in_progress: 42201 },
  in_progress: { ...runs, ...ends },
  // Its runner may not have heard of the abort yet.
  aborting: { "a heartbeat": "aborting", progress: "aborting", in_progress: "aborting", ...ends },
  completed: { ...refusedAll, completed: "completed" },
  "completed with a warning": { ...refusedAll, "completed with a warning": "completed" },
  failed: { ...refusedAll, failed: "failed" },
  aborted: { ...refusedAll, aborted: "aborted" },
  lost: { ...runs, ...ends },
  "lost, as its runner says": { ...runs, ...ends },
  expired: refusedAll,
};

const said = Object.keys(states).flatMap((state) =>
  everyReport.map((report) => ({ state, report, expected: lifeCycle[state]?.[report] })),
);
const accepted = said.filter(({ expected }) => typeof expected === "string");
const refused = said.filter(({ expected }) => typeof expected !== "string");

test.each(accepted)("a task that is $state, and of which its holder says: $report, is $expected", async (row) => {
  const id = (await states[row.state]?.()) ?? "";
  const answer = await plane.update(id, reports[row.report] ?? {});
  expect([answer.status, answer.body.status]).toEqual([200, row.expected]);
  expect((await plane.read(id)).body.status).toBe(row.expected);
});

test.each(refused)("a task that is $state stays so where its holder says: $report ($expected)", async (row) => {
  const id = (await states[row.state]?.()) ?? "";
  const before = await plane.read(id);
  const report: { status?: string } = reports[row.report] ?? {};
  const answer = await plane.update(id, report);
  expect(refusal(answer).slice(0, 2)).toEqual([Math.floor(Number(row.expected) / 100), row.expected]);
  const late = { attempt: 1, status: report.status, received_timestamp: at(plane) };
  // A contradiction of an end is noted, and nothing else changes.
  const isNoted = row.state !== "queued" && report.status !== undefined;
  expect((await plane.read(id)).body).toEqual({ ...before.body, ...(isNoted ? { late_report: late } : {}) });
});

test("a queued task is claimed by the first who asks, who holds it from then on", async () => {
  const id = await create({ status: "queued", sequence: 4 });
  const claim = { status: "in_progress", claim_id: nextId() };
  plane.step(5_000);
  const claimed = await plane.update(id, claim, { token: other });
  expect([claimed.status, claimed.body.status, claimed.body.start_timestamp]).toEqual([
    200,
    "in_progress",
    new Date(plane.clock.now).toISOString(),
  ]);
  expect((await plane.update(id, claim, { token: other })).status).toBe(200);
  expect(refusal(await plane.update(id, { ...claim, claim_id: nextId() }, { token: other }))).toEqual([409, 40909]);
  expect(refusal(await plane.update(id, { ...claim, claim_id: nextId() }, { token: operator }))).toEqual([409, 40909]);
  for (const said of [{ ...claim, claim_id: nextId() }, { progress_percentage: 1 }]) {
    expect(refusal(await plane.update(id, said))).toEqual([404, 40402]);
  }
  expect((await plane.update(id, { status: "completed" }, { token: other })).body.status).toBe("completed");
});

test("two hosts with one token cannot both claim a task", async () => {
  const id = await create({ status: "queued" });
  const claims = Array.from({ length: 8 }, () => ({ status: "in_progress", claim_id: nextId() }));
  const answers = await Promise.all(claims.map((claim) => plane.update(id, claim)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
});

test("a claim of an earlier or a later attempt is none", async () => {
  const id = await create({ status: "queued", attempt: 3 });
  const claim = { status: "in_progress", claim_id: nextId() };
  for (const token of [plane.runner, other]) {
    expect(refusal(await plane.update(id, { ...claim, attempt: 2 }, { token }))).toEqual([409, 40908]);
    expect(refusal(await plane.update(id, { ...claim, attempt: 4 }, { token }))).toEqual([409, 40909]);
  }
  expect((await plane.update(id, { ...claim, attempt: 3 }, { token: other })).status).toBe(200);
});

test("only who may abort changes what is queued to aborted", async () => {
  const id = await create({ status: "queued" });
  expect(refusal(await plane.update(id, { status: "aborting" }))).toEqual([403, 40302]);
  const aborted = await plane.update(id, { status: "aborting" }, { token: operator });
  expect([aborted.status, aborted.body.status, aborted.body.outcome]).toEqual([200, "aborted", "cancelled"]);
});

test("a lost task is taken over by anyone who reports, with the next attempt and a claim", async () => {
  const id = await lost({ progress_percentage: 60, progress_message: "nearly" });
  const next = { attempt: 2, status: "in_progress", claim_id: nextId() };
  expect(refusal(await plane.update(id, { attempt: 2 }, { token: other }))).toEqual([422, 42201, "/claim_id"]);
  expect(refusal(await plane.update(id, { ...next, attempt: 3 }, { token: other }))).toEqual([409, 40906]);
  expect(refusal(await plane.update(id, { ...next, status: "completed" }, { token: other }))).toEqual([409, 40906]);
  const taken = await plane.update(id, next, { token: other });
  const now = new Date(plane.clock.now).toISOString();
  expect(taken.body).toMatchObject({
    status: "in_progress",
    attempt: 2,
    progress_percentage: 0,
    start_timestamp: now,
    end_timestamp: null,
    outcome: null,
    error: null,
    lease: { attempt: 2, sequence: 0 },
  });
  expect(Object.hasOwn(taken.body, "progress_message")).toBe(false);
  expect((await plane.update(id, next, { token: other })).status).toBe(200);
  expect(refusal(await plane.update(id, { ...next, claim_id: nextId() }, { token: other }))).toEqual([409, 40909]);
});

test("no other task is taken over", async () => {
  for (const [state, make] of Object.entries(states).filter(([name]) => !name.startsWith("lost"))) {
    const next = { attempt: 2, status: "in_progress", claim_id: nextId() };
    const answer = await plane.update(await make(), next);
    expect([state, answer.status]).toEqual([state, 409]);
  }
});

test("imported tasks take no report at all", async () => {
  const [imported] = await plane.addTasks([{ status: "in_progress", end_timestamp: null, outcome: null }]);
  for (const [said, body] of Object.entries(reports)) {
    expect([said, refusal(await plane.update(imported?.id ?? "", body))]).toEqual([said, [409, over]]);
  }
});

test("after all of this the counts are what the tasks give", async () => {
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
});
