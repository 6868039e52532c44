import type { Selectable } from "kysely";
import type { PingRunTable } from "../../../database/schema";
import type { Lease } from "../../tasks/leases/lease";
import { nameOfSignal, type Signal } from "./ping";

/** A run that pings have reported, and what became of its task. Times are milliseconds. */
export interface PingRun extends Selectable<PingRunTable> {
  state: Lease["state"];
  logSize: number;
  /** When the task ended or was lost. */
  overAt: number | null;
}

/** Action that a ping triggers. */
export type PingAction =
  | { act: "begin"; loses: PingRun | undefined }
  | { act: "end"; run: PingRun | undefined }
  | { act: "log"; run: PingRun }
  /** It says what is known already, or has nothing to say it of. */
  | { act: "nothing" };

/** Within this time the same ping again is a repetition, in milliseconds. */
const repetition = 30_000;
/** For how long the log of a run that has ended takes more, in milliseconds. */
const logAfterEnd = 3_600_000;

/** Decides what a ping does, given the runs of its monitor, newest first. */
export function resolvePing(
  runs: readonly PingRun[],
  { signal, rid }: { signal: Signal; rid: string | null },
  now: number,
): PingAction {
  const open = openRun(runs, rid);
  const known = rid === null ? undefined : runs.find((run) => run.rid === rid);
  if (signal === "start") {
    if (rid !== null) return known ? { act: "nothing" } : { act: "begin", loses: undefined };
    const isRepeated = open !== undefined && now - open.begun_at <= repetition;
    return isRepeated ? { act: "nothing" } : { act: "begin", loses: open };
  }
  if (signal === "log") {
    const run = open ?? (rid === null ? lastEnded(runs) : known);
    const takesLog = run !== undefined && now - (run.overAt ?? now) <= logAfterEnd;
    return takesLog ? { act: "log", run } : { act: "nothing" };
  }
  if (open) return { act: "end", run: open };
  if (known) return known.state === "lost" ? { act: "end", run: known } : { act: "nothing" };
  if (rid !== null) return { act: "end", run: undefined };
  const last = runs.find((run) => run.rid === null);
  if (last?.state === "lost") return { act: "end", run: last };
  const isRepeated =
    last?.end_signal === nameOfSignal(signal) && last.ended_at !== null && now - last.ended_at <= repetition;
  return isRepeated ? { act: "nothing" } : { act: "end", run: undefined };
}

/** The open run that a ping is about: the one with its rid; without one the newest without, else the only open one. */
function openRun(runs: readonly PingRun[], rid: string | null): PingRun | undefined {
  const open = runs.filter(({ state }) => state === "in_progress");
  const same = open.find((run) => run.rid === rid);
  if (same || rid !== null) return same;
  return open.length === 1 ? open[0] : undefined;
}

/** The run that was over last. */
function lastEnded(runs: readonly PingRun[]): PingRun | undefined {
  const [last] = runs
    .filter(({ overAt }) => overAt !== null)
    .sort((one, other) => (other.overAt ?? 0) - (one.overAt ?? 0));
  return last;
}
