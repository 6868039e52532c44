import { afterAll, beforeAll, expect, mock, test } from "bun:test";
import { parseFilter } from "@holdfast/api/conventions/filter";
import { taskFilters } from "@holdfast/api/resources/tasks";
import fc from "fast-check";
import type { Caller } from "../../src/access/caller";
import type { ListScope, Slice } from "../../src/lists/list-source";
import { TakesLong, type Work } from "../../src/lists/work";
import { createTaskSource } from "../../src/resources/tasks/list/list-tasks";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { compileTaskFilter, fieldsOf } from "../../src/resources/tasks/watch/filtered-fields";
import { inStatus, openPlane, type Plane, root } from "../harness";
import { runs } from "../runs";

let plane: Plane;
let tasks: TaskRecord[];
let unit: string;
let below: string;

const base = Date.parse("2026-11-01T22:00:00.000Z");
/** Over eleven days, so that cuts go through hours and days, and some filters leave more than a week whole. */
const at = (step: number) => new Date(base + step * 15_000_000).toISOString();
const statuses = ["queued", "in_progress", "completed", "failed"] as const;
const categories = ["backup", "restore"] as const;
const codes = ["runner_lost", "repository_full", "none"];
const types = ["restic_backup", "borg_create", "zfs_snapshot"];

beforeAll(async () => {
  plane = await openPlane();
  unit = await plane.addUnit("Unit");
  below = await plane.addUnit("Below", unit);
  tasks = await plane.addTasks(
    Array.from({ length: 160 }, (_, n) => ({
      // Several tasks share each of the times, so that a cut between two of them is tried, too.
      created_timestamp: at(Math.floor((n * 7) % 64)),
      start_timestamp: n % 5 === 0 ? null : at(n % 50),
      end_timestamp: n % 3 === 0 ? null : at(n % 40),
      ...inStatus(statuses[n % 4] ?? "queued"),
      ...(n % 8 === 2 ? { outcome: "warning" as const } : {}),
      ...(n % 8 === 2 || n % 4 === 3 ? { error: { code: codes[n % 2] ?? "", message: "", remedy: "" } } : {}),
      category: categories[n % 2] ?? "backup",
      type: types[n % 3] ?? "",
      organizational_unit_id: [root, unit, below][(n * 5) % 3] ?? root,
      primary_entity: n % 11 === 0 ? null : { id: `Host-${n % 9}`, type: "host", value: `web-${n % 7}.example.org` },
    })),
  );
});
afterAll(() => plane.close());

const caller: Caller = {
  tokenId: "a token",
  kind: "service",
  userId: null,
  limitedAs: "a token",
  unitId: root,
  roles: [],
};

/** Work that gives way at once and takes as long as it likes. */
const uncounted = () => {};
const patient: Work = { signal: new AbortController().signal, isLong: true, step: async () => {} };

const timeFilter = fc
  .tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), fc.integer({ min: -1, max: 65 }))
  .map(([operator, step]) => ({ [operator]: at(step) }));
const nameFilter = (names: readonly string[]) =>
  fc.oneof(
    fc.record({ $eq: fc.constantFrom(...names, "nothing") }),
    fc.record({ $in: fc.subarray([...names]) }),
    fc.record({ $neq: fc.constantFrom(...names) }),
  );
const conditions = {
  status: nameFilter(statuses),
  category: nameFilter(categories),
  type: nameFilter(types),
  outcome: nameFilter(["success", "warning", "error", "cancelled"]),
  "error.code": nameFilter(codes),
  organizational_unit_id: fc.oneof(
    fc.record({ $eq: fc.constantFrom("root", "unit", "below") }),
    fc.record({ $in: fc.subarray(["root", "unit", "below"]) }),
  ),
  created_timestamp: timeFilter,
  start_timestamp: timeFilter,
  end_timestamp: timeFilter,
  "primary_entity.id": fc.record({ $contains: fc.constantFrom("HOST", "-3", "none") }),
  "primary_entity.value": fc.oneof(
    fc.record({ $contains: fc.constantFrom("e", "WEB-2", "%") }),
    fc.record({ $eq: fc.constantFrom("web-3.example.org", "Web-3.example.org") }),
  ),
};
/** Some conditions at once, but not so many that hardly any task is left. */
const anyFilter = fc
  .subarray(["created_timestamp", ...Object.keys(conditions)], { maxLength: 3 })
  .chain((fields) =>
    fc
      .record(conditions)
      .map((all) => Object.fromEntries(Object.entries(all).filter(([field]) => fields.includes(field)))),
  );
