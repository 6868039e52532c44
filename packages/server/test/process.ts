import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RawSettings } from "../src/settings/settings";
import { commandLines } from "./built-programs";
import { holdDatabase, layTables } from "./folder-database";
import { type Answered, type Ask, makeFolder, openPlane, type Plane, readAnswer, unitHeaderName } from "./harness";
import { size } from "./runs";

const workspace = resolve(import.meta.dir, "../../..");
/** For what hangs, not for what is slow, in milliseconds: a machine may be slow, and have other tests to run. */
const startTimeoutMs = 60_000;
const commandTimeoutMs = size({ default: 120_000, long: 900_000 });

/** The token with which metrics say which process has answered, unless a test sets another one. */
export const metricsToken = "metrics of the tests";

/** Options of a process. */
export interface ProcessOptions {
  flags?: RawSettings;
  environment?: Record<string, string>;
  /** The data directory; a new temporary one where it is not said. */
  folder?: string;
  /** A command that starts the server's command instead of us: `["strace", "-f"]`. */
  under?: readonly string[];
  /** For what it waits less long than the real command: what the command line calls Timeouts. */
  timeouts?: {
    bodyArrival?: number;
    silenceSeconds?: number;
    finish?: number;
    leaseSecondMs?: number;
    countsByWallClock?: boolean;
    /** A file that says by how many milliseconds its wall clock is wrong. */
    clockFile?: string;
  };
}

/** A server that runs as a process of its own, as it does for its users. */
export interface ServerProcess {
  pid: number;
  port: number;
  baseUrl: string;
  folder: string;
  /** Everything that it has printed until now. */
  printed(): string;
  /** Sends a request over a real connection. */
  ask(path: string, ask?: Ask): Promise<Answered>;
  /** Opens the same data in this process, to make tokens and to change things behind the server's back. */
  openBeside(flags?: RawSettings): Promise<Plane>;
  /** Sends a signal and gives the exit code when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  /** Gives the exit code when it has ended by itself. */
  ended(): Promise<number>;
}

/** Ending of a process that was not to go on. */
export interface EndedProcess {
  exitCode: number;
  output: string;
  errors: string;
}

/**
 * Starts a server on a port that the system chooses and waits until it is ready. Where no folder is named, it finds all tables
 * made, and nothing in them.
 */
export async function startProcess(options: ProcessOptions = {}): Promise<ServerProcess> {
  const folder = options.folder ?? (await makeFolderWithTables());
  const printedFile = join(folder, `printed-${performance.now()}.log`);
  const printedTo = openSync(printedFile, "w", 0o600);
  const held = await holdDatabase(folder);
  const release = once(held.release);
  const child = Bun.spawn(serveCommand(folder, options), {
    cwd: workspace,
    stdin: "ignore",
    stdout: printedTo,
    stderr: printedTo,
    env: environmentOf(options, held.url),
  });
  closeSync(printedTo);
  const printed = () => readFileSync(printedFile, "utf8");
  const ended = async () => {
    const exitCode = await child.exited;
    await release();
    return exitCode;
  };
  const baseUrl = await waitUntilReady(child, () => addressIn(printed(), options.flags?.port), printed);
  const { port } = new URL(baseUrl);
  const ask: ServerProcess["ask"] = async (path, { method = "GET", token, accept, unit, headers = {}, body } = {}) => {
    const sent = new Headers(headers);
    if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
    if (accept !== undefined) sent.set("Accept", accept);
    if (unit !== undefined) sent.set(unitHeaderName, unit);
    if (body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
    const init = { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return readAnswer(await fetch(`http://127.0.0.1:${port}${path}`, init));
  };
  return {
    pid: child.pid,
    port: Number(port),
    baseUrl,
    folder,
    printed,
    ask,
    async openBeside(flags = {}) {
      const beside = await openPlane({ base_url: options.flags?.base_url ?? baseUrl, ...flags }, folder);
      // The process goes by the real time, so what is made for it has to, too.
      beside.clock.now = Date.now();
      return beside;
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended();
    },
    ended,
  };
}

async function makeFolderWithTables(): Promise<string> {
  const folder = makeFolder();
  await layTables(folder);
  return folder;
}

/** Starts a server that is expected to refuse, and gives what it said. */
export async function startInVain(options: ProcessOptions = {}): Promise<EndedProcess> {
  const folder = options.folder ?? makeFolder();
  const held = await holdDatabase(folder);
  const ended = await runToEnd(serveCommand(folder, options), environmentOf(options, held.url));
  await held.release();
  return ended;
}

/** Runs a command of the command line on a data directory. */
export async function runHoldfast(folder: string, args: readonly string[]): Promise<EndedProcess> {
  const held = await holdDatabase(folder);
  const where = ["--data-dir", folder];
  const ended = await runToEnd(
    [process.execPath, commandLines().default, ...args, ...where],
    environmentOf({}, held.url),
  );
  await held.release();
  return ended;
}

/** Does something the first time only. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

async function runToEnd(command: string[], environment: Record<string, string | undefined>): Promise<EndedProcess> {
  const child = Bun.spawn(command, {
    cwd: workspace,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: environment,
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), commandTimeoutMs);
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  clearTimeout(deadline);
  return { exitCode, output, errors };
}

function serveCommand(folder: string, { flags = {}, under = [], timeouts }: ProcessOptions): string[] {
  const { database_url, ...others } = flags;
  const settings = {
    port: "0",
    data_dir: folder,
    rate_limit: "0",
    log_level: "debug",
    drain_seconds: "0",
    ...others,
  };
  const flagged = Object.entries(settings).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, value]);
  const { default: normal, shortTimeouts } = commandLines();
  return [...under, process.execPath, timeouts ? shortTimeouts : normal, "serve", ...flagged];
}

/**
 * The environment without the tester's own settings, and without npm's, which has not started the server. It
 * has what may not be a flag: the addresses of databases, which may have a password in them, and a secret.
 */
function environmentOf(
  { flags = {}, environment = {}, timeouts }: ProcessOptions,
  databaseUrl: string,
): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOLDFAST|npm)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOLDFAST_DATABASE_URL: flags.database_url ?? databaseUrl,
    HOLDFAST_METRICS_TOKEN: metricsToken,
    TEST_TIMEOUTS: timeouts && JSON.stringify(timeouts),
    ...environment,
  };
}

/** Where a server listens that says it serves: on the port that it was given, else on the one that it says. */
function addressIn(printed: string, port?: string): string | undefined {
  const [, baseUrl] = /Holdfast serves (\S+),/.exec(printed) ?? [];
  return baseUrl === undefined || port === undefined ? baseUrl : `http://127.0.0.1:${port}`;
}

async function waitUntilReady(
  child: Bun.Subprocess,
  address: () => string | undefined,
  printed: () => string,
): Promise<string> {
  const deadline = performance.now() + startTimeoutMs;
  while (child.exitCode === null && performance.now() < deadline) {
    const baseUrl = address();
    if (baseUrl !== undefined && (await isReady(baseUrl))) return baseUrl;
    await Bun.sleep(20);
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not become ready: ${printed()}`);
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).status === 200;
  } catch {
    return false;
  }
}
