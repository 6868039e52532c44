import { type ErrorCode, remedyOf } from "../error-codes";
import { cleanLine } from "./diagnostics";
import type { EndedRun, Ending, Engine, Verdict } from "./engine";

const endingSignals = new Set(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]);
/** Exit codes that a shell or sudo returns for these signals: 128 and the signal's number. */
const endingCodes = new Set([129, 130, 131, 143]);

/**
 * Ending of a run: first the rules for every command, then what its engine says.
 *
 * @public
 */
export function endingOf(engine: Engine, run: EndedRun): Ending {
  const ending = commonEnding(engine, run) ?? engineEnding(engine, run);
  const { summary } = run.diagnostics;
  return ending.status === "completed" && summary !== undefined ? { ...ending, progressMessage: summary } : ending;
}

function commonEnding(engine: Engine, run: EndedRun): Ending | undefined {
  const { stoppedFor, exitCode, signal } = run;
  const failed = (code: ErrorCode, line?: string) => endingWith(engine, run, "failed", "error", code, line);
  if (stoppedFor === "timeout")
    return failed("time_exceeded", `It ran longer than allowed and was stopped. ${describeEnding(run)}`);
  if (stoppedFor === "stall")
    return failed("no_progress", `Nothing moved for too long and it was stopped. ${describeEnding(run)}`);
  // Work that was finished before the signal came is finished.
  if (stoppedFor === "abort" && exitCode !== 0) return { status: "aborted", outcome: "cancelled", error: null };
  if (signal === "SIGKILL" || exitCode === 137) return failed("killed", describeEnding(run));
  if (isInterrupted(run)) return interruption(engine, run);
  const said = run.diagnostics.lastErrorLine();
  if (exitCode === 127) return failed("tool_missing", said ?? `${run.invocation.program}: command not found`);
  if (exitCode === 126) return failed("tool_not_executable", said ?? `${run.invocation.program}: cannot be executed`);
  return undefined;
}

function isInterrupted({ exitCode, signal, passedOn, diagnostics }: EndedRun): boolean {
  if (exitCode === 0) return false;
  if (signal !== null) return endingSignals.has(signal);
  return (
    (exitCode !== null && endingCodes.has(exitCode)) ||
    passedOn.some((passed) => endingSignals.has(passed)) ||
    diagnostics.lineOf("interrupted") !== undefined
  );
}

function engineEnding(engine: Engine, run: EndedRun): Ending {
  const verdict: Verdict | undefined = run.signal === null ? engine.judge(run) : undefined;
  if (verdict === undefined && run.exitCode === 0) return { status: "completed", outcome: "success", error: null };
  const { code, isWarning, line } = verdict ?? { code: "command_failed" as const, isWarning: false };
  if (code === "interrupted") return interruption(engine, run, line);
  return isWarning
    ? endingWith(engine, run, "completed", "warning", code, line)
    : endingWith(engine, run, "failed", "error", code, line);
}

function interruption(engine: Engine, run: EndedRun, line?: string): Ending {
  const message = line ?? run.diagnostics.lineOf("interrupted") ?? describeEnding(run);
  return endingWith(engine, run, "aborted", "error", "interrupted", message);
}

function endingWith(
  engine: Engine,
  run: EndedRun,
  status: Ending["status"],
  outcome: Ending["outcome"],
  code: ErrorCode,
  line?: string,
): Ending {
  const message = line ?? run.diagnostics.lineOf(code) ?? run.diagnostics.lastErrorLine() ?? describeEnding(run);
  return { status, outcome, error: { code, message: cleanLine(message), remedy: remedyOf(code, engine.name) } };
}

function describeEnding({ exitCode, signal }: EndedRun): string {
  return signal === null ? `The exit code was ${exitCode}.` : `The signal ${signal} ended the command.`;
}

/** A failure with a code, or none. */
export function failure(code: ErrorCode | undefined, line?: string): Verdict | undefined {
  if (code === undefined) return undefined;
  return { code, isWarning: false, ...(line === undefined ? {} : { line }) };
}

/** The work was done, but for something. */
export function warning(code: ErrorCode, line?: string): Verdict {
  return { code, isWarning: true, ...(line === undefined ? {} : { line }) };
}
