import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../free-port";
import { type Answered, type Ask, makeFolder, openPlane, type Plane, readAnswer, root } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { fill, startProxy } from "../proxies/start-proxy";
import { until } from "../until";
import {
  type DatabaseMachine,
  type Network,
  readDocumented,
  startDatabaseMachine,
  startEtcd,
} from "./database-machine";

/** The documented machines: a database with a standby, etcd, and two nodes of the service behind haproxy. */
export interface Machines {
  folder: string;
  /** The port of haproxy. */
  port: () => number;
  /** The file with the certificate of haproxy. */
  certificate: string;
  nodes: readonly ServerProcess[];
  /** May report. */
  reporter: string;
  /** May read everything. */
  viewer: string;
  /** The primary, and the other one: waits until it may be promoted. */
  roles(): Promise<{ primary: DatabaseMachine; standby: DatabaseMachine }>;
  /** Asks the service through haproxy. */
  ask(path: string, ask?: Ask): Promise<Answered>;
  /** Opens the data in this process. */
  open(): Promise<Plane>;
  stop(): Promise<void>;
}

const startTimeoutMs = 180_000;
const day = 86_400_000;

/** Starts all of them, in the order of the documentation. */
export async function startMachines(): Promise<Machines> {
  const missing = ["patroni", "etcd"].filter((program) => Bun.which(program) === null);
  if (missing.length > 0) {
    throw new Error(
      `This test needs ${missing.join(" and ")}. On Debian or Ubuntu run: sudo apt-get install --no-install-recommends patroni etcd-server`,
    );
  }
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return await startEach(ends, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEach(ends: (() => Promise<void>)[], stop: () => Promise<void>): Promise<Machines> {
  const network = await findNetwork();
  const etcd = await startEtcd(network);
  ends.push(etcd.remove);
  const databases: DatabaseMachine[] = [];
  for (const number of [1, 2] as const) {
    const machine = await startDatabaseMachine(network, number);
    databases.push(machine);
    ends.push(machine.remove);
    // The first one makes the database, and the second one a copy of it.
    if (number === 1)
      await whenLogged(machine, "a primary", async () => (await rolesOf(databases)).primaries.length === 1);
  }
  const roles = async () => {
    let seen = await rolesOf(databases);
    await whenLogged(databases, "synchronous", async () => {
      seen = await rolesOf(databases);
      return seen.isSynchronous;
    });
    const [[primary], [standby]] = [seen.primaries, seen.standbys];
    if (!primary || !standby) throw new Error("There is no primary with a standby.");
    return { primary, standby };
  };
  const { primary } = await roles();
  await primary.query("create role holdfast login password 'secret-of-holdfast'");
  await primary.query("create database holdfast owner holdfast encoding 'UTF8' template template0");

  const folder = makeFolder();
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const [port, one, two] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const baseUrl = `https://127.0.0.1:${port}`;
  const nodes: ServerProcess[] = [];
  let databaseUrl = "";
  for (const nodePort of [one, two]) {
    const text = fill(readDocumented("settings.json"), {
      "https://backup.example.org": baseUrl,
      "10.0.0.21": "127.0.0.1",
      "8080": String(nodePort),
      "10.0.0.11,10.0.0.12": `${network.address(11)},${network.address(12)}`,
      '10.0.0.1"': '127.0.0.1"',
      "/var/lib/holdfast": folder,
      "/etc/holdfast": folder,
    });
    const config = join(folder, `holdfast-${nodePort}.json`);
    writeFileSync(config, text, { mode: 0o600 });
    const settings = JSON.parse(text);
    databaseUrl = settings.database_url;
    writeFileSync(settings.secret_key_file, "a secret of the tests that has more than 32 characters", { mode: 0o600 });
    const node = await startProcess({
      folder,
      flags: { port: String(nodePort), database_url: databaseUrl, log_level: "warn" },
      environment: { HOLDFAST_CONFIG: config },
    });
    nodes.push(node);
    ends.push(async () => void (await node.stop("SIGKILL")));
  }
  const open = async () => {
    const secrets = { secret_key_file: join(folder, "secret.key") };
    const plane = await openPlane({ base_url: baseUrl, database_url: databaseUrl, ...secrets }, folder);
    plane.clock.now = Date.now();
    return plane;
  };
  const plane = await open();
  const { token: reporter } = await plane.serviceToken("reporter", root, day);
  const { token: viewer } = await plane.serviceToken("viewer", root, day);
  await plane.database.close();
  const proxy = await startProxy("haproxy", { port, nodes: [one, two] });
  ends.push(proxy.stop);
  const certificate = join(folder, "haproxy.pem");
  writeFileSync(certificate, proxy.certificate);
  return {
    folder,
    port: () => port,
    certificate,
    nodes,
    reporter,
    viewer,
    roles,
    open,
    stop,
    async ask(path, { method = "GET", token, body } = {}) {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return readAnswer(await fetch(`${baseUrl}${path}`, { method, headers, ...sent, tls: { ca: proxy.certificate } }));
    },
  };
}

/** Waits for the database machines; if that is in vain, gives what they have logged. */
async function whenLogged(
  machines: DatabaseMachine | readonly DatabaseMachine[],
  what: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  try {
    await until(`the machines are ${what}`, isSo, startTimeoutMs);
  } catch (error) {
    const logs = [machines].flat().map(({ name, logged }) => `${name}:\n${logged().slice(-2_000)}`);
    throw new Error(logs.join("\n"), { cause: error });
  }
}

async function rolesOf(machines: readonly DatabaseMachine[]) {
  const seen = await Promise.all(
    machines.map(async (machine) => ({
      machine,
      isPrimary: await machine.is("primary"),
      isStandby: await machine.is("sync"),
    })),
  );
  const primaries = seen.filter(({ isPrimary }) => isPrimary);
  const standbys = seen.filter(({ isStandby }) => isStandby);
  return {
    primaries: primaries.map(({ machine }) => machine),
    standbys: standbys.map(({ machine }) => machine),
    isSynchronous: primaries.length === 1 && standbys.length === 1,
  };
}

/** Finds a network of loopback addresses that nothing uses, so that the ports of the documentation are free in it. */
async function findNetwork(): Promise<Network> {
  for (let tries = 0; tries < 100; tries++) {
    const [one, two] = crypto.getRandomValues(new Uint8Array(2));
    const network: Network = { address: (number) => `127.${one}.${two}.${number}` };
    if (await isFree(network.address(11))) return network;
  }
  throw new Error("There is no free network of loopback addresses.");
}

function isFree(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(5432, host, () => server.close(() => resolve(true)));
  });
}
