import { type TaskRecord, taskRow } from "../../src/resources/tasks/record";

/** One thing that a writer does, in one transaction. Tokens go by their names here, which are all different. */
export type WriterStep =
  | { kind: "insert"; tasks: TaskRecord[] }
  | { kind: "finish"; task: TaskRecord }
  | { kind: "delete"; ids: string[] }
  | { kind: "mint"; name: string }
  | { kind: "revoke"; name: string };

/** Line of a writer: before it does something, and when that is acknowledged. */
export type WriterLine = { doing: WriterStep } | { done: number };

/** Lines of a writer until its end: all that it began, and how much of that was acknowledged. */
export interface Told {
  steps: WriterStep[];
  acknowledged: number;
}

/** Content of a database: the documents of tasks by id, and for tokens by name whether they are revoked. */
export interface Memory {
  tasks: Map<string, string>;
  tokens: Map<string, boolean>;
}

export const nothing: Memory = { tasks: new Map(), tokens: new Map() };

/** Reads what a writer printed. The last line may be torn. */
export function readTold(printed: string): Told {
  const lines = printed.split("\n").slice(0, -1);
  const said = lines.map((line): WriterLine => JSON.parse(line));
  return {
    steps: said.flatMap((one) => ("doing" in one ? [one.doing] : [])),
    acknowledged: said.filter((one) => "done" in one).length,
  };
}

/** Memory after a step. */
export function remember({ tasks, tokens }: Memory, step: WriterStep): Memory {
  const after = { tasks: new Map(tasks), tokens: new Map(tokens) };
  switch (step.kind) {
    case "insert":
      for (const task of step.tasks) after.tasks.set(task.id, documentOf(task));
      break;
    case "finish":
      after.tasks.set(step.task.id, documentOf(step.task));
      break;
    case "delete":
      for (const id of step.ids) after.tasks.delete(id);
      break;
    case "mint":
      after.tokens.set(step.name, false);
      break;
    case "revoke":
      after.tokens.set(step.name, true);
      break;
  }
  return after;
}

function documentOf(task: TaskRecord): string {
  return taskRow(task, null).document;
}
