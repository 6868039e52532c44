import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Ending and output of a command. */
export interface EndedRun {
  exitCode: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: Buffer;
}

export interface StartOptions {
  cwd?: string;
  environment?: Record<string, string>;
  stdin?: Buffer | "ignore";
  /** A command that starts it instead of us. */
  under?: readonly string[];
}

const main = resolve(import.meta.dir, "../../src/main.ts");

/** Command that starts the runner, as the installed command does; or an executable that was built, where its path is given. */
export const holdfast: readonly string[] = process.env.HOLDFAST_TEST_EXECUTABLE
  ? [process.env.HOLDFAST_TEST_EXECUTABLE]
  : [process.execPath, "--config=/dev/null", "--no-env-file", main];

/** An address at which no service is: connections to it are refused. */
const nowhere = "http://127.0.0.1:9";

/** `holdfast run` without a service, and without a word of its own. */
export function runnerOf(spool: string, ...flags: string[]): string[] {
  return [...holdfast, "run", "--url", nowhere, "--spool-dir", spool, "--linger", "0s", "--quiet", ...flags, "--"];
}

/** A folder for one test file, in which everybody may write. */
export function makeRunFolder(): { path: string; spool: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "holdfast-run-"));
  chmodSync(path, 0o777);
  mkdirSync(join(path, "home"), { mode: 0o777 });
  chmodSync(join(path, "home"), 0o777);
  return { path, spool: join(path, "spool"), remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a command without the tester's own settings. */
export function start(
  argv: readonly string[],
  { cwd, environment = {}, stdin = "ignore", under = [] }: StartOptions = {},
) {
  return Bun.spawn([...under, ...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      PATH: process.env.PATH,
      HOME: join(cwd ?? tmpdir(), "home"),
      LC_ALL: "C.UTF-8",
      HOLDFAST_TOKEN: "no-token",
      ...environment,
    },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

export type Started = ReturnType<typeof start>;

export async function endOf(child: Started): Promise<EndedRun> {
  const [stdout, stderr] = await Promise.all([child.stdout.bytes(), child.stderr.bytes(), child.exited]);
  return {
    exitCode: child.exitCode,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
  };
}

/** Runs a command to its end. */
export function run(argv: readonly string[], options: StartOptions = {}): Promise<EndedRun> {
  return endOf(start(argv, options));
}

/** Waits until something is there. */
export async function until<Found>(
  find: () => Found | Promise<Found>,
  timeoutMs = 60_000,
): Promise<NonNullable<Found>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`It did not come within ${timeoutMs} ms: ${find}`);
    await Bun.sleep(25);
  }
}

/** The spool files that wait in a folder. */
export function spooled(spool: string): string[] {
  try {
    return readdirSync(spool).filter((name) => name.endsWith(".ndjson"));
  } catch {
    return [];
  }
}

/** True if a process runs: a zombie does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const status = Bun.file(`/proc/${pid}/stat`);
  const text = await status.text().catch(() => "");
  return text !== "" && !/\) [ZX] /.test(text);
}
