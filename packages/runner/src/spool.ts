import { connect } from "@holdfast/client";
import { deliverLeftovers, type LeftoverResult } from "./run/deliver-leftovers";
import { readToken } from "./run/run-options";
import { takeOverSpoolFile } from "./spool/spool-file";
import { openSpoolFolder, usualSpoolPath } from "./spool/spool-folder";
import { loadSystemCalls } from "./system/libc";

type Environment = Readonly<Record<string, string | undefined>>;

/** A run whose reports wait. */
export interface WaitingRun {
  taskId: string;
  type: string;
  /** When it was last written to, as a timestamp. */
  since: string;
  bytes: number;
  state: "running" | "waiting" | "unreadable";
}

/** Lists the runs whose reports wait here, oldest first. */
export function listSpool(environment: Environment, path = usualSpoolPath(environment)): WaitingRun[] {
  const system = loadSystemCalls();
  return openSpoolFolder(path)
    .entries()
    .map(({ taskId, path: file, bytes, modifiedMs }) => {
      const facts = { taskId, bytes, since: new Date(modifiedMs).toISOString() };
      try {
        const taken = takeOverSpoolFile(file, system);
        void taken?.file.close();
        const begin = taken?.contents.begin;
        const type = begin?.operation === "create" ? begin.body.type : "";
        return { ...facts, type, state: taken ? "waiting" : "running" };
      } catch {
        return { ...facts, type: "", state: "unreadable" };
      }
    });
}

export interface DeliverOptions {
  folder?: string | undefined;
  url?: string | undefined;
  tokenFile?: string | undefined;
}

/** Delivers what waits here; undefined where there is no token. */
export async function deliverSpool(
  environment: Environment,
  options: DeliverOptions,
): Promise<Map<string, LeftoverResult> | undefined> {
  const token = readToken(options.tokenFile, environment);
  if (token === undefined) return undefined;
  const root = connect({ token, baseUrl: options.url ?? environment.HOLDFAST_URL });
  return deliverLeftovers({
    clientIn: (unit) => (unit === undefined ? root : root.in(unit)),
    folder: openSpoolFolder(options.folder ?? usualSpoolPath(environment)),
    system: loadSystemCalls(),
    signal: new AbortController().signal,
    warn: (message) => process.stderr.write(`holdfast: ${message}\n`),
  });
}
