import { describe, expect, test } from "bun:test";
import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import { followRun, type MonitoredRun, nextCheck, type RunFacts, type StateFacts, settleState, stateOf } from "./state";

const now = Date.parse("2026-11-15T12:00:00Z");
const outcomes = (...all: TaskOutcome[]) =>
  JSON.stringify(
    all.map((outcome, index) => ({
      task_id: String(index),
      outcome,
      created_timestamp: new Date(now - 100_000 + index * 1000).toISOString(),
    })),
  );

const facts: StateFacts = {
  paused_until: null,
  missed_in_a_row: 0,
  next_expected_at: now + 1,
  grace_counts_from_at: now + 1,
  grace_seconds: 60,
  recent_outcomes: "[]",
};

describe("the state of a monitor", () => {
  test.each<[string, Partial<StateFacts>, string]>([
    ["before its first run", {}, "waiting"],
    ["that expects nothing", { next_expected_at: null }, "waiting"],
    ["whose first run is due", { next_expected_at: now }, "late"],
    ["after a success", { recent_outcomes: outcomes("error", "success") }, "ok"],
    ["after a warning", { recent_outcomes: outcomes("warning") }, "ok"],
    ["after a failure", { recent_outcomes: outcomes("success", "error") }, "failed"],
    ["after a loss", { recent_outcomes: outcomes("success", "lost") }, "failed"],
    ["whose run expired", { recent_outcomes: outcomes("expired") }, "failed"],
    ["after a cancelled run", { recent_outcomes: outcomes("success", "cancelled") }, "ok"],
    ["after a cancelled run that follows a failure", { recent_outcomes: outcomes("error", "cancelled") }, "failed"],
    ["whose only run was cancelled", { recent_outcomes: outcomes("cancelled") }, "waiting"],
    ["that is due after a success", { recent_outcomes: outcomes("success"), next_expected_at: now }, "late"],
    ["that is due after a failure", { recent_outcomes: outcomes("error"), next_expected_at: now }, "failed"],
    ["that missed a run", { missed_in_a_row: 1, recent_outcomes: outcomes("success", "missed") }, "missed"],
    ["whose run was cancelled after a miss", { recent_outcomes: outcomes("success", "missed", "cancelled") }, "ok"],
    ["whose run came after a miss", { recent_outcomes: outcomes("missed", "success") }, "ok"],
    ["that is paused", { paused_until: now + 1, missed_in_a_row: 3 }, "paused"],
    ["whose pause is over", { paused_until: now }, "waiting"],
  ])("%s", (_, given, state) => {
    expect(stateOf({ ...facts, ...given }, now)).toBe(state as never);
  });

  test("has a rank: what needs attention comes first", () => {
    const ranks = [
      settleState({ ...facts, missed_in_a_row: 1 }, now),
      settleState({ ...facts, recent_outcomes: outcomes("error") }, now),
      settleState({ ...facts, next_expected_at: now }, now),
      settleState(facts, now),
      settleState({ ...facts, recent_outcomes: outcomes("success") }, now),
      settleState({ ...facts, paused_until: now + 9 }, now),
    ];
    expect(ranks.map(({ state_rank }) => state_rank)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test.each<[string, Partial<StateFacts>, number | null]>([
    ["when a run is due", {}, now + 1],
    ["when its grace is over", { next_expected_at: now, grace_counts_from_at: now + 5 }, now + 60_005],
    [
      "when its grace is over, which counts from when the run is due",
      { next_expected_at: now, grace_counts_from_at: null },
      now + 60_000,
    ],
    ["when its pause ends", { paused_until: now + 9, next_expected_at: null }, now + 9],
    ["never, where nothing is expected", { next_expected_at: null, grace_counts_from_at: null }, null],
  ])("changes with time %s", (_, given, at) => {
    expect(nextCheck({ ...facts, ...given }, now)).toBe(at);
  });
});

describe("a run", () => {
  const idle: RunFacts = {
    open_runs: 0,
    last_task_id: null,
    last_begun_at: null,
    missed_in_a_row: 0,
    recent_outcomes: "[]",
    is_down: 0,
  };
  const run = (taskId: string, outcome: TaskOutcome | null, more: Partial<MonitoredRun> = {}): MonitoredRun => ({
    taskId,
    createdAt: now,
    createdTimestamp: new Date(now).toISOString(),
    isNew: true,
    begunAt: now,
    opened: 0,
    outcome,
    ...more,
  });
  const after = (...runs: MonitoredRun[]) => {
    const turns: (string | undefined)[] = [];
    let reached = idle;
    for (const one of runs) {
      const { facts: next, turn } = followRun(reached, one);
      reached = next;
      turns.push(turn);
    }
    return { ...reached, turns };
  };

  test("that begins and ends is counted while it is under way", () => {
    const begun = run("a", null, { opened: 1 });
    expect(after(begun)).toEqual({
      ...{ open_runs: 1, last_task_id: "a", last_begun_at: now, missed_in_a_row: 0, recent_outcomes: "[]", is_down: 0 },
      turns: [undefined],
    });
    const ended = after(begun, run("a", "success", { isNew: false, begunAt: null, opened: -1 }));
    expect(ended).toMatchObject({ open_runs: 0, last_task_id: "a", is_down: 0 });
    expect(JSON.parse(ended.recent_outcomes)).toEqual([
      { task_id: "a", outcome: "success", created_timestamp: "2026-11-15T12:00:00.000Z" },
    ]);
  });

  test("that fails takes the monitor down once, and the first good one brings it up once", () => {
    const words = ["error", "lost", "cancelled", "warning", "success", "error"] as const;
    expect(after(...words.map((word, index) => run(String(index), word))).turns).toEqual([
      "down",
      undefined,
      undefined,
      "up",
      undefined,
      "down",
    ]);
  });

  test("that is missed counts once and takes it down; one that has ended, however that was, ends the row", () => {
    const missed = run("m", "missed", { begunAt: null });
    expect(after(missed, missed, run("n", "missed", { begunAt: null }))).toMatchObject({
      missed_in_a_row: 2,
      turns: ["down", undefined, undefined],
    });
    expect(after(missed)).toMatchObject({ missed_in_a_row: 1, last_begun_at: null });
    expect(after(missed, missed).missed_in_a_row).toBe(1);
    expect(after(missed, run("a", null, { opened: 1 })).missed_in_a_row).toBe(1);
    expect(after(missed, run("a", "cancelled"))).toMatchObject({ missed_in_a_row: 0, turns: ["down", undefined] });
    expect(after(missed, run("a", "error"))).toMatchObject({ missed_in_a_row: 0, is_down: 1 });
    expect(after(missed, run("a", "success"))).toMatchObject({ missed_in_a_row: 0, turns: ["down", "up"] });
  });

  test("that was lost and is heard of again leaves it down until its end is good", () => {
    const lost = run("a", "lost");
    const revived = run("a", null, { isNew: false, opened: 1 });
    expect(after(lost, revived)).toMatchObject({ is_down: 1, recent_outcomes: "[]", turns: ["down", undefined] });
    expect(after(lost, revived, run("a", "success", { isNew: false })).turns).toEqual(["down", undefined, "up"]);
  });

  test("is the last one if it is new, and none that is known began or was created after it", () => {
    const begun = (taskId: string, second: number, more: Partial<MonitoredRun> = {}) =>
      run(taskId, null, { createdAt: now + second * 1000, begunAt: now + second * 1000, ...more });
    const last = (...runs: MonitoredRun[]) => [after(...runs).last_task_id, (after(...runs).last_begun_at ?? 0) - now];
    expect(last(begun("a", 1), begun("b", 2))).toEqual(["b", 2_000]);
    expect(last(begun("a", 1), begun("b", 1))).toEqual(["b", 1_000]);
    expect(last(begun("a", 2), begun("b", 1))).toEqual(["a", 2_000]);
    expect(last(begun("a", 1), begun("b", 2, { isNew: false }))).toEqual(["a", 2_000]);
    expect(last(begun("a", 1), begun("b", 2, { begunAt: null }))).toEqual(["b", 1_000]);
  });

  test("is one of the last 30, oldest first, also one that is heard of late", () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      run(String(n), "success", { createdAt: now + n, createdTimestamp: new Date(now + n).toISOString() }),
    );
    const late = run("late", "error", { createdAt: now + 20, createdTimestamp: new Date(now + 20.5).toISOString() });
    const found = after(...many, late);
    const ids = JSON.parse(found.recent_outcomes).map((one: { task_id: string }) => one.task_id);
    expect(ids).toEqual([
      ...many.slice(11, 21).map(({ taskId }) => taskId),
      "late",
      ...many.slice(21).map(({ taskId }) => taskId),
    ]);
    expect(found).toMatchObject({ last_task_id: "39", is_down: 0 });
  });
});
