import { Socket } from "node:net";
import { Client, type ClientConfig, Pool, types } from "pg";
import { DatabaseAway } from "./errors";
import { inTime } from "./in-time";
import { splitPostgresUrl } from "./postgres-url";

/** The way to one server: everything that goes along it can be cut off at once. */
export interface Route {
  openPool(options: PoolOptions): Pool;
  /** Closes every connection at once, whatever it is doing. */
  cut(): void;
}

export interface PoolOptions {
  connections: number;
  /** How long a statement may take, in milliseconds; 0 is for ever. */
  statementTimeout: number;
}

/** The ways to all servers that an address names. */
export interface Routes {
  /** Connects to the one that can be written to. */
  findPrimary(): Promise<{ client: Client; route: Route }>;
  /** Connects to the first one that is a replica. */
  findReplica(): Promise<{ client: Client; route: Route }>;
}

/** How long connecting may take while requests wait for it, in milliseconds. */
const quickConnect = 900;
/** How much longer than the server's own limit a statement may take, until its connection counts as dead. */
const silence = 750;
const longestIdleTransaction = 60_000;
const bigint = 20;
const numeric = 1700;

/** Our numbers are far below the largest that a number can hold exactly, so no column has to be text. */
const numbers: ClientConfig["types"] = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === bigint || type === numeric ? Number : types.getTypeParser(type, format),
};

/** Finds the ways to all servers that an address names. Connecting, or waiting for a free connection, may take so long. */
export function createRoutes(url: string, connectTimeout = quickConnect): Routes {
  const servers = splitPostgresUrl(url);
  let first = 0;

  async function find(
    isWanted: (client: Client) => Promise<boolean>,
    lack: string,
  ): Promise<{ client: Client; route: Route }> {
    let failure: unknown = new DatabaseAway(lack);
    for (let tried = 0; tried < servers.length; tried++) {
      const index = (first + tried) % servers.length;
      const { config, cut } = withSockets(servers[index] ?? url);
      const client = new Client({ ...config, connectionTimeoutMillis: connectTimeout });
      // Failures are told by the promises; without this they would end the process as well.
      client.on("error", () => {});
      try {
        await client.connect();
        if (await inTime(isWanted(client), connectTimeout)) {
          first = index;
          return { client, route: routeTo(config, connectTimeout, cut) };
        }
        // Without waiting for it to say goodbye: it may be about to fall silent.
        cut();
      } catch (error) {
        failure = error;
        cut();
      }
    }
    throw failure;
  }

  return {
    findPrimary: () => find(canBeWritten, "None of the databases can be written to."),
    findReplica: () => find(isReplica, "None of the databases is a replica."),
  };
}

async function canBeWritten(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  return rows[0]?.transaction_read_only === "off";
}

async function isReplica(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_replica: boolean }>("select pg_is_in_recovery() as is_replica");
  return rows[0]?.is_replica === true;
}

function routeTo(config: ClientConfig, connectTimeout: number, cut: () => void): Route {
  return {
    cut,
    openPool({ connections, statementTimeout }) {
      const pool = new Pool({
        ...config,
        max: connections,
        // Also for how long to wait while all of them are in use.
        connectionTimeoutMillis: connectTimeout,
        statement_timeout: statementTimeout,
        ...(statementTimeout > 0
          ? {
              // Where nothing comes back at all, the server's limit is of no use.
              query_timeout: statementTimeout + silence,
              idle_in_transaction_session_timeout: longestIdleTransaction,
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

/** The settings of a connection to a server, and a way to close all connections that were made with them. */
function withSockets(url: string): { config: ClientConfig; cut: () => void } {
  const sockets = new Set<Socket>();
  const config: ClientConfig = {
    connectionString: url,
    fallback_application_name: "holdfast",
    keepAlive: true,
    types: numbers,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  };
  return {
    config,
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
