import { rmSync } from "node:fs";
import type { RawSettings } from "../../src/settings/settings";
import { makeFolder, openPlane, type Plane } from "../harness";
import { type ServerProcess, startProcess } from "../process";

/** A service on a database that the test can break. */
export interface ServedDatabase {
  server: ServerProcess;
  /** May read everything. */
  token: string;
  /** Opens the same data in this process, by the same address unless another one is given. */
  openBeside(url?: string): Promise<Plane>;
  /** Stops it and gives its exit code. */
  stop(): Promise<number>;
}

/** Serves from a database, with some tasks in it and a token to read them. */
export async function serveFrom(databaseUrl: string, flags: RawSettings = {}): Promise<ServedDatabase> {
  const folder = makeFolder();
  const server = await startProcess({ folder, flags: { database_url: databaseUrl, log_level: "warn", ...flags } });
  const openBeside = async (url = databaseUrl) => {
    const beside = await openPlane({ base_url: server.baseUrl, database_url: url }, folder);
    beside.clock.now = Date.now();
    return beside;
  };
  const beside = await openBeside();
  const { token } = await beside.serviceToken("viewer");
  await beside.addTasks(Array.from({ length: 20 }, () => ({})));
  await beside.database.close();
  return {
    server,
    token,
    openBeside,
    async stop() {
      const exitCode = await server.stop();
      rmSync(folder, { recursive: true });
      return exitCode;
    },
  };
}
