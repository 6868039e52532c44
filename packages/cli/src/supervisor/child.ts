import { spawn } from "node:child_process";
import { hasOthersVariable, type ReadyNews, sharedPortVariable } from "./parent";

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
  kill(signal: NodeJS.Signals): void;
}

/** Starts this very command once more, to answer requests on a port that it shares. */
export function startChild(port: number, hasOthers: boolean): Child {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, [sharedPortVariable]: String(port), [hasOthersVariable]: String(hasOthers) },
    // In a group of its own: Ctrl-C is for the supervisor, which hands it on.
    detached: true,
  });
  return {
    pid: child.pid,
    ready: new Promise((resolve) => {
      child.on("message", (message: unknown) => {
        if (isReadyNews(message)) resolve(message);
      });
    }),
    ended: new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, reason: signal ?? `exit code ${exitCode}` }));
      child.once("error", (error) => resolve({ exitCode: null, reason: error.message }));
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
