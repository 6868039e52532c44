import type { TaskOutcome, TaskStatus } from "@holdfast/api/resources/task-words";
import type { Job } from "./catalogue";
import { type Fault, faultOf } from "./faults";
import type { Random } from "./random";

/** Course of a task from its creation to its end, or as far as it has come. */
export interface Course {
  status: TaskStatus;
  outcome: TaskOutcome | null;
  fault: Fault | null;
  progress: number;
  startedAt: number | null;
  endedAt: number | null;
  heardAt: number | null;
  progressedAt: number | null;
}

/** Circumstances that decide the course of a task. */
export interface Circumstances {
  job: Job;
  createdAt: number;
  /** Factor by which it takes longer than a typical one. */
  size: number;
  failureRate: number;
  /** A run that was started by hand is never missed. */
  isScheduled: boolean;
  /** Present moment: later events are not known yet. */
  now: number;
}

const minute = 60_000;
const graceForMissed = 60 * minute;
const maxQueuedMs = 6 * 60 * minute;
const silenceOfLost = 15 * minute;
const heartbeatInterval = 15_000;

const missed = faultOf("expected_run_missing");
const expired = faultOf("not_started_in_time");
const lost = faultOf("runner_lost");
const incomplete = faultOf("files_unreadable");

const neverStarted = { startedAt: null, heardAt: null, progressedAt: null, progress: 0 } as const;

/** Makes up how a task goes, to its end or as far as is known by now. */
export function inventCourse(random: Random, circumstances: Circumstances): Course {
  const course = inventWholeCourse(random, circumstances);
  const { startedAt, endedAt } = course;
  if (endedAt <= circumstances.now) return course;
  if (startedAt === null || startedAt > circumstances.now) return queued;
  return runningSince(startedAt, circumstances.now, endedAt);
}

function inventWholeCourse(random: Random, circumstances: Circumstances): Course & { endedAt: number } {
  const { job, createdAt, failureRate, isScheduled } = circumstances;
  const draw = random.fraction();
  if (draw < failureRate) {
    const kind = random.fraction();
    if (kind < 0.05 && isScheduled) {
      return {
        ...neverStarted,
        status: "failed",
        outcome: "missed",
        fault: missed,
        endedAt: createdAt + graceForMissed,
      };
    }
    if (kind < 0.09) {
      return {
        ...neverStarted,
        status: "failed",
        outcome: "expired",
        fault: expired,
        endedAt: createdAt + maxQueuedMs,
      };
    }
    const stopped = stopEarly(random, circumstances);
    return kind < 0.15
      ? { ...stopped, status: "failed", outcome: "lost", fault: lost, endedAt: stopped.endedAt + silenceOfLost }
      : { ...stopped, status: "failed", outcome: "error", fault: random.pick(job.faults) };
  }
  if (draw > 0.994) {
    return random.isLucky(0.25)
      ? {
          ...neverStarted,
          status: "aborted",
          outcome: "cancelled",
          fault: null,
          endedAt: createdAt + random.whole(5, 400) * 1000,
        }
      : { ...stopEarly(random, circumstances), status: "aborted", outcome: "cancelled", fault: null };
  }
  const { startedAt, endedAt } = inventTimes(random, circumstances);
  const isIncomplete = draw > 0.97 && job.readsFiles;
  return {
    status: "completed",
    outcome: isIncomplete ? "warning" : "success",
    fault: isIncomplete ? incomplete : null,
    progress: 100,
    startedAt,
    endedAt,
    heardAt: endedAt,
    progressedAt: endedAt,
  };
}

/** Makes up a task that has not ended yet. */
export function inventUnfinished(
  random: Random,
  status: "queued" | "in_progress" | "aborting",
  createdAt: number,
  now: number,
): Course {
  if (status === "queued") return queued;
  const startedAt = Math.min(now, createdAt + random.whole(2, 60) * 1000);
  const endsAt = startedAt + (now - startedAt) * (1.1 + random.fraction() * 3);
  return { ...runningSince(startedAt, now, endsAt), status };
}

const queued: Course = { ...neverStarted, status: "queued", outcome: null, fault: null, endedAt: null };

function runningSince(startedAt: number, now: number, endsAt: number): Course {
  const elapsed = now - startedAt;
  const heardAt = now - (elapsed % heartbeatInterval);
  return {
    status: "in_progress",
    outcome: null,
    fault: null,
    progress: Math.min(99, Math.floor((100 * elapsed) / Math.max(1, endsAt - startedAt))),
    startedAt,
    endedAt: null,
    heardAt,
    progressedAt: Math.max(startedAt, heardAt - heartbeatInterval),
  };
}

function inventTimes(random: Random, { job, size, createdAt }: Circumstances): { startedAt: number; endedAt: number } {
  // Most tasks start at once; some wait for a runner that is busy.
  const wait = random.isLucky(0.12) ? random.whole(60_000, 1_500_000) : random.whole(400, 9_000);
  const startedAt = createdAt + wait;
  const duration = job.minutes * size * Math.exp(random.bell() * 0.25) * minute;
  return { startedAt, endedAt: startedAt + Math.ceil(duration) };
}

/** A run that ended before it was done. */
function stopEarly(random: Random, circumstances: Circumstances) {
  const { startedAt, endedAt } = inventTimes(random, circumstances);
  const share = random.fraction() ** 2;
  const stoppedAt = startedAt + Math.floor((endedAt - startedAt) * share);
  return {
    startedAt,
    endedAt: stoppedAt,
    heardAt: stoppedAt,
    progressedAt: startedAt + Math.floor((stoppedAt - startedAt) * 0.97),
    progress: Math.floor(share * 99),
  };
}
