import { spawn } from "node:child_process";
import { hasOthersVariable, lifeInterval, type ReadyNews, sharedPortVariable, signOfLife } from "./parent";

/** How a process ended. */
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

/** Starts this very command once more, to answer requests on a port that it shares. Silent for so many seconds, it is stuck. */
export function startChild(port: number, hasOthers: boolean, silenceSeconds: number): Child {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, [sharedPortVariable]: String(port), [hasOthersVariable]: String(hasOthers) },
    // In a group of its own: Ctrl-C is for the supervisor, which hands it on.
    detached: true,
  });
  const ended = new Promise<End>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, reason: signal ?? `exit code ${exitCode}` }));
    child.once("error", (error) => resolve({ exitCode: null, reason: error.message }));
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
        if (message === signOfLife || isReadyNews(message)) silences = 0;
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
