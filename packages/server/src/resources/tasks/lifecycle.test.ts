import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TaskStatus, taskStatuses } from "@holdfast/api/resources/tasks";
import { openPlane, type Plane } from "../../../test/harness";
import { canMove, isFinished, updateTask } from "./lifecycle";
import { findTask } from "./store";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());

const allowed: [TaskStatus, TaskStatus][] = [
  ["queued", "in_progress"],
  ["queued", "failed"],
  ["queued", "aborted"],
  ["in_progress", "completed"],
  ["in_progress", "failed"],
  ["in_progress", "aborted"],
  ["in_progress", "aborting"],
  ["aborting", "completed"],
  ["aborting", "failed"],
  ["aborting", "aborted"],
];

test("a task moves along the transitions and no others", () => {
  const moves = taskStatuses.flatMap((from) => taskStatuses.map((to): [TaskStatus, TaskStatus] => [from, to]));
  const sorted = (pairs: [TaskStatus, TaskStatus][]) => pairs.map((pair) => pair.join(" → ")).sort();
  expect(sorted(moves.filter(([from, to]) => canMove(from, to)))).toEqual(sorted(allowed));
});

test("completed, failed and aborted are the ends", () => {
  expect(taskStatuses.filter(isFinished)).toEqual(["completed", "failed", "aborted"]);
});

test("a task that lives takes what changes about it and keeps the rest", async () => {
  const [task] = await plane.addTasks([{ id: "lives", status: "in_progress", progress_percentage: 10, outcome: null }]);
  const after = await plane.database.change((db) => updateTask(db, "lives", { progress_percentage: 20 }));
  expect(after).toEqual({ ...after, ...task, progress_percentage: 20 });
  expect(await plane.database.snapshot((db) => findTask(db, "lives"))).toEqual(after);
});

test("a finished task never changes again, not even to the same status", async () => {
  await plane.addTasks([{ id: "ended", status: "completed" }]);
  const change = (update: object) => plane.database.change((db) => updateTask(db, "ended", update));
  await expect(change({ status: "failed" })).rejects.toThrow(
    "The task ended is completed and does not change any more.",
  );
  await expect(change({ progress_percentage: 1 })).rejects.toThrow("does not change any more");
});

test("a step that is no transition is refused and changes nothing", async () => {
  await plane.addTasks([{ id: "waits", status: "queued" }]);
  const before = await plane.database.snapshot((db) => findTask(db, "waits"));
  const change = plane.database.change((db) =>
    updateTask(db, "waits", { status: "completed", progress_percentage: 3 }),
  );
  await expect(change).rejects.toThrow("A task that is queued cannot become completed.");
  expect(await plane.database.snapshot((db) => findTask(db, "waits"))).toEqual(before);
});

test("a task that does not exist cannot change", async () => {
  const change = plane.database.change((db) => updateTask(db, "nobody", { status: "failed" }));
  await expect(change).rejects.toThrow("There is no task nobody.");
});
