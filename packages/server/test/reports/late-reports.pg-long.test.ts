import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { at, leaseShown, refusal, someError, taskShown, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: other } = await plane.serviceToken("reporter");
const day = 86_400_000;

const shownOf = async (id: string) => (await plane.read(id)).body;

/** A task that was lost, and how it is shown but for its end. */
async function lose(body: object = {}): Promise<{ id: string; shown: object }> {
  const { id } = (await plane.create({ lease_seconds: 30, ...body })).body;
  const now = at(plane);
  const shown = { created_timestamp: now, start_timestamp: now, last_heartbeat_timestamp: now };
  await plane.pass(31);
  expect((await shownOf(id)).outcome).toBe("lost");
  return { id, shown };
}

test.each([{}, { progress_percentage: 0 }, { status: "in_progress" }, { sequence: 7, progress_percentage: 0 }])(
  "a lost task whose holder says %j is revived",
  async (said: { sequence?: number }) => {
    const { id, shown } = await lose();
    plane.step(5_000);
    const { status, body } = await plane.update(id, said);
    const revived = { ...shown, last_heartbeat_timestamp: at(plane), revised_timestamp: at(plane) };
    expect([status, body]).toEqual([
      200,
      {
        ...taskShown(plane, id, revived),
        lease: leaseShown({ expires_in_seconds: 30, sequence: said.sequence ?? 0 }),
      },
    ]);
    await plane.pass(31);
    expect((await shownOf(id)).outcome).toBe("lost");
  },
);

test("a lost task whose holder says how it ended has that end, with its own time", async () => {
  const { id, shown } = await lose();
  plane.step(60_000);
  const { body } = await plane.update(id, { status: "completed", age_ms: 70_000 });
  const ended = {
    ...shown,
    status: "completed",
    outcome: "success",
    progress_percentage: 100,
    end_timestamp: at(plane, -70_000),
    last_heartbeat_timestamp: at(plane),
    revised_timestamp: at(plane),
  };
  expect(body).toEqual({ ...taskShown(plane, id, ended), lease: null });
  expect(await shownOf(id)).toEqual(taskShown(plane, id, ended));
});

test("a report of an earlier attempt is refused, noted, and not believed", async () => {
  const { id } = await lose();
  await plane.update(id, { attempt: 2, status: "in_progress", claim_id: uuid(1) }, { token: other });
  const before = await shownOf(id);
  plane.step(5_000);
  const said = { attempt: 1, status: "completed" };
  expect(refusal(await plane.update(id, said))).toEqual([409, 40908]);
  const late_report = { attempt: 1, status: "completed", received_timestamp: at(plane) };
  expect(await shownOf(id)).toEqual({ ...before, late_report });
  plane.step(5_000);
  // It was noted when it was first said.
  expect(refusal(await plane.update(id, said))).toEqual([409, 40908]);
  expect(await shownOf(id)).toEqual({ ...before, late_report });
  for (const beat of [{ attempt: 1 }, { attempt: 1, progress_percentage: 80 }]) {
    expect(refusal(await plane.update(id, beat))).toEqual([409, 40908]);
  }
  // Without its number it reports for the attempt that is not its own.
  expect(refusal(await plane.update(id, { progress_percentage: 99 }))).toEqual([404, 40402]);
  expect(await shownOf(id)).toEqual({ ...before, late_report });
});

test.each([
  ["completed", { status: "completed" }, { status: "failed", error: someError }],
  ["failed", { status: "failed", error: someError }, { status: "completed" }],
  ["aborted", { status: "aborted" }, { status: "completed" }],
  ["completed", { status: "completed" }, { status: "completed", outcome: "warning", error: someError }],
])("what is said against the end %s is refused and noted", async (_, end, against) => {
  const { body } = await plane.create(end);
  const before = await shownOf(body.id);
  expect(refusal(await plane.update(body.id, against))).toEqual([409, 40906]);
  const late_report = { attempt: 1, status: against.status, received_timestamp: at(plane) };
  expect(await shownOf(body.id)).toEqual({ ...before, late_report });
});

test("the same end again is what it was, with and without a sequence", async () => {
  const { body } = await plane.create({});
  const end = { status: "failed", error: someError, sequence: 3 };
  const first = await plane.update(body.id, end);
  plane.step(60_000);
  for (const again of [end, { ...end, sequence: 4 }, { status: "failed", error: { ...someError, code: "other" } }]) {
    const repeated = await plane.update(body.id, again);
    expect([repeated.status, repeated.body]).toEqual([200, first.body]);
  }
});

test("a lost task can be heard of for 30 days, and not after", async () => {
  const soon = await lose();
  const late = await lose();
  // Tokens of a day do not last so long.
  plane.step(30 * day - 60_000);
  const { token: owner } = await plane.serviceToken("owner");
  const holder = await plane.database.snapshot((db) =>
    db.selectFrom("task_leases").select("holder").where("task_id", "=", soon.id).executeTakeFirstOrThrow(),
  );
  await plane.database.change((db) =>
    db
      .updateTable("api_tokens")
      .set({ expires_at: plane.clock.now + 2 * day })
      .where("id", "=", holder.holder)
      .execute(),
  );
  const renewed = await plane.ask(`/api-tokens/${holder.holder}/rotate`, { method: "POST", token: owner, body: {} });
  const token = renewed.body.token;
  expect((await plane.update(soon.id, {}, { token })).body.status).toBe("in_progress");
  plane.step(120_000);
  expect(refusal(await plane.update(late.id, {}, { token }))).toEqual([409, 40906]);
  const next = { attempt: 2, status: "in_progress", claim_id: uuid(9) };
  expect((await plane.update(late.id, next, { token })).status).toBe(409);
});
