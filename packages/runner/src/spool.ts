import { connect } from "@holdfast/client";
import { type DrainResult, drainSpool } from "./run/drain-spool";
import { readToken } from "./run/run-options";
import { takeOverSpoolFile } from "./spool/spool-file";
import { defaultSpoolPath, openSpoolFolder } from "./spool/spool-folder";
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
  /** The address of the service that it is meant for; empty where the file cannot be looked into. */
  baseUrl: string;
}

/** Lists the runs whose reports wait here, oldest first. */
export function listSpool(environment: Environment, path = defaultSpoolPath(environment)): WaitingRun[] {
  const system = loadSystemCalls();
  return openSpoolFolder(path)
    .entries()
    .map(({ taskId, path: file, bytes, modifiedMs }) => {
      const facts = { taskId, bytes, since: new Date(modifiedMs).toISOString() };
      try {
        const taken = takeOverSpoolFile(file, system);
        void taken?.file.close();
        const begin = taken?.contents.begin;
        const type = (begin?.operation === "create" ? begin.body.type : undefined) ?? "";
        const baseUrl = taken?.contents.header.base_url ?? "";
        return { ...facts, type, state: taken ? "waiting" : "running", baseUrl };
      } catch {
        return { ...facts, type: "", state: "unreadable", baseUrl: "" };
      }
    });
}

export interface DeliverOptions {
  folder?: string | undefined;
  url?: string | undefined;
  tokenFile?: string | undefined;
  /** An address that the service had before. */
  from?: string | undefined;
}

export interface SpoolDelivery {
  results: Map<string, DrainResult>;
  /** The addresses of services for which something is left. */
  elsewhere: ReadonlySet<string>;
}

/** Delivers what waits here; undefined where there is no token. */
export async function deliverSpool(
  environment: Environment,
  options: DeliverOptions,
): Promise<SpoolDelivery | undefined> {
  const url = options.url ?? environment.HOLDFAST_URL;
  const { token, profileUrl } = readToken(options.tokenFile, url, environment);
  if (token === undefined) return undefined;
  const root = connect({ token, baseUrl: profileUrl ?? url });
  const elsewhere = new Set<string>();
  const results = await drainSpool({
    clientIn: (unit) => (unit === undefined ? root : root.in(unit)),
    folder: openSpoolFolder(options.folder ?? defaultSpoolPath(environment)),
    system: loadSystemCalls(),
    signal: new AbortController().signal,
    warn: (message) => process.stderr.write(`holdfast: ${message}\n`),
    formerUrl: options.from?.replace(/\/+$/, ""),
    onElsewhere: (baseUrl) => elsewhere.add(baseUrl),
  });
  return { results, elsewhere };
}
