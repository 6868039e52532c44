import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { databaseOn, settleDatabase } from "../../packages/server/test/database-on";
import type { Sent } from "../load/connection";
import { runHoldfast, type Served, serveHoldfast } from "./processes";

export type Headers = Record<string, string>;

/** Our service with data. */
export interface Ours {
  url: string;
  served: Served;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Milliseconds from each start to its first response. */
  startTimes: readonly number[];
  /** The header with a token of an owner. */
  owner: Headers;
  /** Makes a service token and gives the header that carries it. */
  tokenFor(role: keyof typeof defaultRoles, unitId?: string): Promise<Headers>;
}

interface Wanted {
  /** The folder of all data of the run. */
  folder: string;
  name: string;
  /** The number of demonstration tasks that it begins with; with 0, the database is empty. */
  tasks: number;
  port: number;
  processes: number;
  /** A PostgreSQL server for the database; without it, SQLite. */
  serverUrl: string | undefined;
  tell: (line: string) => void;
}

const starts = 3;

/** Makes the data unless it exists, and starts the service. */
export async function startOurs({ folder, name, tasks, port, processes, serverUrl, tell }: Wanted): Promise<Ours> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const database = serverUrl === undefined ? undefined : await databaseOn(serverUrl, `holdfast_bench_${name}`);
  const isThere = database ? database.isThere : await Bun.file(join(dataDir, "holdfast.db")).exists();
  const data = ["--data-dir", dataDir, ...(database ? ["--database-url", database.url] : [])];
  if (!isThere && tasks > 0) {
    const startedAt = performance.now();
    await runHoldfast(["demo", "--tasks", String(tasks), ...data]);
    if (database) await settleDatabase(database.url);
    tell(`${tasks.toLocaleString("en")} tasks were made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  }
  const start = () => serveHoldfast([...data, "--processes", String(processes)], join(dataDir, "service.log"), port);
  const startTimes: number[] = [];
  for (let time = 1; time < starts; time++) {
    const served = await start();
    startTimes.push(served.startTime);
    await served.stop();
  }
  const served = await start();
  const { url } = served;
  const token = await runHoldfast([
    "token",
    "create",
    "--kind",
    "service",
    "--role",
    "owner",
    "--name",
    "bench",
    ...data,
  ]);
  const owner = { Authorization: `Bearer ${token}` };
  let tokens = 0;
  return {
    url,
    served,
    dataDir,
    databaseUrl: database?.url,
    startTimes: [...startTimes, served.startTime],
    owner,
    async tokenFor(role, unitId) {
      const unit = unitId === undefined ? {} : { organizational_unit_id: unitId };
      const body = { name: `bench ${++tokens}`, kind: "service", role_id: defaultRoles[role].id, ...unit };
      const made: { token: string } = await fetchJson(url, postOf("/api-tokens", owner, body));
      return { Authorization: `Bearer ${made.token}` };
    },
  };
}

export const getOf = (path: string, headers: Headers): Sent => ({ method: "GET", path, headers });

export function postOf(path: string, headers: Headers, body: object, method = "POST"): Sent {
  return { method, path, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** A list with its query. */
export function listOf(path: string, headers: Headers, { filter, ...query }: Query): Sent {
  const given = { ...query, ...(filter ? { filter: JSON.stringify(filter) } : {}) };
  const words = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return getOf(`${path}?${words.join("&")}`, headers);
}

export interface Query {
  filter?: object;
  limit?: number;
  start?: number;
  sort?: string;
  interval?: string;
  time_zone?: string;
  group_by?: string;
}

/** Sends a request outside of a measurement and gives the body of its response. */
export async function fetchJson(url: string, { method, path, headers, body }: Sent) {
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text === "" ? undefined : JSON.parse(text);
}
