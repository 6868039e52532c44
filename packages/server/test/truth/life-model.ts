import type { TaskOutcome } from "@holdfast/api/resources/task-words";

/** Who reports in the model: two holders of different tokens. */
export type Who = "a" | "b";
export type End = "completed" | "failed" | "aborted";

/** Contents of a report, as far as the life of a task goes. */
export interface ModelReport {
  by: Who;
  /** Difference between its attempt and the current one; undefined if it names none. */
  attemptOffset: number | undefined;
  sequence: number | undefined;
  status: "in_progress" | End | undefined;
  outcome: TaskOutcome | undefined;
  percentage: number | undefined;
  claim: string | undefined;
  ageMs: number;
}

/** Everything that can happen to a task. */
export type ModelStep =
  | ({ kind: "report" } & ModelReport)
  /** The report that was sent so many reports ago, once more. */
  | { kind: "again"; ago: number }
  | { kind: "heartbeat"; by: Who; attemptOffset: number | undefined }
  | { kind: "abort" }
  /** A whole lease passes in silence, or more than half of one. */
  | { kind: "lose" }
  | { kind: "silence" }
  | { kind: "expire" }
  /** The wall clock moves, also back. */
  | { kind: "time"; milliseconds: number };

/** A task as docs/design/tasks.md has it, under "Life cycle" and "Late reports". */
export interface Life {
  status: "queued" | "in_progress" | "aborting" | End;
  outcome: TaskOutcome | null;
  holder: Who;
  formerHolders: Set<Who>;
  claim: string | null;
  attempt: number;
  sequence: number;
  percentage: number;
  canAbort: boolean;
  isSilent: boolean;
  isAbortAsked: boolean;
  /** Report that came too late. */
  late: { attempt: number; status: "in_progress" | End } | null;
  /** When it was lost, by the wall clock. */
  lostAt: number;
}

/** Result of a report: accepted, or why not. `unknown` hides the task, `field` names a field that is missing. */
export type ModelAnswer = "ok" | "conflict" | "superseded" | "foreign" | "unknown" | "field" | "notAbortable";

/** Who may see tasks that others hold. */
export const readers: Record<Who, boolean> = { a: false, b: true };

const defaultOutcome: Record<End, TaskOutcome> = { completed: "success", failed: "error", aborted: "cancelled" };
const memory = 30 * 86_400_000;

function isEnd(status: string | undefined): status is End {
  return status === "completed" || status === "failed" || status === "aborted";
}

function outcomeOf({ status, outcome }: Pick<ModelReport, "status" | "outcome">): TaskOutcome | null {
  return isEnd(status) ? (outcome ?? defaultOutcome[status]) : null;
}

/** A new task. Ends that are reported afterwards have no percentage but that of a completed one. */
export function beginLife(
  first: { status: Life["status"]; outcome: TaskOutcome | undefined; sequence: number; canAbort: boolean },
  now: number,
): Life {
  const outcome =
    first.status === "aborting" || first.status === "queued" ? null : outcomeOf({ ...first, status: first.status });
  return {
    status: first.status,
    outcome,
    holder: "a",
    formerHolders: new Set(),
    claim: null,
    attempt: 1,
    sequence: first.sequence,
    percentage: first.status === "completed" ? 100 : 0,
    canAbort: first.canAbort,
    isSilent: false,
    isAbortAsked: false,
    late: null,
    lostAt: outcome === "lost" ? now : 0,
  };
}

