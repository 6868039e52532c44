import { expect, test } from "bun:test";
import { stripOfTasks } from "../src/data/strip-of-tasks";

const run = (number: number, category: "backup" | "snapshot" | "restore" | "system", outcome: "success" | "error") => ({
  id: String(number),
  status: "completed" as const,
  created_timestamp: "2026-11-15T12:00:00Z",
  category,
  outcome,
});

test("a strip of backups ends with the last backup: other runs are marked as such", () => {
  const strip = stripOfTasks([
    run(4, "system", "success"),
    run(3, "restore", "success"),
    run(2, "snapshot", "error"),
    run(1, "backup", "success"),
  ]);
  expect(strip.map(({ id, outcome, other }) => [id, outcome, other])).toEqual([
    ["1", "success", undefined],
    ["2", "error", undefined],
    ["3", "success", "Restore"],
    ["4", "success", "System"],
  ]);
});

test("a strip has the last thirty backups, and other runs since the first of them", () => {
  const tasks = Array.from({ length: 80 }, (_, at) => run(80 - at, at % 2 === 0 ? "system" : "backup", "success"));
  const strip = stripOfTasks(tasks);
  expect(strip.filter(({ other }) => other === undefined)).toHaveLength(30);
  expect([strip[0]?.id, strip[0]?.other, strip.at(-1)?.id]).toEqual(["21", undefined, "80"]);
});
