import { afterAll, expect, test } from "bun:test";
import { parseFilter } from "@holdfast/api/conventions/filter";
import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { type TaskFilterField, taskFilters } from "@holdfast/api/resources/tasks";
import fc from "fast-check";
import { compileTaskFilter, fieldsOf } from "../../src/resources/tasks/watch/filtered-fields";
import { inStatus, openPlane, root } from "../harness";
import { elementAt as pick } from "../random";
import { runs } from "../runs";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");
const north = await plane.addUnit("North");

const time = (number: number) => new Date(Date.parse("2026-11-01T00:00:00.000Z") + number * 977).toISOString();
const names = ["web-01", "WEB-01", "Größe 100%", "größe_7", "Straße", "ǅ", "İstanbul", "a\\b", "ΣΑΣ", "😀 host"];

const monitors = ["5c0f1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f", "6c0f1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f"];

/** Tasks that differ in everything that filters look at. */
const tasks = await plane.addTasks(
  Array.from({ length: 90 }, (_, number) => {
    const status = pick(taskStatuses, number);
    const hasBegun = status !== "queued";
    const name = pick(names, number);
    return {
      ...inStatus(status),
      id: number % 7 === 0 ? `Imported-${number}` : `00000000-0000-7000-8000-00000000ab${10 + number}`,
      category: pick(taskCategories, Math.floor(number / 3)),
      type: pick(["restic_backup", "Restic_Backup", "pg_dump"], number),
      // Some are runs of what is named like the type of others.
      ...(number % 3 === 0 ? { operation: pick(["pg_dump", "/etc → nas"], number / 3) } : {}),
      organizational_unit_id: pick([root, north], number),
      ...(number % 4 === 0 ? {} : { monitor_id: pick(monitors, number) }),
      created_timestamp: time(number),
      start_timestamp: hasBegun ? time(number + 1) : null,
      end_timestamp: ["completed", "failed", "aborted"].includes(status) ? time(number + 2) : null,
      primary_entity: number % 5 === 0 ? null : { id: `${name} ${number}`, type: "host", value: name },
    };
  }),
);

/** Values that a condition may name: those of tasks, in part and in other case, and some that no task has. */
const values: Record<TaskFilterField, readonly string[]> = {
  status: [...taskStatuses, "none"],
  category: [...taskCategories, "none"],
  type: ["restic_backup", "RESTIC_BACKUP", "pg_dump", "none", "a\u0000"],
  id: [...tasks.slice(0, 15).map(({ id }) => id), tasks[1]?.id.toUpperCase() ?? "", "imported-0", "none"],
  outcome: [...taskOutcomes, "none"],
  "error.code": ["host_unreachable", "none"],
  organizational_unit_id: [root, north, north.toUpperCase()],
  monitor_id: [...monitors, "none"],
  operation: ["pg_dump", "restic_backup", "/etc → nas", "/ETC → nas", "none", "a\u0000"],
  created_timestamp: [time(0), time(30), time(89), "2026-11-01T00:00:10Z"],
  start_timestamp: [time(1), time(30), time(90)],
  end_timestamp: [time(2), time(30), time(91)],
  "primary_entity.id": [...tasks.slice(0, 12).map((task) => task.primary_entity?.id ?? "none"), "0"],
  "primary_entity.value": [
    ...names,
    ...names.map((name) => name.toLowerCase()),
    "%",
    "_",
    "\\",
    "ss",
    "i",
    "σας",
    "\ud83d",
  ],
};

const fields: TaskFilterField[] = [
  ...(["status", "category", "type", "id", "outcome", "error.code", "organizational_unit_id", "monitor_id"] as const),
  "operation",
  ...(["created_timestamp", "start_timestamp", "end_timestamp"] as const),
  ...(["primary_entity.id", "primary_entity.value"] as const),
];

test("every field is tried", () => {
  expect(fields.toSorted()).toEqual(fields.filter((field) => field in taskFilters).toSorted());
  expect(fields.length).toBe(Object.keys(taskFilters).length);
});

const condition = fc
  .constantFrom(...fields)
  .chain((field) =>
    fc
      .tuple(
        fc.constantFrom(...taskFilters[field].operators),
        fc.array(fc.constantFrom(...values[field]), { minLength: 1, maxLength: 4 }),
      )
      .map(([operator, some]): [string, object] => [field, { [operator]: operator === "$in" ? some : some[0] }]),
  );

test("T33: what a filter says of a task is what the list finds, for any task and any filter", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 3 }), async (conditions) => {
      const text = JSON.stringify(Object.fromEntries(conditions));
      const { filter, faults } = parseFilter(text, taskFilters);
      const { status, body } = await plane.ask(`/tasks?limit=1000&filter=${encodeURIComponent(text)}`, { token });
      expect([text, faults, status]).toEqual([text, [], 200]);
      const listed = body._embedded.items.map(({ id }: { id: string }) => id).sort();
      const isMatch = compileTaskFilter(filter);
      const matched = tasks.filter((task) => isMatch(fieldsOf(task))).map(({ id }) => id);
      expect([text, matched.sort()]).toEqual([text, listed]);
    }),
    runs(300, 3_000),
  );
});
