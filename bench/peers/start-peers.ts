import { openSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, startCluster } from "../../packages/server/test/postgres-cluster";
import { requestsOf } from "../sides/ours";
import { postgresSettings } from "../sides/postgres-settings";
import { firstLine, type Served } from "../sides/processes";
import type { Side } from "../sides/side";
import { installPeers } from "./install";
import { graphqlRequests, jsonServerRequests } from "./requests";

/** Another way to serve the same tasks. */
export interface Peer extends Side {
  /** What has to be known to read its figures. */
  about: string;
}

export interface Peers {
  sides: Peer[];
  stop(): Promise<void>;
}

interface Wanted {
  folder: string;
  tasksFile: string;
  tasks: number;
  tell: (line: string) => void;
}

/** It keeps all in memory, and writes all of it on each change. */
const mostForJsonServer = 10_000;
const token = "a-token-of-the-benchmark";

/** Installs the peers, fills each with the same tasks and starts it. */
export async function startPeers({ folder, tasksFile, tasks, tell }: Wanted): Promise<Peers> {
  const node = await installPeers(tell);
  const cluster = await startCluster(postgresSettings);
  const started: Served[] = [];
  try {
    const headers = { Authorization: `Bearer ${token}` };
    async function start(program: string, ...args: string[]): Promise<Pick<Side, "url" | "pids">> {
      const begun = performance.now();
      const served = await serve(node, program, args, join(folder, `${program}.log`));
      started.push(served);
      tell(`${program} has its tasks and listens, after ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
      return { url: served.url, pids: [served.pid] };
    }
    const database = await cluster.createDatabase("peers");
    const plain = { tasks, ...requestsOf(headers) };
    const withServer = (one: Pick<Side, "url" | "pids">) => ({ ...one, pids: [...one.pids, cluster.pid()] });
    const sides: Peer[] = [
      {
        name: "Fastify + SQLite",
        about:
          "Fastify 5 on Node with node:sqlite, as one writes it in an afternoon: an index for each filter, pages by " +
          "offset, a count for each request, each write committed with synchronous = full.",
        ...plain,
        ...(await start("fastify-sqlite", join(folder, "fastify.db"), tasksFile)),
      },
      {
        name: "SQL as JSON",
        about:
          "What PostgREST does: one prepared statement for each request, in which PostgreSQL also writes the JSON, handed " +
          "on by Node through pg. The same indexes, and one of trigrams for $contains. Its processor time is that of Node " +
          "and PostgreSQL.",
        ...plain,
        ...withServer(await start("sql-json", database, tasksFile)),
      },
      {
        name: "PostGraphile",
        about:
          "PostGraphile 5 with its filter plugin on the same table, asked in GraphQL for the same fields and the total.",
        ...plain,
        ...graphqlRequests(headers),
        ...withServer(await start("postgraphile", database, tasksFile)),
      },
      {
        name: "json-server",
        about:
          `json-server 0.17 with the newest ${Math.min(tasks, mostForJsonServer).toLocaleString("en")} tasks: it keeps all of ` +
          "them in memory and writes the whole file on each change, without waiting for the disk.",
        ...plain,
        ...jsonServerRequests(headers),
        tasks: Math.min(tasks, mostForJsonServer),
        ...(await start("json-server", join(folder, "json-server.json"), tasksFile, String(mostForJsonServer))),
      },
    ];
    let isStopped = false;
    return {
      sides,
      async stop() {
        if (isStopped) return;
        isStopped = true;
        await stopAll(started, cluster);
      },
    };
  } catch (error) {
    await stopAll(started, cluster);
    throw error;
  }
}

async function serve(node: string, program: string, args: string[], logFile: string): Promise<Served> {
  const child = Bun.spawn([node, join(import.meta.dir, `services/${program}.mjs`), ...args], {
    env: { ...process.env, NODE_ENV: "production", BENCH_TOKEN: token },
    stdin: "ignore",
    stdout: "pipe",
    stderr: openSync(logFile, "w"),
  });
  return firstLine(child, `${program} did not start; see ${logFile}.`);
}

async function stopAll(started: readonly Served[], cluster: Cluster): Promise<void> {
  await Promise.all(started.map(({ stop }) => stop()));
  await cluster.remove();
}
