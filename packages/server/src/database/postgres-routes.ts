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
  /** Connects to the first one that answers, whatever it is. */
  findAny(): Promise<{ client: Client; route: Route }>;
}

const connectTimeout = 900;
const longestIdleTransaction = 60_000;
const bigint = 20;
const numeric = 1700;

/** Our numbers are far below the largest that a number can hold exactly, so no column has to be text. */
const numbers: ClientConfig["types"] = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === bigint || type === numeric ? Number : types.getTypeParser(type, format),
};

export function createRoutes(url: string): Routes {
  const servers = splitPostgresUrl(url);
  let first = 0;

  async function find(isWanted: (client: Client) => Promise<boolean>): Promise<{ client: Client; route: Route }> {
    let failure: unknown = new DatabaseAway("None of the databases can be written to.");
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
          return { client, route: routeTo(config, cut) };
        }
        await client.end();
      } catch (error) {
        failure = error;
        cut();
      }
    }
    throw failure;
  }

  return { findPrimary: () => find(canBeWritten), findAny: () => find(async () => true) };
}

async function canBeWritten(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  return rows[0]?.transaction_read_only === "off";
}

function routeTo(config: ClientConfig, cut: () => void): Route {
  return {
    cut,
    openPool({ connections, statementTimeout }) {
      const pool = new Pool({
        ...config,
        max: connections,
        // Also for how long to wait while all of them are in use.
        connectionTimeoutMillis: connectTimeout,
        statement_timeout: statementTimeout,
        ...(statementTimeout > 0 ? { idle_in_transaction_session_timeout: longestIdleTransaction } : {}),
      });
      pool.on("error", () => {});
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
