import { afterEach, beforeEach, expect, test } from "bun:test";
import { forbidEvents } from "../../../test/access/forbid-events";
import { auditEvents } from "../../../test/access/people";
import { updateTask } from "../../../test/change-tasks";
import { inStatus, openPlane, type Plane, walk } from "../../../test/harness";
import { recountTasks } from "../../../test/recount";
import { type Action, recordAction } from "../../audit/record-action";
import type { Queries } from "../../database/database";
import type { TaskRecord } from "./record";
import { previewRemoval, type RemovedMonth, removeOldTasks } from "./retention";

const now = Date.parse("2026-11-15T00:00:00.000Z");
let plane: Plane;
let token: string;

beforeEach(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
});
afterEach(() => plane.close());

const at = (...moments: string[]): Partial<TaskRecord>[] =>
  moments.map((moment) => ({ id: moment, created_timestamp: moment }));

const written = (months: RemovedMonth[]) =>
  months.map(({ month, removed, unfinished }) => `${month.label}: ${removed} gone, ${unfinished} unfinished`);

const record = (db: Queries, action: Action) =>
  recordAction(db, { kind: "system", sealer: plane.service.sealer, at: now }, action);

const remove = async (days: number, moment = now) =>
  written(await removeOldTasks(plane.database, { days, now: moment, record }));

/** Removals in the audit trail: which months went, and with how many tasks. */
const told = async () =>
  (await auditEvents(plane))
    .filter(({ operation }) => operation === "prune-tasks")
    .map(({ before, after }) => `${before.month}: ${before.tasks} by ${after.older_than_days} days`);

const idsLeft = async () => (await walk(plane, "/tasks?limit=2", { token })).map(({ id }) => id);

async function expectExactCounts() {
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
}

test("a month goes when all of it is older, to the millisecond, and counts stay exact", async () => {
  await plane.addTasks(
    at(
      "2026-08-31T23:59:59.999Z",
      "2026-09-01T00:00:00.000Z",
      "2026-09-30T23:59:59.999Z",
      "2026-10-01T00:00:00.000Z",
      "2026-10-31T23:59:59.999Z",
      "2026-11-01T00:00:00.000Z",
    ),
  );
  expect(await remove(45)).toEqual(["2026-08: 1 gone, 0 unfinished", "2026-09: 2 gone, 0 unfinished"]);
  expect(await idsLeft()).toEqual(["2026-11-01T00:00:00.000Z", "2026-10-31T23:59:59.999Z", "2026-10-01T00:00:00.000Z"]);
  expect(await remove(14, now - 1)).toEqual([]);
  expect(await told()).toEqual(["2026-08: 1 by 45 days", "2026-09: 2 by 45 days"]);
  expect(await remove(14)).toEqual(["2026-10: 2 gone, 0 unfinished"]);
  expect(await idsLeft()).toEqual(["2026-11-01T00:00:00.000Z"]);
  await expectExactCounts();
});

test("what would go can be seen before, and stays until it is removed", async () => {
  const moments = ["2026-08-01T00:00:00.000Z", "2026-08-31T23:59:59.999Z", "2026-09-01T00:00:00.000Z"];
  await plane.addTasks(at(...moments));
  await plane.addTasks([{ id: "late", created_timestamp: "2026-09-02T00:00:00.000Z", status: "in_progress" }]);
  const expected = ["2026-08: 2 gone, 0 unfinished", "2026-09: 0 gone, 1 unfinished"];
  expect(written(await previewRemoval(plane.database, { days: 45, now }))).toEqual(expected);
  expect(await idsLeft()).toEqual(["late", ...moments.toReversed()]);
  expect(await remove(45)).toEqual(expected);
  expect(written(await previewRemoval(plane.database, { days: 45, now }))).toEqual(expected.slice(1));
});