const anyId = fc.integer({ min: 0, max: 159 }).map((n) => `00000000-0000-7000-8000-${String(n + 1).padStart(12, "0")}`);
const idFilter = fc.oneof(
  fc.record({ $eq: anyId }),
  fc.record({ $neq: anyId }),
  fc.record({ $in: fc.array(anyId, { maxLength: 4 }) }),
);

type Wanted = Record<string, Record<string, string | readonly string[]>>;

test("T39: parts of any size give the same pages, totals and order as all tasks at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ filter: anyFilter, id: fc.option(idFilter, { freq: 2 }) }),
      fc.record({ few: fc.constantFrom(0, 5, 1000), tasksPerStep: fc.constantFrom(1, 4, 30) }),
      fc.constantFrom("root", "unit", "below"),
      fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 170 })),
      }),
      async ({ filter, id }, sizes, where, { limit, skip }) => {
        const places: Record<string, string> = { root, unit, below };
        const named: Wanted = JSON.parse(JSON.stringify(filter), (_, value) => places[value] ?? value);
        const wanted: Wanted = id === null ? named : { ...named, id };
        const unitId = { root, unit, below }[where];
        const seen = { root: [root, unit, below], unit: [unit, below], below: [below] }[where];
        const parsed = parseFilter(JSON.stringify(wanted), taskFilters).filter;
        const isMatch = compileTaskFilter(parsed);
        const expected = tasks
          .filter((task) => seen.includes(task.organizational_unit_id) && isMatch(fieldsOf(task)))
          .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1))
          .map((task) => task.id);
        const scope: ListScope = { caller, unitId, permission: "tasks:read" };
        const source = createTaskSource(uncounted, sizes);
        const result = await plane.database.snapshot(async (db, { dataVersions }) => {
          const snapshot = { db, dataVersions, work: patient };
          const listSnapshot = await source.listSnapshot(snapshot, scope, parsed);
          const read = (from: Slice["from"], count = limit) =>
            source.read(snapshot, scope, parsed, { listSnapshot, count, from });
          const walked: string[] = [];
          let page = listSnapshot.total > 0 ? await read({ skip: 0 }) : [];
          let last = page.at(-1);
          while (last) {
            walked.push(...page.map(({ place }) => place.id));
            page = await read({ after: last.place });
            last = page.at(-1) ?? undefined;
          }
          const jumped = skip < listSnapshot.total ? await read({ skip }) : [];
          const [middle] = jumped;
          const before = middle ? await read({ before: middle.place }) : [];
          const ids = (rows: typeof page) => rows.map(({ place }) => place.id);
          return { total: listSnapshot.total, walked, jumped: ids(jumped), before: ids(before) };
        });
        expect(result).toEqual({
          total: expected.length,
          walked: expected,
          jumped: expected.slice(skip, skip + limit),
          before: skip < expected.length ? expected.slice(Math.max(0, skip - limit), skip).reverse() : [],
        });
      },
    ),
    runs(300),
  );
});

function sortKey({ created_timestamp, id }: TaskRecord): string {
  return `${created_timestamp} ${id}`;
}

test("T39: counting goes on in steps, and ends at the step at which it may not go on", async () => {
  const source = createTaskSource(uncounted, { few: 0, tasksPerStep: 10 });
  const scope: ListScope = { caller, unitId: root, permission: "tasks:read" };
  const { filter } = parseFilter('{"primary_entity.value":{"$contains":"e"},"status":{"$neq":"queued"}}', taskFilters);
  const step = mock(async () => {});
  for (let steps = 1; steps < 5; steps++) step.mockResolvedValueOnce();
  step.mockRejectedValueOnce(new TakesLong());
  const work: Work = { ...patient, step };
  const counting = plane.database.snapshot((db, { dataVersions }) =>
    source.listSnapshot({ db, dataVersions, work }, scope, filter),
  );
  await expect(counting).rejects.toBeInstanceOf(TakesLong);
  expect(step).toHaveBeenCalledTimes(5);
});
