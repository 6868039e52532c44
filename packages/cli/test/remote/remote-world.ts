import { join, resolve } from "node:path";
import { type RunningService, startService } from "@holdfast/server/start/start-service";
import { settingsIn } from "../changed-world";
import { type CommandLine, type Ended, openCommandLine } from "../open-command-line";

/** A real service on made-up data, and a person beside it who uses the command line. */
export interface RemoteWorld {
  commandLine: CommandLine;
  service: RunningService;
  url: string;
  owner: string;
  /** A token with another role. */
  tokenFor(role: string, ...more: string[]): Promise<string>;
  /** Runs a command in this process, with the token of the owner unless another environment is given. */
  run(args: readonly string[], environment?: Record<string, string>): Promise<Ended>;
  /** Runs a command that has to succeed, and gives its result without the last line end. */
  result(...args: string[]): Promise<string>;
  /** Starts the real program on a terminal. */
  onTerminal(args: readonly string[], options?: TerminalOptions): TerminalRun;
  close(): Promise<void>;
}

export interface TerminalOptions {
  environment?: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** The real program on a pseudo-terminal. */
export interface TerminalRun {
  /** All that it has written. */
  written(): string;
  /** Waits until it has written something. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  pid: number;
  exited: Promise<number>;
}

const main = resolve(import.meta.dir, "../../src/main.ts");
const maxWaitMs = 60_000;
const silent = { debug() {}, info() {}, warn() {}, error() {}, flush() {} };

/** Makes data of so many tasks, and serves it on a port of its own. */
export async function openRemoteWorld({ tasks }: { tasks: number }): Promise<RemoteWorld> {
  const commandLine = openCommandLine({ isEmpty: true });
  const { data, runHere, folder } = commandLine;
  await runHere(["demo", "--users", "5", "--tasks", String(tasks)]);
  const settings = { ...settingsIn(data, { port: "0", rate_limit: "0" }), base_url: undefined };
  const service = await startService(settings, { log: silent, onBroken: () => {} });
  const url = service.baseUrl;
  const tokenFor = async (role: string, ...more: string[]) => {
    const made = await runHere([
      "token",
      "create",
      "--local",
      "--kind",
      "service",
      "--name",
      role,
      "--role",
      role,
      ...more,
    ]);
    return made.stdout.trim();
  };
  const owner = await tokenFor("owner");
  const environment = { HOLDFAST_TOKEN: owner };
  const run = (args: readonly string[], given: Record<string, string> = environment) => runHere(args, given);
  return {
    commandLine,
    service,
    url,
    owner,
    tokenFor,
    run,
    async result(...args) {
      const ended = await run(args);
      if (ended.exitCode !== 0)
        throw new Error(`holdfast ${args.join(" ")} ended with ${ended.exitCode}: ${ended.stderr}`);
      return ended.stdout.replace(/\n$/, "");
    },
    onTerminal: (args, { environment: given = environment, columns = 120, rows = 30 } = {}) => {
      const decoder = new TextDecoder();
      let text = "";
      const closed = Promise.withResolvers<void>();
      const child = Bun.spawn([process.execPath, "--config=/dev/null", "--no-env-file", main, ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, TERM: "xterm", LC_ALL: "C.UTF-8", ...given },
        terminal: {
          cols: columns,
          rows,
          data: (_, bytes) => (text += decoder.decode(bytes, { stream: true })),
          exit: () => closed.resolve(),
        },
      });
      return {
        written: () => text,
        async until(wanted) {
          const deadline = performance.now() + maxWaitMs;
          while (!text.includes(wanted)) {
            if (performance.now() > deadline) throw new Error(`It did not write ${wanted}: ${JSON.stringify(text)}`);
            await Bun.sleep(10);
          }
        },
        type: (keys) => void child.terminal?.write(keys),
        pid: child.pid,
        // All output has arrived once the terminal is closed.
        exited: Promise.all([child.exited, closed.promise]).then(([code]) => code),
      };
    },
    async close() {
      await service.stop({ drainSeconds: 0 });
      commandLine.remove();
    },
  };
}

/** The file of the profiles of the person. */
export function profilesFile({ commandLine }: RemoteWorld): string {
  return join(commandLine.folder, ".config/holdfast/profiles.json");
}
