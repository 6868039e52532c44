import type { Client } from "../connect";
import type { BodyOf } from "../declared";
import { HoldfastError } from "../error";
import { isAway } from "../transport";
import { randomUuid } from "../uuid";
import { deliver } from "./deliver";
import { createLogText } from "./log-text";
import { createMemoryOutbox } from "./memory-outbox";
import { createReporter } from "./reporter";

type CreateBody = BodyOf<"tasks", "create-task">;
type UpdateBody = BodyOf<"tasks", "update-task">;

/**
 * Error of a task: a word to compare, the engine's own words, and what to do.
 * @example
 * import { reportTask, type TaskError } from "@holdfast/client/report";
 *
 * const skipped: TaskError = { code: "files_unreadable", message: "2 files were left out", remedy: "Run it as root." };
 * await reportTask(holdfast, { category: "backup", type: "copy_photos" }, (task) => task.warn(skipped));
 */
export interface TaskError {
  /** A word of a-z, 0-9 and _. Other characters are replaced by _. */
  code: string;
  message: string;
  remedy?: string | undefined;
}

/** Progress and log are gathered for so long, in milliseconds. */
const reportEveryMs = 1_000;
const minPauseMs = 250;
const defaultLeaseSeconds = 180;
const maxProgressMessage = 200;
const maxText = 8_000;
const maxCode = 64;

/**
 * Description of the reported work.
 * @example
 * import { type ReportTaskOptions, reportTask } from "@holdfast/client/report";
 *
 * const options: ReportTaskOptions = { category: "system", type: "nightly_cleanup", lingerMs: 5_000 };
 * await reportTask(holdfast, options, () => console.log("cleaned up"));
 */
export interface ReportTaskOptions
  extends Pick<CreateBody, "category" | "type">,
    Partial<
      Pick<
        CreateBody,
        | "name"
        | "primary_entity"
        | "organizational_unit_id"
        | "runner"
        | "lease_seconds"
        | "abort_grace_seconds"
        | "max_duration_seconds"
        | "stall_seconds"
      >
    > {
  /** Stops the work from here: its own signal is aborted, too, and the task ends as interrupted. */
  signal?: AbortSignal | undefined;
  /** Says what an error of the work means. Without it the code is `command_failed`, and the message the error's own. */
  describeError?: ((error: unknown) => TaskError) | undefined;
  /** Called when something cannot be reported. The work is never stopped by that. Without it, a warning is logged. */
  onProblem?: ((message: string, error: unknown) => void) | undefined;
  /** Time for which delivery of the end is tried, in milliseconds; by default 10,000. */
  lingerMs?: number | undefined;
}

/**
 * The task that work is reported as, for the work to say how it comes along.
 * @example
 * import { type ReportedTask, reportTask } from "@holdfast/client/report";
 *
 * async function work(task: ReportedTask) {
 *   task.progress(50, "half of it");
 *   task.log("half of it is done\n");
 * }
 * await reportTask(holdfast, { category: "system", type: "nightly_cleanup" }, work);
 */
export interface ReportedTask {
  id: string;
  /** Aborted when the task is asked to abort: stop the work, and throw. */
  signal: AbortSignal;
  /** Says how much is done, and what is being done now. It is sent about once a second, the newest only. */
  progress(percentage: number, message?: string): void;
  /** Adds to the log of the task. End lines yourself. */
  log(text: string): void;
  /** Says that something was left out: the task ends as a warning, not as a success. */
  warn(error: TaskError): void;
}

/**
 * Runs work and reports it as a task: its beginning, progress, log, heartbeats and end. An abort reaches the work as an
 * `AbortSignal`. The work starts at once and is never held up, failed or changed because the service is away; its result
 * or error comes back as it is.
 * @example
 * import { reportTask } from "@holdfast/client/report";
 *
 * const options = { category: "backup", type: "copy_photos", primary_entity: { type: "folder", value: "/srv/photos" } } as const;
 * const albums = ["2024", "2025", "2026"];
 * await reportTask(holdfast, options, async (task) => {
 *   for (const [index, album] of albums.entries()) {
 *     task.signal.throwIfAborted();
 *     task.progress((100 * index) / albums.length, album);
 *     task.log(`copied ${album}\n`);
 *   }
 * });
 */
