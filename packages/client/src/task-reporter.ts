import type { BodyOf } from "./declared";
import { HoldfastError } from "./error";
import { createLogBuffer } from "./log-buffer";
import type { Tasks } from "./resources/tasks";
import { isAway, pauseAfter } from "./transport";
import { wait } from "./wait";

type CreateBody = BodyOf<"tasks", "create-task">;
type UpdateBody = BodyOf<"tasks", "update-task">;

/**
 * What went wrong: a word to compare, the engine's own words, and what to do.
 * @example
 * import { reportTask, type TaskError } from "@holdfast/client";
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

/** How the work ended. */
export type TaskEnd = Pick<UpdateBody, "status" | "outcome"> & { error?: TaskError };

export interface ReporterOptions {
  begin: CreateBody & { id: string };
  /** Called once, when the task is asked to abort. */
  onAbort: (reason: string | null) => void;
  onProblem: (message: string, error: unknown) => void;
}

/** Reports one task in the background. Nothing that it does throws. */
export interface Reporter {
  progress(percentage: number, message?: string): void;
  log(text: string): void;
  /** Reports the end, and waits until it is delivered, but no longer than that. */
  end(end: TaskEnd, lingerMs: number): Promise<void>;
}

const logGap = 40911;
/** Progress and log are gathered for so long, in milliseconds. */
const betweenReports = 1_000;
const longestPause = 30_000;
/** How long a heartbeat may be held back, in seconds: an abort ends the wait. */
const heldSeconds = 25;
const longestMessage = 200;
const longestText = 8_000;
const longestCode = 64;

/** Begins to report a task. */
export function createReporter(tasks: Tasks, { begin, onAbort, onProblem }: ReporterOptions): Reporter {
  const beganAt = performance.now();
  const buffer = createLogBuffer();
  const over = new AbortController();
  const leave = new AbortController();
  let latest: Pick<UpdateBody, "progress_percentage" | "progress_message"> | undefined;
  let ending: { end: TaskEnd; at: number } | undefined;
  let sequence = 1;
  let isRefused = false;
  let isAborting = false;
  let wake = () => {};

  function refuse(error: unknown): void {
    if (isRefused) return;
    isRefused = true;
    over.abort();
    const reason = error instanceof Error ? error.message : String(error);
    try {
      onProblem(`The task ${begin.id} is not reported any more: ${reason}`, error);
    } catch {
      // What is wrong with the report of a problem must not become one of the work.
    }
  }

  /** Sends until there is an answer. A refusal that will not change ends all reporting, and an end that is late this one. */
  async function deliver(send: () => Promise<unknown>): Promise<void> {
    for (let tries = 0; !isRefused; tries++) {
      try {
        heed(await send());
        return;
      } catch (error) {
        leave.signal.throwIfAborted();
        if (!mayPass(error)) return refuse(error);
        await wait(Math.min(pauseAfter(error, tries), longestPause), leave.signal);
      }
    }
  }

  /** Looks whether an answer asks for an abort. */
  function heed(answer: unknown): void {
    const { lease }: { lease?: { abort_requested: boolean; abort_reason: string | null } | null } = Object(answer);
    if (!lease?.abort_requested || isAborting) return;
    isAborting = true;
    onAbort(lease.abort_reason);
  }

  /** Reports something, and the next piece of the log with it. */
  async function update(make: () => UpdateBody): Promise<void> {
    const number = ++sequence;
    const send = async () => {
      const piece = buffer.next();
      const body = { ...make(), sequence: number, ...(piece ? { log: piece } : {}) };
      const answer = await tasks.update(begin.id, body, { retries: 0, signal: leave.signal });
      buffer.sent(piece);
      return answer;
    };
    await deliver(async () => {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof HoldfastError) || !error.codes.includes(logGap)) throw error;
        // The service has less of the log than it had acknowledged, as after a restored backup.
        buffer.noteGap();
        return send();
      }
    });
  }

  /** Sends reports one after the other, from the beginning to the end. */
  async function pump(): Promise<void> {
    await deliver(() =>
      tasks.create({ ...begin, sequence: 1, age_ms: ageOf(beganAt) }, { retries: 0, signal: leave.signal }),
    );
    void beat();
    while (!isRefused) {
      if (!latest && buffer.isEmpty() && !ending) await new Promise<void>((resolve) => (wake = resolve));
      if (!ending) await wait(betweenReports, over.signal).catch(() => {});
      while (!isRefused && buffer.hasMoreThanOnePiece()) await update(() => ({}));
      const said = latest;
      latest = undefined;
      if (ending) {
        const { end, at } = ending;
        const error = end.error && { error: shorten(end.error) };
        return update(() => ({ ...said, ...end, ...error, age_ms: ageOf(at) }));
      }
      if (said || !buffer.isEmpty()) await update(() => ({ ...said }));
    }
  }

  /** Keeps the lease, and hears of an abort at once: the service holds each heartbeat back until there is one. */
  async function beat(): Promise<void> {
    for (let failures = 0; !over.signal.aborted; ) {
      const sentAt = performance.now();
      try {
        const body = isAborting ? {} : { wait_seconds: heldSeconds };
        const timeoutMs = (heldSeconds + 15) * 1000;
        heed(await tasks.update(begin.id, body, { retries: 0, signal: over.signal, timeoutMs }));
        failures = 0;
        const shortest = isAborting ? 5_000 : 1_000;
        await wait(Math.max(0, shortest - (performance.now() - sentAt)), over.signal);
      } catch (error) {
        if (over.signal.aborted) return;
        if (!mayPass(error)) return refuse(error);
        await wait(Math.min(pauseAfter(error, failures++), longestPause), over.signal).catch(() => {});
      }
    }
  }

  const pumped = pump().catch((error: unknown) => {
    if (!isRefused) refuse(error);
  });

  return {
    progress(percentage, message) {
      const whole = Math.max(0, Math.min(100, Math.floor(percentage)));
      latest = {
        ...latest,
        ...(Number.isNaN(whole) ? {} : { progress_percentage: whole }),
        ...(message === undefined ? {} : { progress_message: [...message].slice(0, longestMessage).join("") }),
      };
      wake();
    },
    log(text) {
      buffer.add(text);
      wake();
    },
    async end(end, lingerMs) {
      ending = { end, at: performance.now() };
      over.abort();
      wake();
      const timer = setTimeout(
        () => leave.abort(new Error("its end could not be delivered in time, so it will count as lost.")),
        lingerMs,
      );
      await pumped;
      clearTimeout(timer);
    },
  };
}

/** Whether a report can be accepted later that was not now. */
function mayPass(error: unknown): error is HoldfastError {
  return error instanceof HoldfastError && (isAway(error) || error.status === 429);
}

function ageOf(at: number): number {
  return Math.round(performance.now() - at);
}

/** Makes an error acceptable to the service: an end that it refuses would be no end. */
function shorten({ code, message, remedy = "" }: TaskError) {
  const word = code
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+/, "");
  const cut = (text: string) => text.slice(0, longestText).toWellFormed();
  return { code: word.slice(0, longestCode) || "command_failed", message: cut(message), remedy: cut(remedy) };
}
