import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { record } from "./run-engine";

const debianServers = "/usr/lib/postgresql";

/** A PostgreSQL server for the tests of the tools that save it. */
export interface TestServer {
  data: string;
  port: number;
  /** Leads PostgreSQL's tools to it. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts an empty server in a folder, as the ordinary user who also runs the engines. */
export async function startPostgres(cwd: string, settings: Record<string, string> = {}): Promise<TestServer> {
  const bin = binFolder();
  const data = join(cwd, "data");
  const port = await freePort();
  const sockets = join(cwd, "sockets");
  mkdirSync(sockets);
  chmodSync(sockets, 0o777);
  const run = async (program: string, ...args: string[]) => {
    const { exitCode, stderr } = await record([join(bin, program), ...args], { cwd });
    if (exitCode !== 0) throw new Error(`${program}: ${Buffer.from(stderr).toString()}`);
  };
  await run("initdb", "--auth=trust", "--no-sync", "--username=postgres", "--no-locale", "--encoding=UTF8", data);
  const all = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: sockets,
    fsync: "off",
    ...settings,
  };
  appendFileSync(
    join(data, "postgresql.conf"),
    Object.entries(all)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(""),
  );
  await run("pg_ctl", "-D", data, "-l", join(cwd, "home", "server.log"), "-w", "start");
  const environment = { PGHOST: "127.0.0.1", PGPORT: String(port), PGUSER: "postgres" };
  await run("psql", "-qc", "create table t(i int primary key)", `postgres://postgres@127.0.0.1:${port}/postgres`);
  return { data, port, environment, stop: () => run("pg_ctl", "-D", data, "-m", "immediate", "stop") };
}

/** Debian keeps the server's programs off the PATH. */
function binFolder(): string {
  const versions = existsSync(debianServers) ? readdirSync(debianServers).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(debianServers, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
  if (found === undefined) throw new Error("There is no PostgreSQL server. Install the package postgresql.");
  return found;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