test("no count of a removed day is left behind, and what tasks protected stays known", async () => {
  await plane.addTasks(at("2026-08-31T23:59:59.999Z", "2026-11-01T00:00:00.000Z"));
  await remove(60);
  const left = await plane.database.snapshot(async (db) => ({
    days: await db.selectFrom("task_days").select("day").execute(),
    quarters: await db.selectFrom("task_quarters").select("quarter").execute(),
    weeks: await db.selectFrom("entity_weeks").select("week").execute(),
    entities: await db.selectFrom("entities").select("id").execute(),
  }));
  expect(left).toEqual({
    days: [{ day: Date.parse("2026-11-01") / 86_400_000 }],
    quarters: [{ quarter: Date.parse("2026-11-01") / 900_000 }],
    weeks: [{ week: Math.floor(Date.parse("2026-11-01") / (7 * 86_400_000)) }],
    entities: [{ id: "host-1" }],
  });
});

test("a month in which a task is not finished is kept whole until it is", async () => {
  await plane.addTasks([
    ...at("2026-08-01T00:00:00.000Z", "2026-09-01T00:00:00.000Z"),
    {
      id: "going on",
      created_timestamp: "2026-08-02T00:00:00.000Z",
      status: "in_progress",
      end_timestamp: null,
      outcome: null,
    },
  ]);
  expect(await remove(30)).toEqual(["2026-08: 0 gone, 1 unfinished", "2026-09: 1 gone, 0 unfinished"]);
  expect(await idsLeft()).toEqual(["going on", "2026-08-01T00:00:00.000Z"]);
  await plane.database.change((db) => updateTask(db, "going on", { ...inStatus("failed"), outcome: "lost" }));
  expect(await remove(30)).toEqual(["2026-08: 2 gone, 0 unfinished"]);
  expect(await idsLeft()).toEqual([]);
  await expectExactCounts();
});

test("a month of many tasks goes whole, and can be filled again", async () => {
  const start = Date.parse("2026-07-01T00:00:00.000Z");
  const many = Array.from({ length: 1_100 }, (_, number) => ({
    id: `many ${number}`,
    created_timestamp: new Date(start + number * 600_000).toISOString(),
  }));
  await plane.addTasks(many);
  expect(await remove(60)).toEqual(["2026-07: 1100 gone, 0 unfinished"]);
  expect(await idsLeft()).toEqual([]);
  expect(await told()).toEqual(["2026-07: 1100 by 60 days"]);
  await plane.addTasks(many.slice(0, 2));
  expect(await idsLeft()).toEqual(["many 1", "many 0"]);
  await expectExactCounts();
});

test("T26: no task goes while the audit trail cannot be told", async () => {
  await plane.addTasks(at("2026-08-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"));
  const allow = await forbidEvents(plane, '"prune-tasks"');
  // It would try again for a while: the database may only be away.
  const ending = new AbortController();
  const recordAndEnd = (db: Queries, action: Action) => {
    ending.abort();
    return record(db, action);
  };
  const removal = removeOldTasks(plane.database, { days: 60, now, record: recordAndEnd, signal: ending.signal });
  await expect(removal).rejects.toThrow("the audit event could not be written");
  expect(await idsLeft()).toHaveLength(2);
  await allow();
  expect(await remove(60)).toEqual(["2026-08: 1 gone, 0 unfinished"]);
  expect(await told()).toEqual(["2026-08: 1 by 60 days"]);
  await expectExactCounts();
});

test("a walk that is under way goes on over what is left", async () => {
  await plane.addTasks(
    at(
      "2026-08-01T00:00:00.000Z",
      "2026-08-02T00:00:00.000Z",
      "2026-10-01T00:00:00.000Z",
      "2026-11-01T00:00:00.000Z",
      "2026-11-02T00:00:00.000Z",
    ),
  );
  const afterFirstPage = [() => remove(60)];
  const seen = await walk(plane, "/tasks?limit=2", { token }, async () => {
    await afterFirstPage.pop()?.();
  });
  expect(seen.map(({ id }) => id)).toEqual([
    "2026-11-02T00:00:00.000Z",
    "2026-11-01T00:00:00.000Z",
    "2026-10-01T00:00:00.000Z",
  ]);
});
