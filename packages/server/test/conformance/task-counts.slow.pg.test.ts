import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CountGroup, CountInterval, taskCount } from "@holdfast/api/resources/task-counts";
import type { TaskStatus } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import type { z } from "zod";
import type { Work } from "../../src/lists/work";
import { taskCountList } from "../../src/resources/tasks/counts/list-task-counts";
import { createTaskSource } from "../../src/resources/tasks/list/list-tasks";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { type Ask, inStatus, openPlane, type Plane, root, walk } from "../harness";
import { runs } from "../runs";

type TaskCount = z.infer<typeof taskCount>;

let plane: Plane;
let token: string;
let units: string[];

const uncounted = () => {};
const statuses: TaskStatus[] = ["queued", "in_progress", "aborting", "completed", "failed", "aborted"];
const types = ["restic_backup", "borg_prune", "a\u{1f600}", "a\uffee", "zfs"];
const codes = ["runner_lost", "disk full", ""];
const pick = <Value>(values: readonly Value[], n: number, otherwise: Value): Value =>
  values[n % values.length] ?? otherwise;
const edges = ["2026-10-25T00:30:00Z", "2026-10-24T22:00:00Z", "2026-10-31T18:30:00Z", "2026-11-01T00:00:00Z"];

/** Most lie at hours, halves and quarters of hours, and a millisecond beside them. */
function momentOf(n: number): string {
  const base = Date.parse(pick(edges, n * 7, "2026-11-01T00:00:00Z"));
  const quarter = 900_000 * ((n * n * 13) % 700) * (n % 3 === 0 ? -1 : 1);
  return new Date(base + quarter + ((n % 5) - 2)).toISOString();
}

beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
  const north = await plane.addUnit("North");
  units = [root, north, await plane.addUnit("Harbour", north), await plane.addUnit("South")];
  await plane.addTasks(
    Array.from({ length: 240 }, (_, n) => ({
      ...inStatus(pick(statuses, n * 5 + Math.floor(n / 7), "queued")),
      ...(n % 9 === 4 ? { ...inStatus("completed"), outcome: "warning" as const } : {}),
      ...(n % 4 === 0 ? { error: { code: pick(codes, n / 4, ""), message: "", remedy: "" } } : {}),
      category: n % 3 === 0 ? ("restore" as const) : ("backup" as const),
      type: pick(types, n * 3, ""),
      organizational_unit_id: pick(units, n * 11 + Math.floor(n / 5), root),
      created_timestamp: momentOf(n),
    })),
  );
  plane.clock.now = Date.parse("2026-11-16T12:00:00Z");
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(() => plane.close());

const addressOf = (query: Record<string, string>) => `/task-counts?${new URLSearchParams(query)}`;
const get = (query: Record<string, string>, ask: Ask = {}) => plane.ask(addressOf(query), { token, ...ask });
const countsOf = async (query: Record<string, string>, ask: Ask = {}): Promise<TaskCount[]> =>
  (await get({ limit: "1000", ...query }, ask)).body._embedded.items;
const sumOf = (items: readonly TaskCount[]) => items.reduce((sum, { count }) => sum + count, 0);

const intervals: CountInterval[] = ["hour", "day", "week", "month", "all"];
const groups: CountGroup[] = ["outcome", "status", "category", "type", "organizational_unit_id", "error.code"];
const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"];

/** When the stretch begins in which a task was created, by what the clocks of the zone show. */
function startOf(interval: CountInterval, zone: string, created: string): string {
  const local = Temporal.Instant.from(created).toZonedDateTimeISO(zone);
  const starts = {
    hour: () => local.round({ smallestUnit: "hour", roundingMode: "floor" }),
    day: () => local.startOfDay(),
    week: () => local.subtract({ days: local.dayOfWeek - 1 }).startOfDay(),
    month: () => local.with({ day: 1 }).startOfDay(),
    all: () => undefined,
  };
  return starts[interval]()?.toInstant().toString({ fractionalSecondDigits: 3 }) ?? "all";
}

