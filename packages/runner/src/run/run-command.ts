import { writeSync } from "node:fs";
import { constants } from "node:os";
import { endingOf } from "../engines/ending";
import type { EndedRun, Environment, Progress } from "../engines/engine";
import { createMasker, maskSecrets, secretsOf } from "../secrets";
import { loadSystemCalls } from "../system/libc";
import { createPassOn } from "../system/pass-on";
import { type SpawnedCommand, spawnCommand } from "../system/spawn-command";
import { targetOf } from "../system/where-streams-go";
import type { BegunReport } from "./begin-report";
import { createLogBudget } from "./log-budget";
import { passSignals } from "./pass-signals";
import { pollProgress } from "./poll-progress";
import { type PreparedRun, prepareRun } from "./prepare-run";
import { createProgressLine, noProgressLine } from "./progress-line";
import { relay } from "./relay";
import type { RunOptions } from "./run-options";
import { type Stopped, stopCommand } from "./stop-command";
import { openVersionMemory } from "./version-memory";
import { watchLimits } from "./watch-limits";

/** How long output is waited for that a process in the background may still write, in milliseconds. */
const longestDrain = 1_000;
const exitCodes = { timeout: 124, notExecutable: 126, notFound: 127 } as const;

/** Runs a command, reports it, and gives the exit code: the command's own, whatever becomes of the report. */
export async function runCommand(options: RunOptions, environment: Environment): Promise<number> {
  const secrets = secretsOf(environment);
  const system = loadSystemCalls();
  const versions = openVersionMemory(options.spoolPath);
  const run = prepareRun(options, environment, versions);
  const { recognised, ownSession } = run;
  const warn = createWarner(options, secrets);
  const line = targetOf(2) === "terminal" && !options.isQuiet ? createProgressLine(run.begin.type) : noProgressLine;

  const child = start(run, system);
  let stoppedFor: EndedRun["stoppedFor"] = null;
  let stopping: Promise<Stopped> | undefined;
  function stop(reason: NonNullable<EndedRun["stoppedFor"]>): void {
    if (typeof child === "number") return;
    stoppedFor ??= reason;
    const { politeSignal } = recognised.recognition;
    stopping ??= stopCommand(child, { politeSignal, graceMs: options.abortGraceSeconds * 1000, ownSession });
  }

  // The command runs by now: what is loaded from here on delays nothing.
  const begun = import("./begin-report").then(({ beginReport }) =>
    beginReport(options, run, { system, warn, onAbort: () => stop("abort") }),
  );
  const say = (deed: (report: BegunReport["report"]) => void) => void begun.then((one) => one && deed(one.report));
  const passedOn = typeof child === "number" ? [] : passSignals({ sharesTerminal: !ownSession, send: child.kill });
  const limits = watchLimits(options, stop);
  const onProgress = (progress: Progress) => {
    limits.moved(progress);
    line.update(progress);
    say((report) => report.progress(progress));
  };
  const endPolling = pollProgress(run, versions.recall(run.program ?? ""), onProgress);
  if (run.program !== undefined) versions.learn(recognised.engine, run.program);

  const log = {
    budget: createLogBudget(),
    add: (text: string) => say((report) => report.log(text)),
    skip: (bytes: number) => say((report) => report.skipLog(bytes)),
  };
  const relays = (["stdout", "stderr"] as const).map((name) => {
    const stream = typeof child === "number" ? undefined : child[name];
    return (
      stream &&
      relay(stream, {
        reader: run.reader[name],
        passOn: line.around(createPassOn(name === "stdout" ? 1 : 2, system)),
        masker: createMasker(secrets),
        log: run.logs[name] ? log : undefined,
        onProgress,
      })
    );
  });

  const ended = typeof child === "number" ? { exitCode: child, signal: null } : await child.ended;
  limits.end();
  endPolling();
  await Promise.race([Promise.all(relays), new Promise((resolve) => setTimeout(resolve, longestDrain))]);
  line.end();
  const stopped = await stopping;
  const { invocation, recognition, engine } = recognised;
  const { seen } = run.reader;
  const ending = endingOf(engine, { invocation, recognition, ...ended, seen, stoppedFor, passedOn });
  await finish(await begun, maskEnding(ending, secrets), stopped, options.lingerMs);
  if (stoppedFor === "timeout") return exitCodes.timeout;
  return ended.signal === null ? (ended.exitCode ?? 1) : 128 + signalNumber(ended.signal);
}

/** Starts the command, or gives the exit code of one that cannot be started. */
function start(run: PreparedRun, system: ReturnType<typeof loadSystemCalls>): SpawnedCommand | number {
  const { argv, environment, reads, ownSession } = run;
  try {
    return spawnCommand({ command: argv, environment, reads, ownSession }, system);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = isMissing ? "command not found" : "cannot be executed";
    writeSync(2, `holdfast: ${argv[0]}: ${reason}\n`);
    return isMissing ? exitCodes.notFound : exitCodes.notExecutable;
  }
}

async function finish(
  begun: BegunReport | undefined,
  ending: ReturnType<typeof endingOf>,
  stopped: Stopped | undefined,
  lingerMs: number,
): Promise<void> {
  if (!begun) return;
  const until = performance.now() + lingerMs;
  const isDelivered = await begun.report.end(ending, stopped, lingerMs);
  // A service that is away now would not take those either.
  if (isDelivered) await begun.deliverLeftovers(until - performance.now());
}

type Ending = ReturnType<typeof endingOf>;

function maskEnding(ending: Ending, secrets: readonly string[]): Ending {
  return ending.error
    ? { ...ending, error: { ...ending.error, message: maskSecrets(ending.error.message, secrets) } }
    : ending;
}

function createWarner({ isQuiet }: RunOptions, secrets: readonly string[]): (message: string) => void {
  return (message) => {
    if (!isQuiet) writeSync(2, `holdfast: ${maskSecrets(message, secrets)}\n`);
  };
}

function signalNumber(signal: string): number {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
}
