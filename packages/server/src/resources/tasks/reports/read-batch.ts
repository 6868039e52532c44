import { ApiError } from "@holdfast/api/conventions/api-error";
import { listLimits, textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";

/** A report of a batch, before its body is checked. */
export interface BatchedReport {
  operation: "create" | "update" | "log";
  taskId: string;
  body: object;
}

/** Reads a batch. What is wrong with the body of a report is that report's fault; anything else is the whole batch's. */
export function readBatch(sent: object): BatchedReport[] {
  const checks = new FieldChecks();
  const { reports, ...others }: { reports?: unknown } = sent;
  for (const name of Object.keys(others)) checks.unknown([name]);
  if (!Array.isArray(reports) || reports.length > listLimits.reports) {
    checks.fail("reports", `a list of at most ${listLimits.reports}`);
    checks.finish();
    return [];
  }
  const read = reports.map((report: unknown, index) => readOne(report, index, checks));
  checks.finish();
  return read;
}

function readOne(report: unknown, index: number, checks: FieldChecks): BatchedReport {
  const place = ["reports", index];
  const fields = isObject(report) ? report : {};
  if (!isObject(report)) checks.fail(place, "an object with operation, task_id and body");
  const { operation, task_id: taskId, body, ...others }: Record<string, unknown> = { ...fields };
  for (const name of Object.keys(others)) checks.unknown([...place, name]);
  const isKnown = operation === "create" || operation === "update" || operation === "log";
  if (!isKnown) checks.fail([...place, "operation"], "one of create, update, log");
  const isId = typeof taskId === "string" && taskId.length <= textLimits.id;
  if (!isId) checks.fail([...place, "task_id"], "the id of a task");
  if (!isObject(body)) checks.fail([...place, "body"], "an object");
  return {
    operation: isKnown ? operation : "update",
    taskId: isId ? canonicalId(taskId) : "",
    body: isObject(body) ? body : {},
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Result of a function, or the refusal that it throws. */
export async function orRefusal<Result>(act: () => Promise<Result>): Promise<Result | ApiError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
