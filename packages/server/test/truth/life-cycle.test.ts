import { expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import { outcomesOf } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import {
  applyReport,
  createTask,
  expireTask,
  isFinished,
  loseTask,
  requestAbort,
  setLiveness,
  type TrackedTask,
} from "../../src/resources/tasks/lifecycle";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { root } from "../harness";
import { size } from "../runs";
import { beginLife, type ModelAnswer, readers } from "./life-model";
import { anyBeginning, modelSteps } from "./model-steps";
import { answers, definedOf, errorOf, outcomeWord, play, type Seen, type Stage, sides } from "./play";

type Beginning = typeof anyBeginning extends fc.Arbitrary<infer One> ? One : never;

const began = Date.parse("2026-11-15T12:00:00.000Z");
// Never fewer: some of what has to be seen is rare.
const many = { numRuns: size({ default: 2_000, long: 20_000 }) };

/** The functions of the life cycle, without a service around them. */
function openStage({ about, sequence, canAbort, ageMs }: Beginning): Stage & { task(): TrackedTask } {
  let now = began;
  const given = {
    id: "0f0e0d0c-0b0a-7908-8706-050403020100",
    category: "backup",
    type: "restic_backup",
    organizational_unit_id: root,
    lease_seconds: 30,
  } as const;
  const first = {
    status: about.status,
    outcome: outcomeWord(about.outcome),
    error: errorOf(about.status, about.outcome),
    sequence: sequence === 0 ? undefined : sequence,
    can_abort: canAbort,
    age_ms: ageMs,
  };
  let task = createTask({ ...given, ...definedOf(first) }, "a", now);
  const attempt = (act: () => ApiError | undefined): ModelAnswer => {
    try {
      return nameOf(act());
    } catch (error) {
      return nameOf(error);
    }
  };
  const runsNow = () => ["in_progress", "aborting"].includes(task.record.status);
  return {
    task: () => task,
    record: () => task.record,
    now: () => now,
    report: (by, body) =>
      attempt(() => {
        const step = applyReport(task, body, { holder: by, mayRead: readers[by] }, now);
        task = step.task;
        return step.refusal;
      }),
    abort: () =>
      attempt(() => {
        task = requestAbort(task, "owner", null, now);
        return undefined;
      }),
    // Runs the sweep: only what runs is lost or silent, only what waits expires.
    lose() {
      task = runsNow() ? loseTask(task, now) : task;
    },
    silence() {
      task = runsNow() ? setLiveness(task, "silent") : task;
    },
    expire() {
      task = task.record.status === "queued" ? expireTask(task, now) : task;
    },
    step(milliseconds) {
      now += milliseconds;
    },
  };
}

function nameOf(error: unknown): ModelAnswer {
  if (error === undefined) return "ok";
  if (!(error instanceof ApiError)) throw error;
  const answer = answers[error.body.errors[0]?.error_code ?? 0];
  if (!answer) throw error;
  return answer;
}

/** Expects the invariants of a task whatever happened to it, and of two states of it one after the other. */
function expectSound(before: TaskRecord, after: TaskRecord): void {
  const { created_timestamp: created, start_timestamp: start, end_timestamp: end } = after;
  const times = [created, start, end].filter((time) => time !== null);
  expect(times).toEqual(times.toSorted());
  const hasEnded = isFinished(after.status);
  expect([end !== null, after.outcome !== null]).toEqual([hasEnded, hasEnded]);
  expect([null, ...outcomesOf[after.status]]).toContain(after.outcome);
  const needsError = after.status === "failed" || after.outcome === "warning";
  expect([after.error !== null, after.outcome === "success" && after.error !== null]).toEqual([needsError, false]);
  const { late_report: _, ...was } = before;
  const { late_report: __, ...is } = after;
  if (isFinished(before.status) && before.outcome !== "lost") expect(is).toEqual(was);
  const isSameAttempt = (before.attempt ?? 1) === (after.attempt ?? 1);
  expect(isSameAttempt && after.progress_percentage < before.progress_percentage).toBe(false);
}

test(`T27: whatever is reported, repeated, claimed, taken over, aborted and lost, a task is what the contract says, ${many.numRuns} times`, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyBeginning, modelSteps, async (beginning, what) => {
      const stage = openStage(beginning);
      const life = beginLife({ ...beginning.about, ...beginning }, began);
      let before = stage.task().record;
      await play(stage, life, what, (_, at: Seen) => {
        const { found, expected } = sides(at);
        expect(found).toEqual(expected);
        const { lease } = stage.task();
        expect([lease?.sequence, lease?.attempt, lease?.holder]).toEqual([life.sequence, life.attempt, life.holder]);
        expectSound(before, at.record);
        const step = `${before.status} ${before.outcome} to ${at.record.status} ${at.record.outcome}`;
        seen.set(step, (seen.get(step) ?? 0) + 1);
        before = at.record;
      });
    }),
    many,
  );
  // Otherwise the steps would have passed by what is interesting.
  expect([...seen.keys()]).toContain("failed lost to in_progress null");
  expect([...seen.keys()]).toContain("failed lost to aborting null");
  expect([...seen.keys()]).toContain("failed lost to completed success");
  expect([...seen.keys()]).toContain("aborting null to failed lost");
  expect([...seen.keys()]).toContain("queued null to in_progress null");
}, 600_000);
