import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../until";
import { type Entry, readLedger } from "./ledger";
import { type Line, layLine } from "./line";
import type { RunnerOptions } from "./run-tasks";

const script = fileURLToPath(new URL("./run-tasks.ts", import.meta.url));

/** A runner of the tests: a process, its line and its ledger. */
export interface Runner {
  line: Line;
  /** True if its process lives. */
  isUp(): boolean;
  /** Starts its process, again where it was killed: with the same ledger. */
  start(): void;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Sends it a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Waits until it understands signals. */
  ready(): Promise<void>;
  /** Lets it end what it runs, and gives its exit code. */
  finish(): Promise<number>;
  entries(): Entry[];
}

export interface RunnerPlan extends Omit<RunnerOptions, "url" | "ledger"> {
  folder: string;
  name: string;
  /** The port of the service that a new connection goes to. */
  choose: () => number;
  /** The file with the certificate of the service, where it is reached by https. */
  certificate?: string;
}

function startsIn(entries: readonly Entry[]): number {
  return entries.filter(({ kind }) => kind === "started").length;
}

/** Makes a runner, and starts it. */
export async function startRunner({ folder, name, choose, certificate, ...plan }: RunnerPlan): Promise<Runner> {
  const line = await layLine(choose);
  const url = certificate === undefined ? line.url : line.url.replace("http:", "https:");
  const ledger = join(folder, `${name}.ledger`);
  let starts = 0;
  let before = 0;
  let child: Bun.Subprocess;

  function start(): void {
    const options: RunnerOptions = { ...plan, seed: plan.seed + 1_000_003 * starts, url, ledger };
    starts += 1;
    // One that was killed at once has not noted that it had started.
    before = startsIn(readLedger(ledger));
    child = Bun.spawn([process.execPath, script, JSON.stringify(options)], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    });
  }

  start();
  return {
    line,
    start,
    isUp: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    signal: (signal) => child.kill(signal),
    ready: () => until("the runner has started", () => startsIn(readLedger(ledger)) > before),
    async finish() {
      child.kill("SIGTERM");
      return child.exited;
    },
    entries: () => readLedger(ledger),
  };
}
