import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Client } from "pg";
import { type Cluster, startCluster } from "./postgres-cluster";

const memory = "/dev/shm";
const enoughMemory = 2 * 1024 ** 3;

/** A database for one test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Where test databases are made. */
interface Server {
  /** A database from which others can be created. */
  url: string;
  /** Prefix of the names of all databases of this run. */
  prefix: string;
  /** True if somebody removes the template when the run is over. */
  mayHaveTemplate: boolean;
  /** Strategy by which a template is copied. */
  strategy: "wal_log" | "file_copy";
}

let server: Promise<Server> | undefined;
let steadyClient: Promise<Client> | undefined;
let template: Promise<string> | undefined;

/** True if tests that can run on both databases are to run on PostgreSQL. */
export function testsOnPostgres(): boolean {
  return process.env.HOLDFAST_TEST_ON === "postgres";
}

/**
 * Makes a database on the server that HOLDFAST_TEST_DATABASE_URL names, or on one that is started for this process. It
 * is a copy of a template, which is prepared once per run: copying takes less time than migrating.
 */
export async function createTestDatabase(prepareTemplate?: (url: string) => Promise<void>): Promise<TestDatabase> {
  server ??= findServer();
  const { url, prefix, mayHaveTemplate, strategy } = await server;
  const name = `${prefix}${crypto.randomUUID().replaceAll("-", "")}`;
  let origin = "template1";
  if (mayHaveTemplate && prepareTemplate !== undefined) {
    template ??= makeTemplate(url, `${prefix}template`, prepareTemplate);
    origin = await template;
  }
  const client = await connectOnce(url);
  await client.query(`create database ${name} template ${origin} strategy ${strategy}`);
  return { url: urlOf(url, name), drop: async () => dropDatabase(await connectOnce(url), name) };
}

/** Drops what a run has left on a server that goes on: its template, and databases of tests that were cut short. */
export async function dropDatabasesOfRun(url: string, run: string): Promise<void> {
  await withClient(url, async (client) => {
    const left = "select datname from pg_database where starts_with(datname, $1)";
    const { rows } = await client.query<{ datname: string }>(left, [prefixOf(run)]);
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}

async function findServer(): Promise<Server> {
  const given = process.env.HOLDFAST_TEST_DATABASE_URL;
  const run = process.env.HOLDFAST_TEST_RUN;
  const prefix = prefixOf(run ?? crypto.randomUUID().slice(0, 8));
  const url = given ? given : (await startTestServer()).url();
  return { url, prefix, mayHaveTemplate: !given || run !== undefined, strategy: await strategyOn(url) };
}

/** Copying files waits for checkpoints: that takes half the time of writing pages to the log in memory, and longer on a disk. */
async function strategyOn(url: string): Promise<Server["strategy"]> {
  const { rows } = await withClient(url, (client) => client.query("show data_directory"));
  return String(rows[0]?.data_directory).startsWith(memory) ? "file_copy" : "wal_log";
}

/** Starts a server for test databases. Nobody has to stop it: it goes when this process does. */
export function startTestServer(origin?: string): Promise<Cluster> {
  // No replica follows it, so less has to be written to its log.
  const settings = { max_connections: "400", wal_level: "minimal", max_wal_senders: "0" };
  return startCluster(settings, { parent: quickFolder(), ...(origin === undefined ? {} : { origin }) });
}

/** In memory, where a flush costs nothing, a database is made ten times as fast. A container may have little of it. */
export function quickFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory ? memory : tmpdir();
}

/** Makes the template unless another process of this run has done so. */
async function makeTemplate(url: string, name: string, prepare: (url: string) => Promise<void>): Promise<string> {
  await withClient(url, async (client) => {
    // Held until the connection ends.
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    const unfinished = `${name}_unfinished`;
    await dropDatabase(client, unfinished);
    await client.query(`create database ${unfinished}`);
    await prepare(urlOf(url, unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
}

function prefixOf(run: string): string {
  return `holdfast_test_${run}_`;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Gives a connection that stays for the next one who asks: to connect takes as long as to drop a database. */
function connectOnce(url: string): Promise<Client> {
  steadyClient ??= (async () => {
    const client = new Client({ connectionString: url, keepAlive: true });
    const forget = () => {
      steadyClient = undefined;
    };
    client.on("error", forget).on("end", forget);
    await client.connect();
    return client;
  })();
  return steadyClient;
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