const groupValue = (task: TaskRecord, group: CountGroup) =>
  group === "error.code" ? (task.error?.code ?? null) : task[group];
const shown = (interval: CountInterval, item: TaskCount, groupBy: readonly CountGroup[]) =>
  JSON.stringify([interval === "all" ? "all" : item.start_timestamp, ...groupBy.map((group) => item[group])]);

const word = (values: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.record({ $in: fc.subarray([...values]) }),
    fc.record({ $neq: fc.constantFrom(...values, "nothing") }),
  );
const moment = fc
  .tuple(fc.nat(239), fc.constantFrom(-1_800_000, -1, 0, 1, 450_000))
  .map(([n, shift]) => new Date(Date.parse(momentOf(n)) + shift).toISOString());
const conditions = {
  status: word(statuses),
  outcome: word(["success", "warning", "error", "cancelled"]),
  category: word(["backup", "restore"]),
  type: word(types),
};
const timeFilter = fc.oneof(
  fc.record({ $gte: moment }),
  fc.record({ $lt: moment }),
  fc.record({ $gt: moment, $lte: moment }),
);
/** At most two conditions: with more of them next to nothing is left to count. */
const anyFilter = fc.record({
  kind: fc.oneof(
    fc.constant({}),
    ...Object.entries(conditions).map(([field, wanted]) => fc.record({ [field]: wanted })),
  ),
  time: fc.oneof(fc.constant({}), timeFilter),
});

test("T10: counts are those of the tasks that the list shows, whatever is asked, and of no other unit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...intervals),
      fc.constantFrom(...zones),
      fc.uniqueArray(fc.constantFrom(...groups), { minLength: 1, maxLength: 2 }),
      fc.nat(3),
      fc.constantFrom(1, 3, 1000),
      anyFilter,
      async (interval, zone, groupBy, unitNumber, limit, { kind, time }) => {
        const ask = { token, unit: pick(units, unitNumber, root) };
        // Within 31 days, so that every interval counts all of what the filter leaves.
        const filter = JSON.stringify({
          ...kind,
          created_timestamp: { $gte: "2026-10-10T00:00:00Z", $lt: "2026-11-10T00:00:00Z", ...time },
        });
        const listed = await walk(plane, `/tasks?limit=1000&filter=${encodeURIComponent(filter)}`, ask);
        const expected = new Map<string, number>();
        for (const task of listed) {
          const key = JSON.stringify([
            startOf(interval, zone, task.created_timestamp),
            ...groupBy.map((group) => groupValue(task, group)),
          ]);
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        const query = { interval, time_zone: zone, group_by: groupBy.join(), filter };
        const address = addressOf({ ...query, limit: String(expected.size > 60 ? 1000 : limit) });
        const items = await walk(plane, address, ask);
        expect(new Map(items.map((item) => [shown(interval, item, groupBy), item.count]))).toEqual(expected);
        expect(items.length).toBe(expected.size);
        const { body } = await plane.ask(`/tasks?limit=1&filter=${encodeURIComponent(filter)}`, ask);
        expect(sumOf(items)).toBe(body.total_count);
        const keys = items.map((item) => [
          -Date.parse(item.start_timestamp),
          ...groupBy.map((group) => (item[group] === null ? "" : `!${item[group]}`)),
        ]);
        expect(keys).toEqual(keys.toSorted(compareKeys));
      },
    ),
    runs(60, 2_000),
  );
});

/** By number, then by code point. */
function compareKeys([one, ...ones]: (string | number)[], [other, ...others]: (string | number)[]): number {
  const texts = (values: unknown[]) => Buffer.from(values.join("\0"));
  return Number(one) - Number(other) || Buffer.compare(texts(ones), texts(others));
}