export async function reportTask<Result>(
  client: Pick<Client, "tasks">,
  options: ReportTaskOptions,
  work: (task: ReportedTask) => Promise<Result> | Result,
): Promise<Result> {
  const { signal, describeError = describe, onProblem = warn, lingerMs = 10_000, ...body } = options;
  const id = randomUuid();
  const stop = new AbortController();
  const isAsked = new AbortController();
  const outbox = createMemoryOutbox(id);
  outbox.addAll([{ operation: "create", body: { ...body, can_abort: true } }]);
  const log = createLogText((piece) => outbox.addAll([{ operation: "log", body: piece }]));
  let hasProblem = false;
  const sayProblem = (reason: string, error: unknown) => {
    if (hasProblem) return;
    hasProblem = true;
    try {
      onProblem(`The task ${id} is not reported any more: ${reason}`, error);
    } catch {
      // A fault of the one who hears of a problem must not become one of the work.
    }
  };
  const sayRefusal = (error: unknown) => {
    if (error instanceof HoldfastError && !isAway(error) && error.status !== 429) sayProblem(error.message, error);
  };
  const reporter = createReporter({
    tasks: client.tasks,
    outbox,
    async deliver(signal) {
      const onRefused = (_: unknown, reason: string) => sayProblem(reason, undefined);
      const delivery = await deliver({ tasks: client.tasks, signal, onRefused }, outbox);
      if (delivery.result === "refused") sayProblem(delivery.reason, undefined);
      if ("error" in delivery) sayRefusal(delivery.error);
      return delivery;
    },
    collectLog: log.flush,
    leaseSeconds: body.lease_seconds ?? defaultLeaseSeconds,
    reportEveryMs,
    oftenForMs: Number.POSITIVE_INFINITY,
    minPauseMs,
    onAbort: (reason) => {
      isAsked.abort();
      stop.abort(new DOMException(reason ?? "The task was asked to abort.", "AbortError"));
    },
    onMissedBeat: sayRefusal,
    onBroken: (error) => sayProblem(String(error), error),
  });
  async function end(body: UpdateBody): Promise<void> {
    const late = new AbortController();
    const until = performance.now() + lingerMs;
    const timer = setTimeout(() => late.abort(), lingerMs);
    const result = await reporter.end(body, { signal: late.signal, leftMs: () => until - performance.now() });
    clearTimeout(timer);
    if (result === "late")
      sayProblem("its end could not be delivered in time, so it will count as lost.", late.signal.reason);
  }
  const interrupt = () => stop.abort(signal?.reason);
  if (signal?.aborted) interrupt();
  signal?.addEventListener("abort", interrupt, { once: true });
  let warning: TaskError | undefined;
  try {
    const result = await work({
      id,
      signal: stop.signal,
      progress: (percentage, message) => reporter.progress(progressBody(percentage, message)),
      log: log.add,
      warn: (error) => (warning ??= error),
    });
    const incomplete = warning && { outcome: "warning" as const, error: shorten(warning) };
    await end({ status: "completed", ...incomplete });
    return result;
  } catch (error) {
    await end(endOfFailure(error));
    throw error;
  } finally {
    signal?.removeEventListener("abort", interrupt);
  }

  function describeSafely(error: unknown): TaskError {
    try {
      return describeError(error);
    } catch {
      return describe(error);
    }
  }

  function endOfFailure(error: unknown) {
    if (isAsked.signal.aborted) return { status: "aborted" as const };
    if (!signal?.aborted) return { status: "failed" as const, error: shorten(describeSafely(error)) };
    const message = "The work was stopped on its host.";
    const remedy = "Start it again if it was not meant to be stopped.";
    return { status: "aborted" as const, outcome: "error" as const, error: { code: "interrupted", message, remedy } };
  }
}

function progressBody(percentage: number, message: string | undefined) {
  const whole = Math.max(0, Math.min(100, Math.floor(percentage)));
  return {
    ...(Number.isNaN(whole) ? {} : { progress_percentage: whole }),
    ...(message === undefined ? {} : { progress_message: [...message].slice(0, maxProgressMessage).join("") }),
  };
}

/** Makes an error acceptable to the service: an end that it refuses would be no end. */
function shorten({ code, message, remedy = "" }: TaskError) {
  const word = code
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+/, "");
  const cut = (text: string) => text.slice(0, maxText).toWellFormed();
  return { code: word.slice(0, maxCode) || "command_failed", message: cut(message), remedy: cut(remedy) };
}

function describe(error: unknown): TaskError {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "command_failed", message, remedy: "Read the log." };
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the only place where a script's author would see it, unless onProblem is given.
  console.warn(`holdfast: ${message}`);
}
