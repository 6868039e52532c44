import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildRelease } from "../build-release";
import { workspace } from "../locked-packages";
import { ownTarget } from "../targets";

/** Ending and output of a command. */
export interface Ended {
  exitCode: number;
  output: string;
  errors: string;
}

/** An executable that was built for a test file. */
export interface BuiltExecutable {
  /** The folder of all that was built. */
  folder: string;
  path: string;
  /** An empty folder, which is removed with the executable. */
  makeFolder(): string;
  remove(): void;
}

/** Builds the executable of this machine. On a disk: it would take a lot of memory. */
export async function buildForTest(): Promise<BuiltExecutable> {
  const cache = join(workspace, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const all = mkdtempSync(join(cache, "holdfast-test-"));
  const folder = join(all, "dist");
  await buildRelease({ folder, targets: [ownTarget()], tell: () => {} });
  return {
    folder,
    path: join(folder, "holdfast"),
    makeFolder: () => mkdtempSync(join(all, "folder-")),
    remove: () => rmSync(all, { recursive: true, force: true }),
  };
}

/** Surroundings of a command: with nothing but this in its environment. */
export interface Surroundings {
  cwd: string;
  environment?: Record<string, string>;
}

/** Runs a command to its end. */
export async function run(command: readonly string[], { cwd, environment = {} }: Surroundings): Promise<Ended> {
  const child = Bun.spawn([...command], { cwd, env: environment, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, output, errors };
}

/** Makes a token for the data in the folder `data`. */
export async function createToken(executable: string, role: string, surroundings: Surroundings): Promise<string> {
  const creation = ["token", "create", "--data-dir", "data", "--kind", "service", "--name", "smoke", "--role", role];
  return (await run([executable, ...creation], surroundings)).output.trim();
}

/** A service that was started from an executable. */
export interface StartedService {
  baseUrl: string;
  pid: number;
  printed(): string;
  stop(): Promise<number>;
}

const startTimeoutMs = 60_000;

/** Starts a command that serves, and waits until it says so. */
export async function serve(command: readonly string[], surroundings: Surroundings): Promise<StartedService> {
  const file = join(surroundings.cwd, "printed.log");
  const child = Bun.spawn([...command], {
    cwd: surroundings.cwd,
    env: surroundings.environment ?? {},
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(file),
  });
  const printed = () => readFileSync(file, "utf8");
  const deadline = performance.now() + startTimeoutMs;
  while (child.exitCode === null && performance.now() < deadline) {
    const [, baseUrl] = /Holdfast serves ([^\s,]+)/.exec(printed()) ?? [];
    if (baseUrl !== undefined) {
      return {
        baseUrl,
        pid: child.pid,
        printed,
        stop() {
          child.kill("SIGINT");
          return child.exited;
        },
      };
    }
    await Bun.sleep(50);
  }
  child.kill("SIGKILL");
  throw new Error(`The service did not start: ${printed()}`);
}