test("items have the interval, what is grouped by and how many there are, and nothing else", async () => {
  const unit = await plane.addUnit("Few");
  await plane.addTasks([
    { organizational_unit_id: unit, created_timestamp: "2026-10-24T21:59:59.999Z" },
    { organizational_unit_id: unit, created_timestamp: "2026-10-24T22:00:00.000Z", ...inStatus("queued") },
    { organizational_unit_id: unit, created_timestamp: "2026-10-25T22:59:59.999Z", ...inStatus("queued") },
    { organizational_unit_id: unit, created_timestamp: "2026-10-25T12:00:00.000Z" },
  ]);
  const day = { start_timestamp: "2026-10-24T22:00:00.000Z", end_timestamp: "2026-10-25T23:00:00.000Z" };
  expect(await countsOf({ time_zone: "Europe/Berlin" }, { unit })).toEqual([
    { ...day, outcome: null, count: 2 },
    { ...day, outcome: "success", count: 1 },
    {
      start_timestamp: "2026-10-23T22:00:00.000Z",
      end_timestamp: "2026-10-24T22:00:00.000Z",
      outcome: "success",
      count: 1,
    },
  ]);
  expect(
    await countsOf({ interval: "all", group_by: "error.code,status", time_zone: "Asia/Kolkata" }, { unit }),
  ).toEqual(
    (["completed", "queued"] as const).map((status) => ({
      start_timestamp: "2026-09-25T18:30:00.000Z",
      end_timestamp: "2026-10-26T18:30:00.000Z",
      "error.code": null,
      status,
      count: 2,
    })),
  );
  const filter = JSON.stringify({ created_timestamp: { $gte: "2026-10-25T00:00:00Z" } });
  expect(await countsOf({ interval: "all", group_by: "category", filter }, { unit })).toEqual([
    {
      start_timestamp: "2026-10-25T00:00:00.000Z",
      end_timestamp: "2026-10-26T00:00:00.000Z",
      category: "backup",
      count: 2,
    },
  ]);
});

describe("without a start in the filter", () => {
  test("the newest 400 days or 31 are counted, however old the oldest task is", async () => {
    const unit = await plane.addUnit("Old");
    const days = ["2026-11-02", "2026-10-03", "2026-10-02", "2025-09-29", "2025-09-28", "2020-01-01", "1970-01-01"];
    await plane.addTasks(
      days.map((day) => ({ organizational_unit_id: unit, created_timestamp: `${day}T00:00:00.000Z` })),
    );
    const startsOf = async (query: Record<string, string>) =>
      (await countsOf(query, { unit })).map(({ start_timestamp }) => start_timestamp.slice(0, 10));
    expect(await startsOf({})).toEqual(days.slice(0, 4));
    expect(await startsOf({ interval: "hour" })).toEqual(days.slice(0, 2));
    expect(await startsOf({ interval: "month" })).toEqual([
      "2026-11-01",
      "2026-10-01",
      "2025-09-01",
      "2020-01-01",
      "1970-01-01",
    ]);
    expect(sumOf(await countsOf({ interval: "all" }, { unit }))).toBe(7);
    expect(sumOf(await countsOf({ interval: "week" }, { unit }))).toBe(7);
    expect(sumOf(await countsOf({ interval: "all", group_by: "error.code" }, { unit }))).toBe(2);
    const filter = JSON.stringify({ created_timestamp: { $lt: "2026-10-03T00:00:00Z" } });
    expect(await startsOf({ filter })).toEqual(days.slice(2, 5));
  });

  test("and without tasks nothing is", async () => {
    const unit = await plane.addUnit("Empty");
    for (const interval of intervals) expect(await countsOf({ interval }, { unit })).toEqual([]);
  });
});

