import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findBuiltConsole } from "../packages/console/build/built-files";
import { buildCommandLines } from "../packages/server/test/built-programs";
import { prepareTables } from "../packages/server/test/folder-database";
import { prepareOrigin } from "../packages/server/test/postgres-cluster";
import { dropDatabasesOfRun, quickFolder, startTestServer } from "../packages/server/test/test-database";

/** Parts that many tests need, made once for all. */
interface Prepared {
  /** Where it is, for the tests. */
  environment: Record<string, string>;
  /** A folder for files that need no disk. */
  folder: string;
  remove(): Promise<void>;
}

/** Starts a PostgreSQL server, makes a file with all tables, and, where slow tests run, builds the programs that they start. */
export async function prepareRun(hasSlow: boolean): Promise<Prepared> {
  const run = crypto.randomUUID().slice(0, 8);
  const given = process.env.HOLDFAST_TEST_DATABASE_URL;
  const folder = await mkdtemp(join(quickFolder(), "holdfast-files-"));
  // Each may make files in it, as in the system's own: a server that is not root has to.
  await chmod(folder, 0o1777);
  const origin = await prepareOrigin(folder);
  const own = given ? undefined : await startTestServer(origin);
  const url = own?.url() ?? given ?? "";
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    // A server that is not ours goes on when the tests are over.
    if (own) await own.remove();
    else await dropDatabasesOfRun(url, run);
  };
  try {
    const programs = join(folder, "programs");
    if (hasSlow) {
      await buildCommandLines(programs);
      // Else the first services that start would all build it.
      await findBuiltConsole(() => {});
    }
    const environment = {
      HOLDFAST_TEST_RUN: run,
      HOLDFAST_TEST_DATABASE_URL: url,
      HOLDFAST_TEST_CLUSTER: origin,
      HOLDFAST_TEST_TABLES: await prepareTables(folder),
      ...(hasSlow ? { HOLDFAST_TEST_PROGRAMS: programs } : {}),
    };
    return { environment, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
