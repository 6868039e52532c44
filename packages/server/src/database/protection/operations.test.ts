import { describe, expect, test } from "bun:test";
import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { EndedTask } from "./evidence";
import {
  areAllRetired,
  type OperationMarks,
  operationsFedBy,
  operationsOf,
  rankOf,
  readMarks,
  silentSince,
  stateOfEntity,
  writeMarks,
} from "./operations";

let ids = 0;
/** A backup that ended at a second. */
function run(operation: string, outcome: TaskOutcome, second: number, more: Partial<EndedTask> = {}): EndedTask {
  ids += 1;
  const at = second * 1000;
  const times = { createdAt: at, startedAt: at, endedAt: at };
  const id = String(ids).padStart(4, "0");
  return { id, category: "backup", type: `${operation}_type`, operation, outcome, ...times, monitorId: null, ...more };
}

const mark = (operation: string, more: Partial<OperationMarks> = {}): OperationMarks => ({
  operation,
  isRetired: false,
  monitorIds: [],
  isExpected: false,
  ...more,
});
const never = Number.NEGATIVE_INFINITY;
const statesOf = (tasks: EndedTask[], marks: OperationMarks[] = [], staleBefore = never) =>
  operationsOf(tasks, marks, staleBefore).map(({ operation, state }) => [operation, state]);

describe("the state of an operation", () => {
  const watched = mark("etc", { isExpected: true });
  test.each<[string, TaskOutcome[], EntityState, EntityState]>([
    ["that never worked", ["error"], "never", "never"],
    ["all runs of which were cancelled", ["cancelled", "cancelled"], "never", "never"],
    ["after a success", ["error", "success"], "good", "unwatched"],
    ["after a warning", ["success", "warning"], "incomplete", "incomplete"],
    ["that only had warnings", ["warning"], "incomplete", "incomplete"],
    ["after a failure", ["success", "error"], "failing", "failing"],
    ["after a failure that follows a warning", ["warning", "error"], "failing", "failing"],
    ["after a loss", ["success", "lost"], "failing", "failing"],
    ["whose last run was missed", ["success", "missed"], "missed", "missed"],
    ["whose last run expired", ["success", "expired"], "missed", "missed"],
    ["whose last run was cancelled", ["success", "error", "cancelled"], "failing", "failing"],
  ])("%s", (_, outcomes, expected, unexpected) => {
    const tasks = outcomes.map((outcome, at) => run("etc", outcome, at + 1));
    expect(statesOf(tasks, [watched])).toEqual([["etc", expected]]);
    expect(statesOf(tasks)).toEqual([["etc", unexpected]]);
  });

  test("is stale if nothing expects it and its last good backup is too old", () => {
    const backup = run("etc", "success", 10);
    expect(statesOf([backup], [], 10_001)).toEqual([["etc", "stale"]]);
    expect(statesOf([backup], [], 10_000)).toEqual([["etc", "unwatched"]]);
    expect(statesOf([backup], [watched], 10_001)).toEqual([["etc", "good"]]);
    expect(statesOf([backup, run("etc", "warning", 11)], [], 10_001)).toEqual([["etc", "stale"]]);
    expect(statesOf([run("etc", "warning", 10)], [], 10_001)).toEqual([["etc", "incomplete"]]);
    expect(statesOf([backup, run("etc", "error", 11)], [], 10_001)).toEqual([["etc", "failing"]]);
  });
});

describe("the operations of an item", () => {
  test("have what is known of them beside their runs, and the type of the last", () => {
    const marked = mark("etc", { isRetired: true, monitorIds: ["m"], isExpected: true });
    const tasks = [run("etc", "success", 2, { type: "new" }), run("etc", "success", 1, { type: "old" })];
    const [etc] = operationsOf(tasks, [mark("other"), marked], never);
    expect(etc).toMatchObject({ ...marked, type: "new", state: "good", runs: tasks });
    const [unmarked] = operationsOf([run("home", "cancelled", 1)], [marked], never);
    expect(unmarked).toMatchObject({ ...mark("home"), type: "home_type", state: "never" });
  });

  test("are those of backups and snapshots alone", () => {
    const categories = ["backup", "snapshot", "restore", "snapshot_restore", "system"] as const;
    expect(statesOf(categories.map((category) => run(category, "success", 1, { category })))).toEqual([
      ["backup", "unwatched"],
      ["snapshot", "unwatched"],
    ]);
  });

  test("come with what needs attention first, then by their names, and what is retired last", () => {
    const tasks = [
      run("retired", "success", 1),
      run("retired", "error", 2),
      run("b", "success", 3),
      run("a", "success", 4),
      run("failing", "success", 5),
      run("failing", "error", 6),
    ];
    expect(statesOf(tasks, [mark("retired", { isRetired: true })])).toEqual([
      ["failing", "failing"],
      ["a", "unwatched"],
      ["b", "unwatched"],
      ["retired", "failing"],
    ]);
  });

  test("are at most a hundred: retired ones go first, then those that stand best, of these what ran longest ago", () => {
    const name = (at: number) => `good-${String(at).padStart(3, "0")}`;
    const good = Array.from({ length: 98 }, (_, at) => run(name(at), "success", 1_000 - at));
    const failing = run("failing", "error", 1);
    const backup = run("failing", "success", 0);
    const retired = ["newer", "older"].map((one, at) => run(one, "error", 5_000 - at));
    const marks = ["newer", "older"].map((one) => mark(one, { isRetired: true }));
    const kept = (tasks: EndedTask[]) => statesOf(tasks, marks).map(([operation]) => operation);
    const hundred = [backup, failing, ...good, ...retired.slice(0, 1)];
    expect(kept(hundred)).toHaveLength(100);
    expect(kept([...hundred, ...retired.slice(1)])).toEqual([
      "failing",
      ...good.map(({ operation }) => operation),
      "newer",
    ]);
    const more = Array.from({ length: 3 }, (_, at) => run(`more-${at}`, "success", 2_000));
    const left = kept([...hundred, ...more]);
    expect(left).toHaveLength(100);
    expect(left).toContain("failing");
    expect([name(95), name(96), "newer"].map((one) => left.includes(one))).toEqual([true, false, false]);
  });

  test("that are too many and alike are kept by their names", () => {
    const alike = Array.from({ length: 102 }, (_, at) => run(`n${String(at).padStart(3, "0")}`, "success", 1));
    expect(statesOf(alike.toReversed()).map(([operation]) => operation)).toEqual(
      alike.slice(0, 100).map(({ operation }) => operation),
    );
  });

  test("that are too many and retired are kept by their last run, however they stand", () => {
    const retired = Array.from({ length: 101 }, (_, at) => [
      run(`n${at}`, "success", at + 1),
      ...(at === 0 ? [run("n0", "error", 1)] : []),
    ]).flat();
    const marks = retired.map(({ operation }) => mark(operation, { isRetired: true }));
    expect(statesOf(retired, marks).map(([operation]) => operation)).not.toContain("n0");
  });
});

