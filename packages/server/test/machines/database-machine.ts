import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Client } from "pg";
import { type SilentProxy, startSilentProxy } from "../faults/silent-proxy";
import { processesIn, signalAll } from "../folder-processes";
import { startRemover } from "../postgres-cluster";
import { findPostgresPrograms } from "../postgres-programs";
import { fill } from "../proxies/start-proxy";

const documented = resolve(import.meta.dir, "../../../../docs/how-to/machines");
const secretOfPostgres = "secret-of-postgres";

/** The addresses of the documented machines, which lie in one network; here it is a part of the loopback network. */
export interface Network {
  /** The address here of the documented machine 10.0.0.<number>. */
  address(number: number): string;
}

/** A machine with PostgreSQL and Patroni, as far as others can tell. */
export interface DatabaseMachine {
  name: string;
  /** Address at which the others of the cluster reach it. */
  address: string;
  /** Asks its Patroni whether it is the primary, or a standby that may be promoted. */
  is(role: "primary" | "sync"): Promise<boolean>;
  /** Runs one statement as the superuser, whatever the network does. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Ends PostgreSQL and Patroni as a loss of power does. */
  kill(): void;
  /** Starts Patroni again, which starts PostgreSQL. */
  start(): void;
  /** Lets all of its processes stand still. */
  pause(): void;
  resume(): void;
  /** Lets nothing pass to it or from it: neither to etcd, nor to the other machine, nor to the service. */
  cutOff(): void;
  /** Lets nothing pass but what the service asks it. */
  cutOffFromCluster(): void;
  mend(): void;
  logged(): string;
  remove(): Promise<void>;
}

/** Reads a documented file below docs/how-to/machines. */
export function readDocumented(file: string): string {
  return readFileSync(join(documented, file), "utf8");
}

/** Starts etcd as the documentation does, but alone. */
export async function startEtcd(network: Network): Promise<{ remove(): Promise<void> }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-etcd-")));
  const remover = startRemover(folder);
  const own = "etcd3=http://10.0.0.13:2380";
  const text = fill(readDocumented("etcd").replaceAll("10.0.0.11", "10.0.0.13").replace("=db1", "=etcd3"), {
    [`db1=http://10.0.0.13:2380,db2=http://10.0.0.12:2380,${own}`]: own,
    "/var/lib/etcd/holdfast": join(folder, "data"),
    "10.0.0.13": network.address(13),
  });
  const variables = text.split("\n").flatMap((line): [string, string][] => {
    const [, name, value] = /^(ETCD_\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  const unsupported = process.arch === "arm64" ? { ETCD_UNSUPPORTED_ARCH: "arm64" } : {};
  startIn(folder, ["etcd"], { ...process.env, ...Object.fromEntries(variables), ...unsupported });
  return remover;
}

/** Starts the documented machine db1 or db2, reached only by ways that can be cut. */
export async function startDatabaseMachine(network: Network, number: 1 | 2): Promise<DatabaseMachine> {
  const programs = findPostgresPrograms();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-machine-")));
  const remover = startRemover(folder);
  if (programs.owner !== undefined) chownSync(folder, programs.owner.uid, programs.owner.gid);
  const name = `db${number}`;
  const [address, inside, etcd] = [network.address(10 + number), network.address(110 + number), network.address(13)];
  const ways = {
    service: await startSilentProxy({ host: inside, port: 5432 }, { host: address, port: 5432 }),
    others: await startSilentProxy({ host: inside, port: 5432 }, { host: network.address(210 + number), port: 5432 }),
    patroni: await startSilentProxy({ host: inside, port: 8008 }, { host: address, port: 8008 }),
    etcd: await startSilentProxy({ host: etcd, port: 2379 }, { host: inside, port: 2379 }),
  };
  const configuration = fill(readDocumented("patroni.yml").replaceAll("10.0.0.11:", `10.0.0.1${number}:`), {
    "name: db1": `name: ${name}`,
    [`listen: 10.0.0.1${number}`]: `listen: ${inside}`,
    // The way that replication takes can be cut apart from the one of the service.
    [`connect_address: 10.0.0.1${number}:5432`]: `connect_address: ${network.address(210 + number)}:5432`,
    [`connect_address: 10.0.0.1${number}:8008`]: `connect_address: ${address}:8008`,
    "hosts: ": `use_proxies: true\n  hosts: ${inside}:2379 #`,
    "/var/lib/postgresql/15/holdfast": join(folder, "data"),
    "/usr/lib/postgresql/15/bin": programs.folder,
    "/var/lib/postgresql/patroni.pgpass": join(folder, "pgpass"),
    "/var/run/postgresql": folder,
    "10.0.0.0/24": "127.0.0.0/8",
    // The superuser of PostgreSQL is named after the user of the system, who may be another one here.
    ...(programs.owner === undefined ? { "local all postgres peer": "local all postgres scram-sha-256" } : {}),
  });
  const file = join(folder, "config.yml");
  writeFileSync(file, configuration);
  if (programs.owner !== undefined) chownSync(file, programs.owner.uid, programs.owner.gid);
  const all = Object.values(ways);
  const silence = (which: readonly SilentProxy[]) => {
    for (const way of which) way.fallSilent();
  };
  const start = () => startIn(folder, programs.asOwner(["patroni", file]), programs.environment);
  start();
  return {
    name,
    address,
    start,
    async is(role) {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`http://${address}:8008/${role}`, { signal }).catch(() => undefined);
      return answer?.status === 200;
    },
    async query(sql, database = "postgres") {
      const client = new Client({ host: inside, user: "postgres", password: secretOfPostgres, database });
      client.on("error", () => {});
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    kill: () => signalAll(processesIn(folder), "SIGKILL"),
    pause() {
      // Twice, for what was started meanwhile.
      for (let turn = 0; turn < 2; turn++) signalAll(processesIn(folder), "SIGSTOP");
    },
    resume: () => signalAll(processesIn(folder), "SIGCONT"),
    cutOff: () => silence(all),
    cutOffFromCluster: () => silence([ways.others, ways.patroni, ways.etcd]),
    mend() {
      for (const way of all) way.speak();
    },
    logged: () => readFileSync(join(folder, "log"), "utf8"),
    async remove() {
      await remover.remove();
      for (const way of all) way.close();
    },
  };
}

/** Starts a program that works in a folder, and logs there. */
function startIn(folder: string, command: string[], environment: Record<string, string | undefined>): void {
  const log = openSync(join(folder, "log"), "a");
  const child = Bun.spawn(command, {
    cwd: folder,
    stdio: ["ignore", log, log],
    env: { ...environment, PATH: [environment.PATH, "/usr/sbin"].join(delimiter) },
    // Out of reach of an interrupt at the terminal.
    detached: true,
  });
  closeSync(log);
  // The tests may end without it; the remover ends it.
  child.unref();
}
