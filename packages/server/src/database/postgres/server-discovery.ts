import { Socket } from "node:net";
import { Client, type ClientConfig, Pool } from "pg";
import { withTimeout } from "../common/with-timeout";
import { DatabaseUnavailable } from "../errors";
import { parserOf } from "./column-values";
import { isLostConnection, reasonOf } from "./errors";
import { findPassword } from "./password";
import { askHistory, choosePrimary, type History } from "./primary";
import { readEncryption } from "./tls";
import { readPostgresUrl, type ServerAddress } from "./url";

/** The way to one server: everything that goes along it can be cut off at once. */
export interface Route {
  openPool(options: PoolOptions): Pool;
  /** Closes every connection at once, whatever it is doing. */
  cut(): void;
}

export interface PoolOptions {
  connections: number;
  /** Timeout of a statement, in milliseconds; 0 means none. */
  statementTimeout: number;
}

/** A server that was looked for, with a connection to it. */
export interface FoundServer {
  client: Client;
  route: Route;
  /** Its host and port. */
  place: string;
}

/** The ways to all servers that an address names. */
export interface ServerDiscovery {
  /** True if the address names more than one. */
  areSeveral: boolean;
  /** Connects to the one that can be written to. */
  findPrimary(): Promise<FoundServer>;
}

type Role = "primary" | "replica" | "read-only";

/** Result of probing one server. */
type ProbeResult = { place: string } & (
  | { role: Role; client: Client; route: Route; history: History | undefined }
  | { failure: unknown }
);

/** Timeout of connecting while requests wait for it, in milliseconds. */
const servingConnectTimeoutMs = 900;
/** Additional time for the other servers once a suitable one was found, in milliseconds. */
const grace = 500;
/** Time beyond the server's own limit after which the connection of a statement counts as dead. */
const silence = 750;
const idleTransactionTimeoutMs = 60_000;

/** Finds the ways to all servers that an address names. Connecting, or waiting for a free connection, may take so long. */
export function createServerDiscovery(url: string, connectTimeout = servingConnectTimeoutMs): ServerDiscovery {
  const servers = readPostgresUrl(url);
  // Errors in the address are reported before connecting.
  servers.forEach(readEncryption);
  const areSeveral = servers.length > 1;
  let newest: History | undefined;

  /** Looks at all servers at once, and gives what was found in the order of the address. */
  async function probeAll(): Promise<ProbeResult[]> {
    const endpoints = servers.map((server) => openEndpoint(server));
    const results = endpoints.map(
      ({ place }): ProbeResult => ({ place, failure: new DatabaseUnavailable("The database does not answer.") }),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      let left = endpoints.length;
      for (const [index, endpoint] of endpoints.entries()) {
        void probeServer(endpoint, connectTimeout, areSeveral).then((result) => {
          results[index] = result;
          left -= 1;
          if (left === 0) resolve();
          else if ("role" in result && result.role === "primary") timer ??= setTimeout(resolve, grace);
        });
      }
    });
    clearTimeout(timer);
    // Without waiting for them to say goodbye: they may be about to fall silent.
    for (const [index, result] of [...results].entries()) {
      if (!("role" in result) || result.role !== "primary") endpoints[index]?.cut();
    }
    return [...results];
  }

  async function findPrimary(): Promise<FoundServer> {
    const results = await probeAll();
    const candidates = results.flatMap((result) => ("role" in result && result.role === "primary" ? [result] : []));
    try {
      const chosen = choosePrimary(candidates, newest);
      if (!chosen) throw describeNoPrimary(results);
      newest = chosen.history;
      for (const other of candidates) if (other !== chosen) other.route.cut();
      return chosen;
    } catch (error) {
      for (const { route } of candidates) route.cut();
      throw error;
    }
  }

  return { areSeveral, findPrimary };
}

/** Why none of the servers would do. If none has answered, report that: preferably a refusal, else a timeout. */
function describeNoPrimary(results: ProbeResult[]): unknown {
  const failures = results.flatMap((result) => ("failure" in result ? [result.failure] : []));
  if (failures.length === results.length) return failures.find((failure) => !isLostConnection(failure)) ?? failures[0];
  return new DatabaseUnavailable(`None of the databases can be written to: ${results.map(describeProbe).join("; ")}.`);
}

const roles: Record<Role, string> = {
  primary: "is a primary",
  replica: "is a replica",
  "read-only": "can only be read (default_transaction_read_only)",
};

function describeProbe(result: ProbeResult): string {
  if ("role" in result) return `${result.place} ${roles[result.role]}`;
  return `${result.place} cannot be used (${reasonOf(result.failure).replace(/\.$/, "")})`;
}

async function probeServer(
  { config, place, cut }: ServerEndpoint,
  connectTimeout: number,
  isOneOfSeveral: boolean,
): Promise<ProbeResult> {
  const client = new Client({ ...config, connectionTimeoutMillis: connectTimeout });
  // The promises report failures; without this listener they would also end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const role = await withTimeout(askRole(client), connectTimeout);
    const history =
      isOneOfSeveral && role === "primary" ? await withTimeout(askHistory(client), connectTimeout) : undefined;
    return { place, role, client, history, route: routeTo(config, connectTimeout, cut) };
  } catch (failure) {
    cut();
    return { place, failure };
  }
}

async function askRole(client: Client): Promise<Role> {
  const asked = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (asked.rows[0]?.transaction_read_only === "off") return "primary";
  const { rows } = await client.query<{ is_replica: boolean }>("select pg_is_in_recovery() as is_replica");
  return rows[0]?.is_replica === true ? "replica" : "read-only";
}

function routeTo(config: ClientConfig, connectTimeout: number, cut: () => void): Route {
  return {
    cut,
    openPool({ connections, statementTimeout }) {
      const pool = new Pool({
        ...config,
        max: connections,
        pipeline: true,
        // Also for how long to wait while all of them are in use.
        connectionTimeoutMillis: connectTimeout,
        statement_timeout: statementTimeout,
        ...(statementTimeout > 0
          ? {
              // Where nothing comes back at all, the server's limit is of no use.
              query_timeout: statementTimeout + silence,
              idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
            }
          : {}),
      });
      pool.on("error", () => {});
      // The pool listens to those that are idle only, and one that is cut off while in use would end the process.
      pool.on("connect", (client) => client.on("error", () => {}));
      return pool;
    },
  };
}

interface ServerEndpoint {
  config: ClientConfig;
  place: string;
  cut(): void;
}

/** The settings of a connection to a server, and a way to close all connections that were made with them. */
function openEndpoint(server: ServerAddress): ServerEndpoint {
  const sockets = new Set<Socket>();
  const encryption = readEncryption(server);
  const { host, user, database, port, parameters } = server;
  const config: ClientConfig = {
    host,
    ...(port === undefined ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(database === undefined ? {} : { database }),
    ...(encryption === undefined ? {} : { ssl: encryption }),
    ...(parameters.options === undefined ? {} : { options: parameters.options }),
    ...(parameters.application_name === undefined ? {} : { application_name: parameters.application_name }),
    fallback_application_name: "holdfast",
    keepAlive: true,
    types: { getTypeParser: parserOf },
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  };
  // The driver takes what the address leaves out from PostgreSQL's own variables.
  const plan = new Client({ ...config, stream: () => new Socket() });
  const login = { host, port: plan.port, database: plan.database ?? "", user: plan.user ?? "" };
  return {
    config: { ...config, password: server.password ?? (async () => findPassword(login)) },
    place: `${host.includes(":") ? `[${host}]` : host}:${plan.port}`,
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
