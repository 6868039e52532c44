import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { taskCategories, taskOutcomes } from "@holdfast/api/resources/task-words";
import { taskV1 } from "@holdfast/api/resources/tasks";
import { updateTask } from "../change-tasks";
import { inStatus, openPlane, type Plane, sampleTask } from "../harness";

let plane: Plane;
let token: string;
beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(() => plane.close());

const read = (id: string) => plane.ask(`/tasks/${id}`, { token });

describe("a task", () => {
  test("has all of its fields, in their order", async () => {
    const [task] = await plane.addTasks([
      {
        status: "failed",
        progress_percentage: 40,
        category: "restore",
        outcome: "error",
        error: { code: "no_space", message: "The disk is full.", remedy: "Free some space." },
      },
    ]);
    const id = String(task?.id);
    const { status, headers, body } = await read(id);
    expect([status, headers.get("content-type")]).toEqual([200, "application/api.svc.tasks=v1+json"]);
    expect(body).toEqual({ ...task, _links: { self: { href: `/tasks/${id}`, templated: false, type: "get" } } });
    expect(Object.keys(body)).toEqual([
      "id",
      "category",
      "status",
      "progress_percentage",
      "created_timestamp",
      "type",
      "start_timestamp",
      "end_timestamp",
      "organizational_unit_id",
      "primary_entity",
      "outcome",
      "error",
      "is_abortable",
      "last_heartbeat_timestamp",
      "last_progress_timestamp",
      "_links",
    ]);
    expect(taskV1.parse(body)).toEqual(body);
  });

  test("that waits has null for what has not happened", async () => {
    const waiting = {
      status: "queued",
      progress_percentage: 0,
      start_timestamp: null,
      end_timestamp: null,
      outcome: null,
      primary_entity: null,
      last_heartbeat_timestamp: null,
      last_progress_timestamp: null,
    } as const;
    const [task] = await plane.addTasks([waiting]);
    const { body } = await read(String(task?.id));
    expect(body).toMatchObject({ ...waiting, error: null });
    expect(taskV1.parse(body)).toEqual(body);
  });

  test("has timestamps in UTC, with milliseconds and Z", async () => {
    const { body } = await plane.ask("/tasks", { token });
    expect(body._embedded.items).not.toEqual([]);
    for (const item of body._embedded.items) {
      expect(item.created_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  test("may have an id that is no UUID, and its link leads to it", async () => {
    const id = "job 7/ä?#%41&\"'";
    await plane.addTasks([{ id }]);
    const { body } = await plane.ask(`/tasks?filter=${encodeURIComponent(JSON.stringify({ id }))}`, { token });
    const [item] = body._embedded.items;
    expect(item.id).toBe(id);
    expect((await plane.ask(item._links.self.href, { token })).body).toEqual(item);
  });

  test.each([...taskCategories])("may be of the category %s", async (category) => {
    const [task] = await plane.addTasks([{ category }]);
    expect((await read(String(task?.id))).body.category).toBe(category);
  });

  test.each([...taskOutcomes])("may have the outcome %s", async (outcome) => {
    const [task] = await plane.addTasks([{ outcome }]);
    expect((await read(String(task?.id))).body.outcome).toBe(outcome);
  });

  test("that nobody runs stays as it is, however long ago it was heard of", async () => {
    const [task] = await plane.addTasks([{ status: "in_progress", outcome: null, end_timestamp: null }]);
    const before = await read(String(task?.id));
    plane.clock.now += 3_600_000;
    expect((await read(String(task?.id))).body).toEqual(before.body);
  });
});

test("tasks are sorted by creation, then by id, both downwards", async () => {
  const unit = await plane.addUnit("Sorted");
  const at = (second: number) => new Date(Date.parse("2026-11-03T23:59:58Z") + second * 1000).toISOString();
  const given = [
    ["b", 0],
    ["c", 0],
    ["a", 0],
    ["z", 1],
    ["y", 2],
    ["x", 3],
    ["B", 3],
  ] as const;
  await plane.addTasks(
    given.map(([id, second]) => ({ id, created_timestamp: at(second), organizational_unit_id: unit })),
  );
  for (const limit of [1, 2, 3, 100]) {
    const ids: string[] = [];
    for (let start = 1; start <= Math.ceil(given.length / limit); start++) {
      const { body } = await plane.ask(`/tasks?limit=${limit}&start=${start}`, { token, unit });
      ids.push(...body._embedded.items.map(({ id }: { id: string }) => id));
    }
    expect(ids).toEqual(["x", "B", "y", "z", "c", "b", "a"]);
  }
});

test("deep pages have the tasks that belong there, and the counts stay exact", async () => {
  const unit = await plane.addUnit("Deep");
  const count = 1500;
  const tasks = Array.from({ length: count }, (_, index) => ({
    ...sampleTask(index),
    id: `deep-${String(index).padStart(5, "0")}`,
    created_timestamp: new Date(Date.parse("2026-08-01T00:00:00Z") + index * 3_600_000).toISOString(),
    organizational_unit_id: unit,
  }));
  await plane.addTasks(tasks);
  const newestFirst = tasks.toReversed().map(({ id }) => id);
  for (const start of [1, 2, 75, 149, 150]) {
    const { body } = await plane.ask(`/tasks?limit=10&start=${start}`, { token, unit });
    expect(body._embedded.items.map(({ id }: { id: string }) => id)).toEqual(
      newestFirst.slice((start - 1) * 10, start * 10),
    );
    expect([body.total_count, body.total_pages_count]).toEqual([count, 150]);
  }
  const capped = await plane.ask("/tasks?limit=5000", { token, unit });
  expect([capped.body.current_count, capped.body.limit, capped.body.total_pages_count]).toEqual([1000, 1000, 2]);
  expect(capped.body._links.next.href).toStartWith("/tasks?start=2&limit=1000&cursor=");
});

test("a task that changes its status is counted under the new one", async () => {
  const unit = await plane.addUnit("Counted");
  const [task] = await plane.addTasks([{ status: "queued", organizational_unit_id: unit }]);
  const count = async (status: string) =>
    (await plane.ask(`/tasks?filter={"status":"${status}"}`, { token, unit })).body.total_count;
  expect([await count("queued"), await count("in_progress")]).toEqual([1, 0]);
  await plane.database.change((db) => updateTask(db, String(task?.id), inStatus("in_progress")));
  expect([await count("queued"), await count("in_progress")]).toEqual([0, 1]);
});