describe("the state of an item", () => {
  const stateOf = (tasks: EndedTask[], marks: OperationMarks[] = []) =>
    stateOfEntity(operationsOf(tasks, marks, never));

  test("is that of the worst of its operations", () => {
    const tasks = [run("a", "success", 1), run("b", "warning", 1)];
    expect(stateOf(tasks)).toBe("incomplete");
    expect(stateOf([...tasks, run("a", "missed", 2)])).toBe("missed");
    expect(stateOf([])).toBe("never");
  });

  test("is failing if one of them never worked although another one did, and never if none did", () => {
    expect(stateOf([run("a", "error", 1)])).toBe("never");
    expect(stateOf([run("a", "error", 1), run("b", "error", 1)])).toBe("never");
    expect(stateOf([run("a", "error", 1), run("b", "success", 1)])).toBe("failing");
  });

  test("does not follow from one all runs of which were cancelled", () => {
    expect(stateOf([run("a", "cancelled", 1), run("b", "success", 1)])).toBe("unwatched");
    expect(stateOf([run("a", "cancelled", 1)])).toBe("never");
  });

  test("does not follow from retired ones, unless there are no others", () => {
    const tasks = [run("a", "success", 1), run("a", "error", 2), run("b", "success", 1)];
    const retired = (...operations: string[]) => operations.map((one) => mark(one, { isRetired: true }));
    expect(stateOf(tasks, retired("a"))).toBe("unwatched");
    expect(stateOf(tasks, retired("a", "b"))).toBe("failing");
    // A retired operation still shows that the item once had a backup.
    expect(stateOf([run("a", "success", 1), run("b", "error", 1)], retired("a"))).toBe("failing");
  });

  test("is retired with all of its operations", () => {
    const [active, retired] = [mark("a"), mark("b", { isRetired: true })];
    expect([areAllRetired([]), areAllRetired([retired]), areAllRetired([active, retired])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("has a rank: what needs attention comes first", () => {
    const states = ["never", "failing", "missed", "stale", "incomplete", "unwatched", "good"] as const;
    expect(states.map(rankOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

test("an item is silent since the oldest last good backup of what can turn stale", () => {
  const since = (tasks: EndedTask[], marks: OperationMarks[] = []) => silentSince(operationsOf(tasks, marks, never));
  const tasks = [run("a", "success", 5), run("b", "success", 3), run("b", "warning", 9)];
  expect(since([])).toBeNull();
  expect(since(tasks)).toBe(3_000);
  expect(since(tasks, [mark("b", { isRetired: true })])).toBe(5_000);
  expect(since(tasks, [mark("b", { isExpected: true })])).toBe(5_000);
  expect(since([...tasks, run("b", "error", 10)])).toBe(5_000);
  expect(since([run("a", "warning", 1)])).toBeNull();
});

test("a monitor feeds the operation of its newest run that was not cancelled", () => {
  const monitorId = "m";
  const tasks = [
    run("new", "success", 2, { monitorId }),
    run("old", "success", 1, { monitorId }),
    run("old", "cancelled", 3, { monitorId }),
    run("none", "success", 4),
    run("other", "error", 1, { monitorId: "n" }),
  ];
  const fed = (given: EndedTask[]) => Object.fromEntries(operationsFedBy(operationsOf(given, [], never)));
  expect(fed(tasks)).toEqual({ m: "new", n: "other" });
  expect(fed(tasks.toReversed())).toEqual({ m: "new", n: "other" });
});

test("marks are read as they were written, and are written in one order", () => {
  const [a, b] = [mark("a", { isRetired: true, monitorIds: ["m", "n"] }), mark("b", { isExpected: true })];
  expect(writeMarks([b, a])).toBe('[["a",1,0,["m","n"]],["b",0,1,[]]]');
  expect(writeMarks([a, b])).toBe(writeMarks([b, a]));
  expect(readMarks(writeMarks([b, a]))).toEqual([a, b]);
});
