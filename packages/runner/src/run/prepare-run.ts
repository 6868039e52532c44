import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { BodyOf } from "@holdfast/client";
import { type AddedStreamTarget, addFlags } from "../engines/add-flags";
import type { Environment, Reader } from "../engines/engine";
import { type RecognisedCommand, recogniseCommand } from "../engines/recognise";
import { maskSecrets, secretsOf } from "../secrets";
import { cutLine, shortLine } from "../short-line";
import type { MonitorField } from "../spool/spooled-report";
import { isInForeground } from "../system/processes";
import { targetOf } from "../system/stream-target";
import { signalsToIgnore } from "./pass-signals";
import type { RunOptions } from "./run-options";
import { findProgram, type VersionCache } from "./version-cache";

/** A command that is ready to be started, and what its task says of it. */
export interface PreparedRun {
  recognised: RecognisedCommand;
  /** Command with arguments, with flags of ours where there are any. */
  argv: readonly string[];
  environment: Environment;
  /** The file of the engine's program, where it was found. */
  program: string | undefined;
  reader: Reader;
  /** Which streams are read here, and which of them are kept as the log. */
  reads: { stdout: boolean; stderr: boolean };
  logs: { stdout: boolean; stderr: boolean };
  ownSession: boolean;
  /** Secrets that are masked wherever the run is mentioned. */
  secrets: readonly string[];
  /** Report with which the task begins. */
  begin: BodyOf<"tasks", "create-task"> & { type: string };
  /** Fields of it that its monitor decides, if it has one. */
  leftToMonitor: readonly MonitorField[];
  /** Warnings for the user before it is reported. */
  notes: readonly string[];
}

/** Looks at a command: what it is, what has to be added to it, and what is read of it. */
export function prepareRun(options: RunOptions, environment: Environment, versions: VersionCache): PreparedRun {
  const { host } = options;
  const engine = options.engine === undefined ? {} : { engine: options.engine };
  const recognised = recogniseCommand({
    argv: options.command,
    environment,
    host,
    folder: currentFolder(environment),
    ...engine,
  });
  const { argumentsAt, recognition, invocation } = recognised;
  const program =
    argumentsAt === undefined ? undefined : findProgram(options.command[argumentsAt - 1] ?? "", environment.PATH);
  const {
    argv,
    environment: added,
    hasAdditions,
  } = addFlags(recognised, {
    progress: options.progress,
    version: program === undefined ? undefined : versions.recall(program),
    stdin: streamTarget(0),
    stdout: streamTarget(1),
  });
  // Also of `env NAME=value`; the token may have come from a file.
  const secrets = secretsOf({ ...environment, ...invocation.environment, HOLDFAST_TOKEN: options.token });
  const logs = loggedStreams(options, recognised);
  const isOther = recognised.engine.name === "other";
  return {
    recognised,
    argv,
    environment: { ...environment, ...added },
    program,
    reader: recognised.engine.createReader({ invocation, hasAdditions }),
    reads: { stdout: !recognition.stdoutIsData && (logs.stdout || hasAdditions || !isOther), stderr: true },
    logs,
    ownSession: !isInForeground() || signalsToIgnore().has("SIGHUP"),
    secrets,
    begin: beginOf(options, recognised, secrets),
    notes: [...options.notes, ...shortenedFlags(options)],
    leftToMonitor: leftToMonitor(options),
  };
}

/** By default both streams, but no stdout that carries data, or may do so. */
function loggedStreams({ log }: RunOptions, { engine, recognition }: RecognisedCommand): PreparedRun["logs"] {
  const mayBeData = recognition.stdoutIsData || (engine.name === "other" && ["pipe", "file"].includes(streamTarget(1)));
  return {
    stdout: !recognition.stdoutIsData && (log === "all" || (log === "auto" && !mayBeData)),
    stderr: log !== "none",
  };
}

function beginOf(
  options: RunOptions,
  { recognition }: RecognisedCommand,
  secrets: readonly string[],
): PreparedRun["begin"] {
  const { host, entity, timeoutMs, stallMs, leaseSeconds, abortGraceSeconds } = options;
  const fit = (text: string | undefined, maxLength: number) => shortLine(maskSecrets(text ?? "", secrets), maxLength);
  // A flag that the service would refuse must not leave the run unrecorded. Nothing distinguishes names but people.
  const name = cutLine(maskSecrets(options.name ?? "", secrets), textLimits.name);
  const type = fit(options.type, textLimits.taskType);
  const value = fit(entity?.value, textLimits.entity);
  const operation = fit(options.operation, textLimits.operation);
  return {
    category: options.category ?? recognition.category,
    type: type || recognition.type,
    ...(options.monitor === undefined ? {} : { monitor_id: options.monitor }),
    ...(name === "" ? {} : { name }),
    operation: operation || recognition.operation,
    primary_entity:
      entity && value !== "" ? { type: entity.type.slice(0, textLimits.entityType), value } : recognition.entity,
    runner: { host, version: `holdfast ${runnerVersion}` },
    lease_seconds: leaseSeconds,
    can_abort: true,
    abort_grace_seconds: abortGraceSeconds,
    ...(timeoutMs === undefined ? {} : { max_duration_seconds: between(60, timeoutMs / 1000, 2_592_000) }),
    ...(stallMs === undefined ? {} : { stall_seconds: between(60, stallMs / 1000, 604_800) }),
  };
}

/** Says which flags are longer than the service takes. */
function shortenedFlags({ name, type, entity, operation }: RunOptions): string[] {
  const given = [
    { flag: "--name", text: name, maxLength: textLimits.name },
    { flag: "--type", text: type, maxLength: textLimits.taskType },
    { flag: "--entity", text: entity?.value, maxLength: textLimits.entity },
    { flag: "--operation", text: operation, maxLength: textLimits.operation },
  ];
  return given
    .filter(({ text = "", maxLength }) => [...text].length > maxLength)
    .map(
      ({ flag, maxLength }) =>
        `${flag} is longer than ${maxLength} characters, so this run is recorded with a shortened one.`,
    );
}

/** The folder that the command starts in. It may have been removed since the shell went there. */
function currentFolder({ PWD }: Environment): string {
  try {
    return process.cwd();
  } catch {
    return PWD?.startsWith("/") ? PWD : "/";
  }
}

/** Options that are given win over the monitor; recognised values do not. */
function leftToMonitor({ monitor, category, type, entity, operation }: RunOptions): MonitorField[] {
  if (monitor === undefined) return [];
  const given = { category, type, operation, primary_entity: entity };
  const fields: MonitorField[] = ["category", "type", "operation", "primary_entity"];
  return fields.filter((field) => given[field] === undefined);
}

/** A whole number that the service takes: the runner itself keeps to the exact limit. */
function between(min: number, number: number, max: number): number {
  return Math.min(Math.max(min, Math.ceil(number)), max);
}

const runnerVersion = "0.1.0";

function streamTarget(fd: number): AddedStreamTarget {
  const target = targetOf(fd);
  if (target === "closed") return "null";
  return target === "other" ? "file" : target;
}
