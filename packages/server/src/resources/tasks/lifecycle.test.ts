import { expect, test } from "bun:test";
import { taskStatuses } from "@holdfast/api/resources/task-words";
import { isFinished } from "./lifecycle";

test("completed, failed and aborted are the ends", () => {
  expect(taskStatuses.filter(isFinished)).toEqual(["completed", "failed", "aborted"]);
});
