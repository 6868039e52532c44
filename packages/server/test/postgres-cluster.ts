import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { processesIn, signalAll } from "./folder-processes";
import { findPostgresPrograms, type PostgresPrograms } from "./postgres-programs";
import { findSteadyPort } from "./steady-port";

const user = "holdfast";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 60_000;

/** Default settings of every cluster: safe as in production (fsync stays on), but small, and able to have replicas. */
const defaultSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  // In the data folder, so that it goes with it.
  dynamic_shared_memory_type: "mmap",
  wal_level: "replica",
  max_wal_senders: "5",
  max_wal_size: "128MB",
  // So that a replica which was paused finds what it has missed.
  wal_keep_size: "256MB",
  hot_standby: "on",
};

/** A PostgreSQL server of its own in a temporary folder. */
export interface Cluster {
  port: number;
  folder: string;
  /** The process that all others of the server come from. */
  pid(): number;
  url(database?: string): string;
  /** Runs one statement on a connection of its own and gives the rows. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Makes an empty database and gives its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Shuts down: "fast" ends connections and writes everything out, "immediate" leaves that to the next start. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Kills the first process and waits until the others have noticed and are gone. */
  kill(): Promise<void>;
  /** Starts again on the same port and waits until connections are accepted. */
  start(): Promise<void>;
  /** Stops every process where it stands: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Makes a streaming replica of it, a cluster of its own. */
  makeReplica(settings?: Record<string, string>): Promise<Cluster>;
  /** Makes a primary of a replica and waits until it takes writes. */
  promote(): Promise<void>;
  /** Ends whatever runs and deletes the folder. */
  remove(): Promise<void>;
  /** Log of the server. */
  logged(): string;
}

/**
 * Starts a new and empty cluster, on disk unless another folder is named to make its own in. In a run of all tests it is a
 * copy of what was prepared once, with the same identity as all others: to copy takes a twentieth of the time of initdb.
 */
export function startCluster(
  settings: Record<string, string> = {},
  { parent = tmpdir(), origin = process.env.HOLDFAST_TEST_CLUSTER }: { parent?: string; origin?: string } = {},
): Promise<Cluster> {
  return createCluster(parent, settings, origin === undefined ? initdb : copyOf(origin));
}

/** Prepares the data folder of a cluster in a folder, to be copied by those that start, and gives its path. */
export async function prepareOrigin(parent: string): Promise<string> {
  const programs = findPostgresPrograms();
  const folder = makeOwnFolder(programs, parent);
  const data = join(folder, "data");
  await runCommand(programs, folder, initdb(programs, data));
  return data;
}

/** The command that fills a new data folder. */
type Filling = (programs: PostgresPrograms, data: string) => string[];

const initdb: Filling = (programs, data) =>
  programs.command("initdb", [
    "--auth=trust",
    "--encoding=UTF8",
    "--no-locale",
    "--no-sync",
    `--username=${user}`,
    `--pgdata=${data}`,
  ]);

const copyOf =
  (origin: string): Filling =>
  (programs, data) =>
    programs.asOwner(["cp", "-R", origin, data]);

function makeOwnFolder({ owner }: PostgresPrograms, parent: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, "holdfast-postgres-")));
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

async function createCluster(parent: string, settings: Record<string, string>, filling: Filling): Promise<Cluster> {
  const programs = findPostgresPrograms();
  const folder = makeOwnFolder(programs, parent);
  const remover = startRemover(folder);
  try {
    const data = join(folder, "data");
    const port = await findSteadyPort();
    await runCommand(programs, folder, filling(programs, data));
    const all = Object.entries({ ...defaultSettings, port: String(port), ...settings });
    // The last line for a setting holds, so a replica can differ from the primary that it was copied from.
    appendFileSync(join(data, "postgresql.conf"), all.map(([name, value]) => `${name} = '${value}'\n`).join(""));
    const cluster = openCluster(programs, folder, port, remover);
    await cluster.start();
    return cluster;
  } catch (error) {
    await remover.remove();
    throw error;
  }
}

function openCluster(programs: PostgresPrograms, folder: string, port: number, remover: Remover): Cluster {
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  let server: Bun.Subprocess | undefined;

  const url = (database = "postgres") => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const logged = () => readFileSync(logFile, "utf8");
  const query: Cluster["query"] = (sql, database) => queryOnce(url(database), sql);
  const running = () => {
    if (server === undefined) throw new Error("The cluster does not run. Start it first.");
    return server;
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = running();
    server = undefined;
    ending.kill(signal);
    await ending.exited;
    await waitUntil(stopTimeoutMs, "end", async () => processesIn(data).length === 0);
  };

  const cluster: Cluster = {
    port,
    folder,
    pid: () => running().pid,
    url,
    query,
    logged,
    async createDatabase(name = `database_${crypto.randomUUID().slice(0, 8)}`) {
      await query(`create database "${name}"`);
      return url(name);
    },
    stop: (mode = "fast") => end(mode === "fast" ? "SIGINT" : "SIGQUIT"),
    kill: () => end("SIGKILL"),
    async start() {
      if (server !== undefined) throw new Error("The cluster runs already.");
      // Nobody is left of the server that wrote it, but its number may have gone to another process since.
      rmSync(join(data, "postmaster.pid"), { force: true });
      const log = openSync(logFile, "a");
      const starting = Bun.spawn(programs.command("postgres", ["-D", data]), {
        cwd: folder,
        stdio: ["ignore", log, log],
        env: programs.environment,
        // Out of reach of an interrupt at the terminal.
        detached: true,
      });
      closeSync(log);
      server = starting;
      await waitUntil(startTimeoutMs, "start", async () => {
        if (starting.exitCode !== null) throw new Error(`PostgreSQL ended at once: ${logged()}`);
        return answers(url());
      });
    },
    pause() {
      // First the one that starts others, so that none is missed.
      process.kill(running().pid, "SIGSTOP");
      signalAll(processesIn(data), "SIGSTOP");
    },
    resume: () => signalAll(processesIn(data), "SIGCONT"),
    makeReplica: (settings = {}) =>
      createCluster(tmpdir(), settings, (_, replicaData) =>
        programs.command("pg_basebackup", [
          "--checkpoint=fast",
          "--no-sync",
          "--write-recovery-conf",
          `--dbname=${url()}`,
          `--pgdata=${replicaData}`,
        ]),
      ),
    async promote() {
      await query("select pg_promote(true, 60)");
      const isWritable = async () => (await query("select pg_is_in_recovery() as waits"))[0]?.waits === false;
      await waitUntil(startTimeoutMs, "become a primary", isWritable);
    },
    async remove() {
      server = undefined;
      await remover.remove();
    },
  };
  return cluster;
}

/** Removes a folder, and ends what runs in it. */
export interface Remover {
  remove(): Promise<void>;
}

/** Starts what removes a folder with a cluster in `data`, on demand or when this process is no more. */
export function startRemover(folder: string): Remover {
  const script = fileURLToPath(new URL("./remove-postgres-cluster.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, script, folder], {
    cwd: tmpdir(),
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  // The tests may end without it; it notices.
  child.unref();
  return {
    async remove() {
      child.stdin.end();
      await child.exited;
    },
  };
}

async function runCommand({ environment }: PostgresPrograms, folder: string, command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], env: environment });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${errors}`);
}

async function waitUntil(longest: number, aim: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + longest; performance.now() < deadline; await Bun.sleep(20)) {
    if (await isSo()) return;
  }
  throw new Error(`PostgreSQL did not ${aim} within ${longest / 1000} s.`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await queryOnce(url, "select 1");
    return true;
  } catch {
    return false;
  }
}

async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