describe("is refused:", () => {
  const between = ($gte: string, $lt: string) => JSON.stringify({ created_timestamp: { $gte, $lt } });
  const later = "Give created_timestamp a later start or an earlier end";
  const groupNames = "outcome, status, category, type, organizational_unit_id, error.code";
  const groupFault = (text: string) =>
    `The parameter group_by is "${text}". Give at most 2 of ${groupNames}, each once, with a comma between them.`;
  const zoneFault = (text: string) =>
    `There is no time zone "${text}". Give a name of the IANA database, such as Europe/Berlin.`;
  const tooLong = (what: string, days: number, or = "") =>
    `With ${what} at most ${days} days are counted. ${later}${or}.`;
  const byWeek = ", or count by week or month";
  test.each<[string, Record<string, string>, string, string]>([
    [
      "an unknown interval",
      { interval: "year" },
      "interval",
      'The parameter interval is "year". Give hour, day, week, month, all.',
    ],
    ["an unknown zone", { time_zone: "Europe/Nowhere" }, "time_zone", zoneFault("Europe/Nowhere")],
    ["an offset as a zone", { time_zone: "+02:00" }, "time_zone", zoneFault("+02:00")],
    ["an unknown group", { group_by: "colour" }, "group_by", groupFault("colour")],
    ["a group twice", { group_by: "type,type" }, "group_by", groupFault("type,type")],
    ["three groups", { group_by: "type,status,outcome" }, "group_by", groupFault("type,status,outcome")],
    ["a group and nothing", { group_by: "type," }, "group_by", groupFault("type,")],
    [
      "401 days by day",
      { filter: between("2025-10-01T00:00:00Z", "2026-11-06T00:00:00Z") },
      "filter",
      tooLong("interval=day", 400, byWeek),
    ],
    [
      "32 days by hour",
      { interval: "hour", filter: between("2026-10-01T00:00:00Z", "2026-11-02T00:00:00Z") },
      "filter",
      tooLong("interval=hour", 31),
    ],
    [
      "32 days by code",
      { interval: "all", group_by: "error.code", filter: between("2026-10-01T00:00:00Z", "2026-11-02T00:00:00Z") },
      "filter",
      tooLong("group_by=error.code", 31),
    ],
    [
      "32 days by day and code",
      { group_by: "status,error.code", filter: between("2026-10-01T00:00:00Z", "2026-11-02T00:00:00Z") },
      "filter",
      tooLong("group_by=error.code", 31),
    ],
    [
      "an open end long ago",
      { filter: '{"created_timestamp":{"$gt":"2025-10-01T00:00:00Z"}}' },
      "filter",
      tooLong("interval=day", 400, byWeek),
    ],
  ])("%s", async (_, query, field, error_message) => {
    const { status, body } = await get(query);
    expect([status, body]).toEqual([400, { errors: [{ error_code: 40003, error_message, field }] }]);
  });

  test("fields that only the list of tasks is filtered by", async () => {
    const { status, body } = await get({ filter: '{"id":"x"}' });
    expect([status, body.errors[0].error_code]).toEqual([400, 40005]);
  });

  test("a start so early that a task of the future is too far away", async () => {
    const unit = await plane.addUnit("Future");
    await plane.addTasks([{ organizational_unit_id: unit, created_timestamp: "2027-12-01T00:00:00.000Z" }]);
    const filter = '{"created_timestamp":{"$gte":"2026-10-01T00:00:00Z"}}';
    expect((await get({ filter }, { unit })).status).toBe(400);
    expect((await get({ filter, interval: "week" }, { unit })).status).toBe(200);
  });
});

