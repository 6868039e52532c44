import { readFileSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { type TaskCategory, taskCategories } from "@holdfast/api/resources/task-words";
import { type EngineName, engineNames } from "../engines/engine-names";
import { findProfile } from "../profiles";
import { defaultSpoolPath } from "../spool/spool-folder";

/** Options in the command line and in the environment of `holdfast run`. */
export interface RunOptions {
  /** The command and its arguments. */
  command: string[];
  /** Undefined where there is none: the command then runs unreported. */
  token: string | undefined;
  /** Why there is none. */
  tokenFault: string | undefined;
  url: string | undefined;
  /** The file that the token is from. */
  tokenFile: string | undefined;
  /** Set if the token is to be renewed when its end comes near. */
  shouldRenew: boolean;
  unit: string | undefined;
  /** The id or the slug of the monitor that it is a run of. */
  monitor: string | undefined;
  /** The recurring piece of work that it is a run of. */
  operation: string | undefined;
  /** The name of this host. */
  host: string;
  name: string | undefined;
  category: TaskCategory | undefined;
  type: string | undefined;
  entity: { type: string; value: string } | undefined;
  engine: EngineName | "none" | undefined;
  progress: "auto" | "on" | "off";
  log: "auto" | "all" | "stderr" | "none";
  timeoutMs: number | undefined;
  stallMs: number | undefined;
  leaseSeconds: number;
  abortGraceSeconds: number;
  lingerMs: number;
  /** Time to try to deliver the end to a service that does not answer. */
  absentMs: number;
  spoolPath: string;
  isQuiet: boolean;
  /** Warnings about flags that can be used. */
  notes: string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A command line that cannot be understood. */
export class RunUsageError extends Error {}

export const runHelp = `Usage: holdfast run [flags] -- <command> [arguments…]

Runs a command and reports it as a task. The command's output, input, exit code and signals are its own.

  --url <url>            the service (HOLDFAST_URL; else that of the profile, or the token's issuer)
  --token-file <file>    a file with the API token (or HOLDFAST_TOKEN has it; else the profile of holdfast login)
  --renew                renew a service token in its file when less than a third of its life is left
  --ou <id>              the organizational unit (HOLDFAST_OU)
  --monitor <id|slug>    the monitor that this is a run of: its category, type and entity (HOLDFAST_MONITOR)
  --name <text>          a name for people
  --category <word>      backup, restore, snapshot, system … (else from the command)
  --type <word>          such as restic_backup (else from the command)
  --entity <[type:]value>  what is protected, such as host:web-01 (else from the command)
  --operation <text>     the recurring piece of work that this is a run of (else from the command, or the monitor's slug)
  --host <name>          the name of this host (HOLDFAST_HOST; else its host name)
  --engine <name|none>   the engine inside a script; none treats it as any command
  --progress <auto|on|off>  whether flags may be added to the command to see its progress
  --log <auto|all|stderr|none>  which output is kept as the task's log
  --timeout <duration>   stop the command after so long
  --stall <duration>     stop it after so long without progress, or without output where it shows none
  --lease <duration>     count as lost after so long without a word (180s)
  --abort-grace <duration>  wait so long before force (30s)
  --linger <duration>    how long to try to deliver the end (10s; 0.3s while the service does not answer)
  --spool-dir <folder>   where reports wait (HOLDFAST_SPOOL)
  --quiet                no line of our own

A duration is a number with s, m, h or d: 90s, 15m, 2h, 1d.
Exit codes: the command's own; 128 + N for signal N; 124 after --timeout; 125 for wrong use; 126 and 127 where the
command cannot be started.

Examples:
  $ holdfast run -- restic -r /srv/restic backup /srv/www
  $ holdfast run --operation "Dump of the shop" -- /usr/local/bin/backup.sh shop`;

const flags = {
  url: { type: "string" },
  "token-file": { type: "string" },
  renew: { type: "boolean" },
  ou: { type: "string" },
  monitor: { type: "string" },
  name: { type: "string" },
  category: { type: "string" },
  type: { type: "string" },
  entity: { type: "string" },
  operation: { type: "string" },
  host: { type: "string" },
  engine: { type: "string" },
  progress: { type: "string" },
  log: { type: "string" },
  timeout: { type: "string" },
  stall: { type: "string" },
  lease: { type: "string" },
  "abort-grace": { type: "string" },
  linger: { type: "string" },
  "spool-dir": { type: "string" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the command line. Undefined: the help was asked for. */
export function parseRunOptions(args: readonly string[], environment: Environment): RunOptions | undefined {
  const at = args.indexOf("--");
  const own = at < 0 ? args : args.slice(0, at);
  const command = at < 0 ? [] : args.slice(at + 1);
  const values = parseFlags(own);
  if (values.help) return undefined;
  if (command.length === 0) {
    throw new RunUsageError("Put the command behind --, such as: holdfast run -- restic backup /srv");
  }
  const seconds = (name: "lease" | "abort-grace", defaultSeconds: number, min: number, max: number) => {
    const given = values[name] === undefined ? defaultSeconds : parseDuration(name, values[name]) / 1000;
    if (given >= min && given <= max) return Math.round(given);
    throw new RunUsageError(`--${name} has to be ${min}s to ${max}s.`);
  };
  return {
    command,
    ...findToken(values["token-file"], values.url, environment),
    notes: othersCanRead(values["token-file"]),
    tokenFile: values["token-file"],
    shouldRenew: values.renew ?? false,
    unit: values.ou ?? environment.HOLDFAST_OU,
    // An empty variable is what scripts set to say nothing.
    monitor: values.monitor ?? (environment.HOLDFAST_MONITOR || undefined),
    operation: values.operation,
    host: hostOf(values.host ?? (environment.HOLDFAST_HOST || undefined)),
    name: values.name,
    category: oneOf("category", values.category, taskCategories),
    type: values.type,
    entity: values.entity === undefined ? undefined : parseEntity(values.entity),
    engine: oneOf("engine", values.engine, [...engineNames, "none"] as const),
    progress: oneOf("progress", values.progress, ["auto", "on", "off"] as const) ?? "auto",
    log: oneOf("log", values.log, ["auto", "all", "stderr", "none"] as const) ?? "auto",
    timeoutMs: values.timeout === undefined ? undefined : parseDuration("timeout", values.timeout) || undefined,
    stallMs: values.stall === undefined ? undefined : parseDuration("stall", values.stall) || undefined,
    leaseSeconds: seconds("lease", 180, 30, 86_400),
    abortGraceSeconds: seconds("abort-grace", 30, 5, 600),
    ...lingerOf(values.linger),
    spoolPath: values["spool-dir"] ?? defaultSpoolPath(environment),
    isQuiet: values.quiet ?? false,
  };
}

/** An explicit value applies whether the service answers or not. By default, nobody waits for an absent service. */
function lingerOf(given: string | undefined): Pick<RunOptions, "lingerMs" | "absentMs"> {
  if (given === undefined) return { lingerMs: 10_000, absentMs: 300 };
  const lingerMs = Math.min(parseDuration("linger", given), maxLingerMs);
  return { lingerMs, absentMs: lingerMs };
}

/** A day, in milliseconds. */
const maxLingerMs = 86_400_000;

/** A backup must not fail because a token is missing, so this says why, and the run is not reported. */
function findToken(
  file: string | undefined,
  givenUrl: string | undefined,
  environment: Environment,
): Pick<RunOptions, "token" | "tokenFault" | "url"> {
  const url = givenUrl ?? environment.HOLDFAST_URL;
  try {
    const { token, profileUrl } = readToken(file, url, environment);
    const place = file === undefined ? "in HOLDFAST_TOKEN, no --token-file and no profile for it" : `in ${file}`;
    const tokenFault = token === undefined ? `There is no token ${place}.` : undefined;
    return { token, tokenFault, url: profileUrl ?? url };
  } catch (error) {
    return { token: undefined, tokenFault: error instanceof Error ? error.message : String(error), url };
  }
}

/** Warns about a token file that every user of this host can read. */
function othersCanRead(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    let path = realpathSync(file);
    if ((statSync(path).mode & 0o004) === 0) return [];
    // A folder that others may not enter protects what is in it.
    for (let below = ""; path !== below && path !== "/"; ) {
      below = path;
      path = dirname(path);
      if ((statSync(path).mode & 0o001) === 0) return [];
    }
    return [`Every user of this host can read the token in ${file}. Run: chmod 600 ${file}`];
  } catch {
    // It cannot be looked at. Reading the token says why.
    return [];
  }
}

function parseFlags(args: readonly string[]) {
  if (args.some((arg) => /^--token(=|$)/.test(arg))) {
    throw new RunUsageError(
      "There is no --token: others would see it in the list of processes. Set HOLDFAST_TOKEN, or put the token into a file and name that with --token-file.",
    );
  }
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new RunUsageError(`${reason?.replace(/\.$/, "")}. See holdfast run --help, and put the command behind --.`);
  }
}

/** A token, and the address of the profile that it is from. */
export interface FoundToken {
  token: string | undefined;
  profileUrl?: string | undefined;
}

/** A token in a flag would be in the list of processes, so there is no such flag. Where none is given, a profile has it. */
export function readToken(file: string | undefined, url: string | undefined, environment: Environment): FoundToken {
  if (file === undefined) {
    const given = environment.HOLDFAST_TOKEN?.trim();
    if (given) return { token: given };
    const profile = findProfile(environment, url?.trim() || undefined);
    return { token: profile?.token, profileUrl: profile?.url };
  }
  try {
    return { token: readFileSync(file, "utf8").trim() || undefined };
  } catch (error) {
    throw new RunUsageError(`The token file cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/** The host is the first part of ids, so it has no slash. */
function hostOf(given: string | undefined): string {
  if (given === undefined) return cleanLine(hostname(), textLimits.runnerHost).replaceAll("/", "_") || "localhost";
  const host = cleanLine(given, textLimits.runnerHost);
  if (host !== "" && host === given.trim() && !host.includes("/")) return host;
  throw new RunUsageError(
    `The name of the host (--host, HOLDFAST_HOST) has to be one line of at most ${textLimits.runnerHost} characters without a slash, such as web-01.`,
  );
}

function parseEntity(text: string): { type: string; value: string } {
  const [, type = "host", value = ""] = /^(?:([a-z][a-z0-9_]*):)?(.+)$/s.exec(text) ?? [];
  if (value === "") throw new RunUsageError("--entity has to be a name, such as web-01 or database:shop.");
  return { type, value };
}

const durations = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

function parseDuration(flag: string, text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(s|m|h|d)?$/.exec(text) ?? [];
  const milliseconds = durations.get(unit);
  if (number === undefined || milliseconds === undefined)
    throw new RunUsageError(`--${flag} has to be a duration such as 90s, 15m, 2h or 1d, not "${text}".`);
  return Number(number) * milliseconds;
}

function oneOf<Word extends string>(flag: string, text: string | undefined, words: readonly Word[]): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  if (found === undefined) throw new RunUsageError(`--${flag} has to be one of ${words.join(", ")}, not "${text}".`);
  return found;
}
