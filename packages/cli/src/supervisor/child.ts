import { spawn } from "node:child_process";
import { isExecutable } from "@holdfast/server/settings/executable";
import { type MetricsSnapshot, metricsSnapshot } from "@holdfast/server/telemetry/metrics-snapshot";
import { startInOurFolder } from "../callers-folder";
import {
  hasOthersVariable,
  lifeInterval,
  metricsRequest,
  processNumberVariable,
  type ReadyNews,
  sharedPortVariable,
} from "./parent";

/** Ending of a process. */
export interface End {
  /** Null where it did not end by itself, or did not even start. */
  exitCode: number | null;
  reason: string;
}

/** A process that answers requests, as its supervisor sees it. */
export interface Child {
  pid: number | undefined;
  /** Settled when it answers requests; never where it ends before. */
  ready: Promise<ReadyNews>;
  ended: Promise<End>;
  /** Settled when it has answered requests and gives no sign of life any more. */
  hung: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Handlers for the metrics of a process. */
export interface ChildMetrics {
  /** Notes that the process answers requests, and how it is asked for its metrics. */
  begin(ask: () => void): void;
  note(snapshot: MetricsSnapshot): void;
  /** Returns the metrics to add to the process's own. */
  collect(): Promise<MetricsSnapshot>;
}

/** Starts this very command once more, to answer requests on a port that it shares. Silent for so many seconds, it is stuck. */
export function startChild(
  port: number,
  hasOthers: boolean,
  number: number,
  silenceSeconds: number,
  metrics: ChildMetrics,
): Child {
  // The executable takes no code from the folder that it starts in.
  const { env, ...folder } = isExecutable ? { env: {} } : startInOurFolder();
  const child = spawn(process.execPath, ownArguments(), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    ...folder,
    env: {
      ...process.env,
      ...env,
      [sharedPortVariable]: String(port),
      [hasOthersVariable]: String(hasOthers),
      [processNumberVariable]: String(number),
    },
    // In a group of its own: Ctrl-C is for the supervisor, which hands it on.
    detached: true,
  });
  const ended = new Promise<End>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, reason: signal ?? `exit code ${exitCode}` }));
    child.once("error", (error) => resolve({ exitCode: null, reason: error.message }));
  });
  child.on("message", (message: unknown) => {
    if (isReadyNews(message)) metrics.begin(() => child.connected && child.send(metricsRequest, () => {}));
    const [told, asks] = [snapshotIn(message, "told"), snapshotIn(message, "asks")];
    if (told) metrics.note(told);
    if (!asks) return;
    metrics.note(asks);
    metrics.collect().then((gathered) => {
      // One that has gone meanwhile needs no answer.
      if (child.connected) child.send({ gathered }, () => {});
    });
  });
  return {
    pid: child.pid,
    ready: new Promise((resolve) => {
      child.on("message", (message: unknown) => {
        if (isReadyNews(message)) resolve(message);
      });
    }),
    ended,
    hung: new Promise((resolve) => {
      let silences: number | undefined;
      child.on("message", (message: unknown) => {
        if (isSignOfLife(message) || isReadyNews(message)) silences = 0;
      });
      // Looks are counted, not time: when the supervisor itself was held up, that is no fault of the process.
      const timer = setInterval(() => {
        if (silences === undefined) return;
        silences += 1;
        if (silences * lifeInterval < silenceSeconds * 1000) return;
        clearInterval(timer);
        resolve();
      }, lifeInterval);
      timer.unref();
      ended.then(() => clearInterval(timer));
    }),
    kill: (signal) => child.kill(signal),
  };
}

/** Arguments of this process, without the name of the program. */
function ownArguments(): string[] {
  // The executable is the program itself: the second argument is a name that only it knows.
  return isExecutable ? process.argv.slice(2) : [...process.execArgv, ...process.argv.slice(1)];
}

function isSignOfLife(message: unknown): boolean {
  return typeof message === "object" && message !== null && "alive" in message;
}

function snapshotIn(message: unknown, name: "told" | "asks"): MetricsSnapshot | undefined {
  if (typeof message !== "object" || message === null || !(name in message)) return undefined;
  return metricsSnapshot.safeParse(Reflect.get(message, name)).data;
}

function isReadyNews(message: unknown): message is ReadyNews {
  return (
    typeof message === "object" &&
    message !== null &&
    "port" in message &&
    typeof message.port === "number" &&
    "baseUrl" in message &&
    typeof message.baseUrl === "string" &&
    "hasTokens" in message &&
    typeof message.hasTokens === "boolean" &&
    "firstOwnerLink" in message &&
    (message.firstOwnerLink === null || typeof message.firstOwnerLink === "string")
  );
}