test("so many days are not too many because clocks change or because the end is included", async () => {
  const between = (from: string, until: string, end = "$lt") =>
    JSON.stringify({ created_timestamp: { $gte: from, [end]: until } });
  const asked = [
    { filter: between("2025-10-01T00:00:00Z", "2026-11-05T00:00:00Z") },
    { filter: between("2025-10-01T00:00:00Z", "2026-11-05T00:00:00Z", "$lte") },
    { filter: between("2025-09-30T22:00:00Z", "2026-11-04T23:00:00Z"), time_zone: "Europe/Berlin" },
    {
      filter: between("2026-10-01T00:00:00+02:00", "2026-11-01T00:00:00+01:00"),
      time_zone: "Europe/Berlin",
      interval: "hour",
    },
  ];
  const answers = await Promise.all(asked.map((query) => get(query)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("empty parameters mean that they were not given, and links repeat those that were", async () => {
  const plain = await get({ limit: "2" });
  expect((await get({ limit: "2", interval: "", time_zone: "", group_by: "" })).text).toBe(plain.text);
  const { body } = await get({ limit: "2", time_zone: "Europe/Berlin", group_by: "type,status" });
  const repeated = "&limit=2&time_zone=Europe%2FBerlin&group_by=type%2Cstatus";
  expect(body._links.self.href).toBe(`/task-counts?start=1${repeated}`);
  expect(body._links.next.href).toStartWith(`/task-counts?start=2${repeated}&cursor=`);
});

test("T11: a cursor is refused by the other list, and where something else is counted", async () => {
  const { body } = await get({ limit: "2" });
  const cursor = String(new URL(body._links.next.href, "http://x").searchParams.get("cursor"));
  const asked = ["/tasks?limit=2", "/task-counts?limit=2&interval=week", "/task-counts?limit=2&group_by=type"];
  for (const path of asked) {
    const answer = await plane.ask(`${path}&cursor=${cursor}`, { token });
    expect([path, answer.status, answer.body.errors[0].error_code]).toEqual([path, 400, 40009]);
  }
});

test("the answer follows a task that changes, and stays while only other things do", async () => {
  const unit = await plane.addUnit("Changing");
  await plane.addTasks([{ organizational_unit_id: unit }]);
  const etagOf = async () => (await get({}, { unit })).headers.get("etag");
  const before = await etagOf();
  await plane.addUnit("Another");
  expect(await etagOf()).toBe(before);
  await plane.addTasks([{ organizational_unit_id: unit }]);
  expect(await etagOf()).not.toBe(before);
});

test.each(intervals)("T39: by %s, counting little at a time and keeping nothing gives the same", async (interval) => {
  const work: Work = { signal: new AbortController().signal, isLong: true, step: async () => {} };
  const scope = {
    caller: { tokenId: "t", kind: "service", userId: null, limitedAs: "t", unitId: root, roles: [] } as const,
    unitId: units[1] ?? root,
    permission: "tasks:read" as const,
  };
  const small = { few: 1, tasksPerStep: 2, intervals: 2, keptRows: 0 };
  const parameters = new Map([
    ["interval", interval],
    ["time_zone", "Asia/Kathmandu"],
    ["group_by", "type,status"],
  ]);
  const [normal = [], ...others] = await Promise.all(
    [undefined, small].map((sizes) =>
      plane.database.snapshot(async (db, { dataVersions }) => {
        const source = taskCountList(createTaskSource(uncounted, sizes), uncounted, sizes).read(parameters, [])(
          [],
          plane.clock.now,
        );
        const snapshot = { db, dataVersions, work };
        const listSnapshot = await source.listSnapshot(snapshot, scope, []);
        const read = (from: Parameters<typeof source.read>[3]["from"], count = listSnapshot.total) =>
          source.read(snapshot, scope, [], { listSnapshot, count, from });
        const all = await read({ skip: 0 });
        const middle = all[Math.floor(all.length / 2)]?.place ?? { key: 0, id: "" };
        const [before, after] = [await read({ before: middle }), await read({ after: middle })];
        expect([
          ...before.toReversed(),
          ...all.filter(({ place }) => place.id === middle.id && place.key === middle.key),
          ...after,
        ]).toEqual(all);
        expect(await read({ skip: 3 }, 4)).toEqual(all.slice(3, 7));
        return all;
      }),
    ),
  );
  expect(normal.length).toBeGreaterThan(5);
  expect(others).toEqual([normal]);
});
