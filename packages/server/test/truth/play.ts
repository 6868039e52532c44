import type { UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import type { TaskRecord } from "../../src/resources/tasks/record";
import {
  expire,
  fallSilent,
  hear,
  hearAbort,
  isAbortable,
  type Life,
  lose,
  type ModelAnswer,
  type ModelReport,
  type ModelStep,
  type Who,
} from "./life-model";

/** Implementation that the tests drive: the functions of the life cycle, or a whole service. */
export interface Stage {
  now(): number;
  report(by: Who, body: UpdateTaskBody): ModelAnswer | Promise<ModelAnswer>;
  abort(): ModelAnswer | Promise<ModelAnswer>;
  lose(): void | Promise<void>;
  silence(): void | Promise<void>;
  expire(): void | Promise<void>;
  step(milliseconds: number): void;
  record(): TaskRecord | Promise<TaskRecord>;
}

/** A refusal as the model names it. */
export const answers: Record<number, ModelAnswer> = {
  40402: "unknown",
  40906: "conflict",
  40908: "superseded",
  40909: "foreign",
  40910: "notAbortable",
  42201: "field",
};

const silent: Omit<ModelReport, "by" | "attemptOffset"> = {
  sequence: undefined,
  status: undefined,
  outcome: undefined,
  percentage: undefined,
  claim: undefined,
  ageMs: 0,
};

interface Sent {
  said: ModelReport;
  attempt: number | undefined;
  isHeartbeat: boolean;
}

/** Lets things happen to a task, on the stage and in the model, and says after each whether both agree. */
export async function play(
  stage: Stage,
  life: Life,
  modelSteps: readonly ModelStep[],
  check: (modelStep: ModelStep, seen: Seen) => void,
): Promise<void> {
  const sent: Sent[] = [];
  for (const modelStep of modelSteps) {
    const answered = await happen(stage, life, modelStep, sent);
    const record = await stage.record();
    check(modelStep, { ...answered, record, life });
  }
}

/** Answer and task of the stage, and what the model has instead. */
export interface Seen {
  answer: ModelAnswer;
  expected: ModelAnswer;
  record: TaskRecord;
  life: Life;
}

type Answered = Pick<Seen, "answer" | "expected">;
const nothingAsked: Answered = { answer: "ok", expected: "ok" };

async function happen(stage: Stage, life: Life, modelStep: ModelStep, sent: Sent[]): Promise<Answered> {
  const attemptAt = (offset: number | undefined) =>
    offset === undefined ? undefined : Math.max(1, life.attempt + offset);
  const send = async (one: Sent): Promise<Answered> => {
    sent.push(one);
    const answer = await stage.report(one.said.by, bodyOf(one));
    return { answer, expected: hear(life, one.attempt ?? life.attempt, one.said, stage.now()) };
  };
  switch (modelStep.kind) {
    case "report":
      return send({ said: modelStep, attempt: attemptAt(modelStep.attemptOffset), isHeartbeat: false });
    case "heartbeat":
      return send({
        said: { ...silent, ...modelStep },
        attempt: attemptAt(modelStep.attemptOffset),
        isHeartbeat: true,
      });
    case "again": {
      const again = sent.at(-1 - modelStep.ago);
      return again ? send(again) : nothingAsked;
    }
    case "abort":
      return { answer: await stage.abort(), expected: hearAbort(life, stage.now()) };
    case "lose":
      await stage.lose();
      lose(life, stage.now());
      break;
    case "silence":
      await stage.silence();
      fallSilent(life);
      break;
    case "expire":
      await stage.expire();
      expire(life, stage.now());
      break;
    case "time":
      stage.step(modelStep.milliseconds);
      break;
  }
  return nothingAsked;
}

/** A report as it is sent. */
function bodyOf({ said, attempt, isHeartbeat }: Sent): UpdateTaskBody {
  const { sequence, status, outcome, percentage, claim, ageMs } = said;
  const fields = {
    attempt,
    sequence,
    status,
    outcome: outcomeWord(outcome),
    progress_percentage: percentage,
    claim_id: claim,
    age_ms: isHeartbeat ? undefined : ageMs,
    error: errorOf(status, outcome),
  };
  return definedOf(fields);
}

const outcomeWords = ["success", "warning", "error", "cancelled", "lost"] as const;

export function outcomeWord(outcome: string | undefined) {
  return outcomeWords.find((word) => word === outcome);
}

/** Error of an end that did not go well. */
export function errorOf(status: string | undefined, outcome: string | undefined) {
  return status === "failed" || outcome === "warning" ? { code: "it_failed", message: "No.", remedy: "" } : undefined;
}

/** Without what is left out, as JSON has it. */
export function definedOf<Fields extends object>(fields: Fields) {
  const defined: { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } = JSON.parse(JSON.stringify(fields));
  return defined;
}

/** Both sides of the comparison. */
export function sides({ answer, expected, record, life }: Seen) {
  return {
    found: {
      answer,
      status: record.status,
      outcome: record.outcome,
      percentage: record.progress_percentage,
      attempt: record.attempt ?? 1,
      isAbortable: record.is_abortable,
      isSilent: record.liveness === "silent",
      late: record.late_report ? { attempt: record.late_report.attempt, status: record.late_report.status } : null,
    },
    expected: {
      answer: expected,
      status: life.status,
      outcome: life.outcome,
      percentage: life.percentage,
      attempt: life.attempt,
      isAbortable: isAbortable(life),
      isSilent: life.isSilent,
      late: life.late,
    },
  };
}
