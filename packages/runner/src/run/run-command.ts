import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { endingOf } from "../engines/ending";
import type { EndedRun, Environment, Progress } from "../engines/engine";
import { createMasker, maskCutText, maskSecrets } from "../secrets";
import { loadSystemCalls } from "../system/libc";
import { adoptOrphans } from "../system/orphans";
import { createPassthrough, type Passthrough } from "../system/passthrough";
import { uptimeMs } from "../system/processes";
import { type SpawnedCommand, spawnCommand } from "../system/spawn-command";
import { targetOf } from "../system/stream-target";
import { readTokenFile } from "../token-file";
import type { BegunReport } from "./begin-report";
import { drain } from "./drain";
import { warnOfExpiry } from "./expiry-notice";
import { createLogBuffer } from "./log-buffer";
import { passSignals } from "./pass-signals";
import { pollProgress } from "./poll-progress";
import { type PreparedRun, prepareRun } from "./prepare-run";
import { createProgressLine, noProgressLine } from "./progress-line";
import { startRelay } from "./relay";
import type { EndLimits } from "./report-run";
import type { RunOptions } from "./run-options";
import { type Stopped, stopCommand } from "./stop-command";
import { openVersionCache } from "./version-cache";
import { watchLimits } from "./watch-limits";

/** Timeout for a last line of our own that the reader does not take, in milliseconds. */
const flushTimeoutMs = 1_000;
/** A signal that comes so long after the command's end was not meant for the command, in milliseconds. */
const afterEndMs = 300;
/** A message of progress, in characters. */
const maxProgressLength = 200;
/** Timeout of the renewal of a run's token, in milliseconds. */
const maxRenewalMs = 5_000;
const exitCodes = { timeout: 124, notExecutable: 126, notFound: 127 } as const;
const leavingSignals: readonly string[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Runs a command, reports it, and gives the exit code: the command's own, whatever becomes of the report. */
export async function runCommand(options: RunOptions, environment: Environment): Promise<number> {
  const system = loadSystemCalls();
  const versions = await openVersionCache(options.spoolPath);
  const run = prepareRun(options, environment, versions);
  const { recognised, ownSession, secrets } = run;
  const line = targetOf(2) === "terminal" && !options.isQuiet ? createProgressLine(run.begin.type) : noProgressLine;
  const outputs = {
    stdout: line.around(createPassthrough(1, system)),
    stderr: line.around(createPassthrough(2, system)),
  };
  const warn = createWarner(options, secrets, outputs.stderr);
  startRunGuard(warn);
  for (const note of run.notes) warn(note);

  let endedAt: number | undefined;
  let child: SpawnedCommand | undefined;
  const leave = new AbortController();
  // Before the start: a signal in between would end the runner and leave the command alone.
  const passedOn = passSignals({
    sharesTerminal: !ownSession,
    send: (signal) => child?.kill(signal),
    onSignal(signal) {
      const isLate = endedAt !== undefined && performance.now() - endedAt > afterEndMs;
      if (isLate && leavingSignals.includes(signal)) leave.abort();
    },
  });
  const orphans = adoptOrphans(system);
  const startedAt = { wallMs: Date.now(), monotonicMs: uptimeMs() ?? null };
  const started = start(run, system, outputs.stderr);
  child = typeof started === "number" ? undefined : started;

  let stoppedFor: EndedRun["stoppedFor"] = null;
  let stopping: Promise<Stopped> | undefined;
  function stop(reason: NonNullable<EndedRun["stoppedFor"]>): void {
    if (!child || endedAt !== undefined) return;
    stoppedFor ??= reason;
    const { politeSignal } = recognised.recognition;
    stopping ??= stopCommand(child, {
      politeSignal,
      graceMs: options.abortGraceSeconds * 1000,
      ownSession,
      adoptsOrphans: orphans.areAdopted,
    });
  }

  const log = createLogBuffer(() => createMasker(secrets));
  // The command runs by now: what is loaded from here on delays nothing.
  const begun = import("./begin-report")
    .then(({ beginReport }) =>
      beginReport(options, run, { system, warn, log, onAbort: () => stop("abort"), startedAt }),
    )
    .catch((error) => void warn(`This run is not reported: ${error}`));
  const say = (deed: (report: BegunReport["report"]) => void) => void begun.then((one) => one && deed(one.report));
  const limits = watchLimits(options, stop);
  const onProgress = (progress: Progress) => {
    limits.moved(progress);
    const { message } = progress;
    // Engines may have cut it off in the middle of a secret.
    const masked =
      message === undefined ? progress : { ...progress, message: maskCutText(message, secrets, maxProgressLength) };
    line.update(masked);
    say((report) => report.progress(masked));
  };
  const endPolling = pollProgress(run, versions.recall(run.program ?? ""), onProgress);
  if (run.program !== undefined) versions.learn(recognised.engine, run.program);

  const relays = (["stdout", "stderr"] as const).flatMap((name) => {
    const stream = child?.[name];
    if (!stream) return [];
    return startRelay(stream, {
      reader: run.reader[name],
      passthrough: outputs[name],
      log: run.logs[name] ? { add: (text) => log.add(name, text), end: () => log.end(name) } : undefined,
      onProgress,
      onOutput: limits.heard,
    });
  });

  const ended = typeof started === "number" ? { exitCode: started, signal: null } : await started.ended;
  endedAt = performance.now();
  limits.end();
  endPolling();
  await Promise.race([Promise.all(relays.map(drain)), whenAborted(leave.signal)]);
  line.end();
  const stopped = await stopping;
  orphans.end();
  const { invocation, recognition, engine } = recognised;
  const { diagnostics } = run.reader;
  const ending = endingOf(engine, {
    invocation,
    recognition,
    ...ended,
    diagnostics,
    stoppedFor,
    passedOn: [...passedOn],
  });
  try {
    await finish(await begun, maskEnding(ending, secrets), stopped, options, leave.signal);
  } catch (error) {
    warn(`The end of this run is not reported: ${error}`);
  }
  await lookAfterToken(options, warn, leave.signal);
  await Promise.race([outputs.stderr(new Uint8Array()), sleep(flushTimeoutMs), whenAborted(leave.signal)]);
  if (stoppedFor === "timeout") return exitCodes.timeout;
  return ended.signal === null ? (ended.exitCode ?? 1) : 128 + signalNumber(ended.signal);
}

/** Renews the token if that is asked for and due, and else warns once a day before it expires. */
async function lookAfterToken(options: RunOptions, warn: (message: string) => void, leave: AbortSignal): Promise<void> {
  const { token, tokenFile, url, shouldRenew, spoolPath } = options;
  if (token === undefined) return;
  if (shouldRenew) {
    const { renewWhenDue } = await import("./renew-token");
    const signal = AbortSignal.any([leave, AbortSignal.timeout(maxRenewalMs)]);
    await renewWhenDue({ token, tokenFile, url, warn, signal });
  }
  const current = tokenFile === undefined ? token : (readTokenFile(tokenFile) ?? token);
  warnOfExpiry(current, spoolPath, warn);
}

/** Whatever goes wrong in the report, the command runs on, and its exit code stays its own. */
function startRunGuard(warn: (message: string) => void): void {
  let isSaid = false;
  const note = (error: unknown) => {
    if (!isSaid) warn(`Something went wrong while the run was reported: ${error}`);
    isSaid = true;
  };
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Starts the command, or gives the exit code of one that cannot be started. */
function start(
  run: PreparedRun,
  system: ReturnType<typeof loadSystemCalls>,
  stderr: Passthrough,
): SpawnedCommand | number {
  const { argv, environment, reads, ownSession } = run;
  try {
    return spawnCommand({ command: argv, environment, reads, ownSession }, system);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = isMissing ? "command not found" : "cannot be executed";
    void stderr(Buffer.from(`holdfast: ${argv[0]}: ${reason}\n`));
    return isMissing ? exitCodes.notFound : exitCodes.notExecutable;
  }
}

async function finish(
  begun: BegunReport | undefined,
  ending: ReturnType<typeof endingOf>,
  stopped: Stopped | undefined,
  limits: EndLimits,
  hurry: AbortSignal,
): Promise<void> {
  if (!begun) return;
  const until = performance.now() + limits.lingerMs;
  const isDelivered = await begun.report.end(ending, stopped, limits, hurry);
  // A service that is away now would not take those either.
  if (isDelivered && !hurry.aborted) await begun.drainSpool(until - performance.now(), hurry);
}

type Ending = ReturnType<typeof endingOf>;

function maskEnding(ending: Ending, secrets: readonly string[]): Ending {
  const { error, progressMessage } = ending;
  return {
    ...ending,
    error: error && { ...error, message: maskCutText(error.message, secrets) },
    ...(progressMessage === undefined ? {} : { progressMessage: maskCutText(progressMessage, secrets) }),
  };
}

function createWarner(
  { isQuiet }: RunOptions,
  secrets: readonly string[],
  stderr: Passthrough,
): (message: string) => void {
  return (message) => {
    if (!isQuiet) void stderr(Buffer.from(`holdfast: ${maskSecrets(message, secrets)}\n`));
  };
}

function signalNumber(signal: string): number {
  // The signals for real time have numbers only.
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? (Number(signal) || 0);
}
