import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openPlane, type Plane, root } from "../harness";
import { startCluster } from "../postgres-cluster";
import { type ProcessOptions, type ServerProcess, startProcess } from "../process";
import type { Dice } from "../random";
import { findSteadyPort } from "../steady-port";

/** Something that goes wrong with the service or its database, and is over when it has ended. */
export type Fault = (dice: Dice) => Promise<void>;

/** A service that runners report to, on one or two nodes, and what can go wrong with it. */
export interface ServiceWorld {
  folder: string;
  /** The port of a node, whichever is next. */
  port: () => number;
  nodes: readonly Node[];
  faults: readonly Fault[];
  /** May report. It is old enough for clocks that go back. */
  reporter: string;
  /** May do everything. */
  owner: string;
  /** Makes the wall clock of all nodes wrong by so many milliseconds, all at once. */
  stepClock(wrongBy: number): void;
  /** Opens the data in this process. */
  open(): Promise<Plane>;
  stop(): Promise<void>;
}

/** One process of the service, which is always started again on the same port. */
interface Node {
  port: number;
  /** Ends it with a signal and starts it again. */
  restart(signal: NodeJS.Signals): Promise<void>;
  /** Lets it stand still for a while. */
  pause(milliseconds: number): Promise<void>;
  printed(): string;
  stop(): Promise<void>;
}

export interface WorldOptions {
  nodes: 1 | 2;
  timeouts: NonNullable<ProcessOptions["timeouts"]>;
  /** Maximum duration of a pause of a node, in milliseconds. */
  maxPauseMs: number;
}

const baseUrl = "http://holdfast.test";
const day = 86_400_000;

/** On SQLite. */
export async function startSqliteWorld(options: WorldOptions): Promise<ServiceWorld> {
  const folder = makeFolder();
  return startWorld(folder, options, { url: () => `sqlite:${folder}/holdfast.db`, faults: [], end: async () => {} });
}

/** On a PostgreSQL that is killed and started again. */
export async function startPostgresWorld(options: WorldOptions): Promise<ServiceWorld> {
  const cluster = await startCluster();
  const url = await cluster.createDatabase("holdfast");
  const kill: Fault = async (dice) => {
    await cluster.kill();
    await Bun.sleep(dice(300));
    await cluster.start();
  };
  const pause: Fault = async (dice) => {
    cluster.pause();
    await Bun.sleep(dice(options.maxPauseMs));
    cluster.resume();
  };
  return startWorld(makeFolder(), options, { url: () => url, faults: [kill, pause], end: () => cluster.remove() });
}

/** On a PostgreSQL with a standby, which is promoted in place of the primary that was killed, once. */
export async function startFailoverWorld(options: WorldOptions): Promise<ServiceWorld & { failOver(): Promise<void> }> {
  const primary = await startCluster();
  await primary.createDatabase("holdfast");
  const standby = await primary.makeReplica();
  const url = `postgres://holdfast@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/holdfast`;
  const world = await startWorld(makeFolder(), options, {
    url: () => url,
    faults: [],
    end: async () => {
      for (const cluster of [primary, standby]) await cluster.remove();
    },
  });
  // Only now, so that the standby does not wait for one of its own when it is the primary.
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("select pg_reload_conf()");
  return {
    ...world,
    async failOver() {
      await primary.kill();
      await Bun.sleep(200);
      await standby.promote();
    },
  };
}

interface Store {
  url: () => string;
  faults: readonly Fault[];
  end: () => Promise<void>;
}

async function startWorld(folder: string, options: WorldOptions, store: Store): Promise<ServiceWorld> {
  const nodes: Node[] = [];
  const stepClock = (wrongBy: number) => {
    // Whole at any moment: a node may be reading it.
    writeFileSync(`${clockFileIn(folder)}.new`, String(wrongBy));
    renameSync(`${clockFileIn(folder)}.new`, clockFileIn(folder));
  };
  stepClock(0);
  for (let index = 0; index < options.nodes; index += 1) nodes.push(await startNode(folder, options, store.url()));
  const open = async () => {
    const plane = await openPlane({ base_url: baseUrl, database_url: store.url() }, folder);
    plane.clock.now = Date.now();
    return plane;
  };
  const plane = await open();
  plane.clock.now -= 3 * day;
  const { token: reporter } = await plane.serviceToken("reporter", root, 30 * day);
  const { token: owner } = await plane.serviceToken("owner", root, 30 * day);
  await plane.database.close();
  let turn = 0;
  const any = (dice: Dice) => nodes[dice(nodes.length)];
  return {
    folder,
    nodes,
    port: () => nodes[turn++ % nodes.length]?.port ?? 0,
    faults: [
      async (dice) => any(dice)?.restart("SIGKILL"),
      async (dice) => any(dice)?.restart("SIGTERM"),
      async (dice) => any(dice)?.pause(dice(options.maxPauseMs)),
      ...store.faults,
    ],
    reporter,
    owner,
    stepClock,
    open,
    async stop() {
      for (const node of nodes) await node.stop();
      await store.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function clockFileIn(folder: string): string {
  return join(folder, "clock");
}

async function startNode(folder: string, { timeouts }: WorldOptions, database_url: string): Promise<Node> {
  const port = await findSteadyPort();
  const flags = { base_url: baseUrl, port: String(port), database_url, log_level: "warn" };
  const start = () => startProcess({ folder, flags, timeouts: { ...timeouts, clockFile: clockFileIn(folder) } });
  let server: ServerProcess = await start();
  let before = "";
  return {
    port,
    async restart(signal) {
      await server.stop(signal);
      before += server.printed();
      server = await start();
    },
    async pause(milliseconds) {
      process.kill(server.pid, "SIGSTOP");
      await Bun.sleep(milliseconds);
      process.kill(server.pid, "SIGCONT");
    },
    printed: () => before + server.printed(),
    async stop() {
      await server.stop("SIGKILL");
    },
  };
}
