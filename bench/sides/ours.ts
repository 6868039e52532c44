import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { databaseOn, settleDatabase } from "../../packages/server/test/database-on";
import { runHoldfast, type Served, serveHoldfast } from "./processes";
import { ampersands, type Side } from "./side";

/** Our service with data, and how to ask it. */
export interface Ours extends Side {
  served: Served;
  /** Milliseconds from a start to its first answer, of each time that it was started. */
  startTimes: readonly number[];
  dataDir: string;
  databaseUrl: string | undefined;
  /** The header that carries a token of an operator. */
  headers: Record<string, string>;
  /** Makes a service token with a role, in the root or in a unit, and gives the header that carries it. */
  headersOf(role: string, unitId?: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

export interface Wanted {
  /** Where all data of the run is. */
  folder: string;
  name: string;
  /** How many demonstration tasks it begins with; none, and the database is empty. */
  tasks: number;
  port: number;
  processes?: number;
  /** A PostgreSQL server to make the database on; SQLite without it. */
  serverUrl?: string | undefined;
  /** The first process of that server, whose processor time counts as ours. */
  serverPid?: number | undefined;
  tell: (line: string) => void;
}

/** How often the service is started to see how long that takes. */
const starts = 3;

const newTask = JSON.stringify({ category: "backup", type: "bench_report", lease_seconds: 600 });

/** Makes the data unless it is there, and starts the service on it. */
export async function startOurs(wanted: Wanted): Promise<Ours> {
  const { folder, name, tasks, port, processes = 1, serverUrl, serverPid, tell } = wanted;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const database = serverUrl === undefined ? undefined : await databaseOn(serverUrl, `holdfast_bench_${name}`);
  const isThere = database ? database.isThere : await Bun.file(join(dataDir, "holdfast.db")).exists();
  const data = ["--data_dir", dataDir, ...(database ? ["--database_url", database.url] : [])];
  const startedAt = performance.now();
  if (!isThere && tasks > 0) {
    await runHoldfast(["demo", "--tasks", String(tasks), ...data]);
    if (database) await settleDatabase(database.url);
    tell(`${tasks.toLocaleString("en")} tasks were made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  }
  const settings = [...data, "--processes", String(processes)];
  const start = () => serveHoldfast(settings, join(dataDir, "service.log"), port);
  const startTimes: number[] = [];
  for (let time = 1; time < starts; time++) {
    const served = await start();
    startTimes.push(served.startTime);
    await served.stop();
  }
  const served = await start();
  startTimes.push(served.startTime);
  const headersOf: Ours["headersOf"] = async (role, unitId) => {
    const kind = ["--kind", "service", "--role", role, "--name", "bench", ...(unitId ? ["--ou", unitId] : [])];
    return { Authorization: `Bearer ${await runHoldfast(["token", "create", ...kind, ...data])}` };
  };
  const headers = await headersOf("operator");
  return {
    name: "ours",
    url: served.url,
    pids: [served.pid, ...(serverPid === undefined ? [] : [serverPid])],
    tasks,
    served,
    startTimes,
    dataDir,
    databaseUrl: database?.url,
    headers,
    headersOf,
    ...requestsOf(headers),
    stop: served.stop,
  };
}

/** How our service is asked with a token. */
export function requestsOf(headers: Record<string, string>): Pick<Side, "list" | "one" | "create"> {
  return {
    list({ start = 1, filter, spelling = 0 }) {
      // Never two of them side by side, where one more here would look like one more there.
      const [first, second, third, fourth] = ampersands(spelling);
      const filtered = filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}${fourth}` : "";
      const path = `/tasks?${first}limit=100${second}&start=${start}${third}${filtered}`;
      return { method: "GET", path, headers };
    },
    one: (id) => ({ method: "GET", path: `/tasks/${id}`, headers }),
    create: () => ({
      method: "POST",
      path: "/tasks",
      headers: { ...headers, "Content-Type": "application/json" },
      body: newTask,
    }),
  };
}

/** Gets the answer to a request as text. */
export async function fetchText({ url }: Side, sent: ReturnType<Side["list"]>): Promise<string> {
  const { method, path, headers, body } = sent;
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}