/** Applies a report to a task. */
export function hear(life: Life, attempt: number, said: ModelReport, now: number): ModelAnswer {
  if (attempt > life.attempt) return takeOver(life, attempt, said, now);
  const isClaim = life.status === "queued" && said.status === "in_progress";
  const isKnown = life.holder === said.by || life.formerHolders.has(said.by);
  if (attempt < life.attempt && (isClaim || isKnown)) {
    disbelieve(life, attempt, said);
    return "superseded";
  }
  if (isClaim) {
    if (said.claim === undefined) return "field";
    Object.assign(life, { status: "in_progress", holder: said.by, claim: said.claim });
    apply(life, said, now);
    return "ok";
  }
  const refusal = refuseOthers(life, said);
  if (refusal) return refusal;
  if (said.sequence !== undefined && said.sequence <= life.sequence) return "ok";
  if (life.status === "queued") {
    if (said.status !== undefined || said.percentage !== undefined) return "conflict";
  } else if (isEnd(life.status) && life.outcome !== "lost") {
    if (said.status === life.status && outcomeOf(said) === life.outcome) return "ok";
    disbelieve(life, attempt, said);
    return "conflict";
  } else if (isEnd(life.status)) {
    if (outcomeOf(said) === "lost") return "ok";
    if (now - life.lostAt > memory) return "conflict";
    Object.assign(life, { status: life.isAbortAsked ? "aborting" : "in_progress", outcome: null });
  }
  apply(life, said, now);
  return "ok";
}

/** Refuses what another run or another holder says. Only a task that waits is known to those who may not read. */
function refuseOthers(life: Life, said: ModelReport): ModelAnswer | undefined {
  const isHidden = life.holder !== said.by && !readers[said.by];
  if (isHidden && life.status !== "queued") return "unknown";
  const isNobodys = isEnd(life.status) && life.outcome !== "lost" && life.claim === null;
  if (said.claim !== undefined && said.claim !== life.claim && !isNobodys) return "foreign";
  if (isHidden) return "unknown";
  return life.holder === said.by ? undefined : "foreign";
}

function takeOver(life: Life, attempt: number, said: ModelReport, now: number): ModelAnswer {
  const isLost = life.outcome === "lost" && now - life.lostAt <= memory;
  if (!isLost) {
    const refusal = refuseOthers(life, said);
    if (refusal) return refusal;
  }
  if (!isLost || attempt !== life.attempt + 1 || isEnd(said.status)) return "conflict";
  if (said.claim === undefined) return "field";
  life.formerHolders.add(life.holder);
  Object.assign(life, {
    status: "in_progress",
    outcome: null,
    holder: said.by,
    claim: said.claim,
    attempt,
    sequence: 0,
    percentage: 0,
    isAbortAsked: false,
  });
  apply(life, said, now);
  return "ok";
}

function apply(life: Life, said: ModelReport, now: number): void {
  life.percentage = Math.max(life.percentage, said.percentage ?? 0);
  life.sequence = Math.max(life.sequence, said.sequence ?? 0);
  life.isSilent = false;
  if (!isEnd(said.status)) return;
  end(life, said.status, outcomeOf(said), now);
}

function end(life: Life, status: End, outcome: TaskOutcome | null, now: number): void {
  Object.assign(life, { status, outcome, isSilent: false, lostAt: outcome === "lost" ? now : 0 });
  if (status === "completed") life.percentage = 100;
}

function disbelieve(life: Life, attempt: number, { status }: ModelReport): void {
  if (status !== undefined) life.late = { attempt, status };
}

/** Applies a request to abort. */
export function hearAbort(life: Life, now: number): ModelAnswer {
  if (life.status === "aborting") return "ok";
  if (!isAbortable(life)) return "notAbortable";
  life.isAbortAsked = true;
  if (life.status === "queued") end(life, "aborted", "cancelled", now);
  else life.status = "aborting";
  return "ok";
}

export function isAbortable({ status, canAbort, isSilent }: Life): boolean {
  return status === "queued" || (status === "in_progress" && canAbort && !isSilent);
}

/** Loses a task, as the service does by itself. */
export function lose(life: Life, now: number): void {
  if (life.status === "in_progress" || life.status === "aborting") end(life, "failed", "lost", now);
}

export function fallSilent(life: Life): void {
  if (life.status === "in_progress" || life.status === "aborting") life.isSilent = true;
}

export function expire(life: Life, now: number): void {
  if (life.status === "queued") end(life, "failed", "expired", now);
}
