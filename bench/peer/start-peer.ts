import { openSync } from "node:fs";
import { join } from "node:path";
import { firstLine, type Served } from "../sides/processes";
import { installPeer } from "./install";

const token = "a-token-of-the-benchmark";

export const peerHeaders = { Authorization: `Bearer ${token}` };

/** Fills the peer with the tasks of our SQLite database, unless it has them, and starts it. */
export async function startPeer(folder: string, database: string, tell: (line: string) => void): Promise<Served> {
  const node = await installPeer(tell);
  const logFile = join(folder, "peer.log");
  const args = [join(import.meta.dir, "fastify-sqlite.mjs"), join(folder, "peer.db"), database];
  const child = Bun.spawn([node, ...args], {
    env: { ...process.env, NODE_ENV: "production", BENCH_TOKEN: token },
    stdin: "ignore",
    stdout: "pipe",
    stderr: openSync(logFile, "w"),
  });
  const served = await firstLine(child, `The peer did not start; see ${logFile}.`);
  tell(`The peer has its tasks and listens, after ${(served.startTime / 1000).toFixed(0)} s.`);
  return served;
}
