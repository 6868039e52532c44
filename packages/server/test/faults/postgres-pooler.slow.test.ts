import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { sql } from "kysely";
import { findFreePort } from "../free-port";
import { makeFolder, openPlane, type Plane } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";
import { findPostgresPrograms } from "../postgres-programs";
import { until } from "../until";

let cluster: Cluster;
let pooler: Pooler;

beforeAll(async () => {
  cluster = await startCluster();
  pooler = await startPooler();
});

afterAll(async () => {
  await pooler.stop();
  await cluster.remove();
});

interface Pooler {
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of the cluster. */
async function startPooler(): Promise<Pooler> {
  const port = await findFreePort();
  // The folder of the cluster is one that its owner may read.
  const file = join(cluster.folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${cluster.port} user=holdfast
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 20
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`,
  );
  // Another file that was tested in this process may have left a stricter mask for new files.
  chmodSync(file, 0o644);
  const child = Bun.spawn(findPostgresPrograms().asOwner(["pgbouncer", "-q", file]), {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
    // Debian keeps daemons where only root's PATH leads.
    env: { ...process.env, PATH: [process.env.PATH, "/usr/sbin"].join(delimiter) },
  });
  await until("the pooler listens", async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended at once with exit code ${child.exitCode}.`);
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).catch(() => undefined);
    socket?.end();
    return socket !== undefined;
  });
  return {
    urlOf: (database: string) => `postgres://holdfast@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Writes to a table of words in a change, without waiting for one statement before sending the next. */
function addWords(plane: Plane, ids: readonly number[]): Promise<unknown> {
  return plane.database.change((db) =>
    Promise.all(ids.map((id) => sql`insert into words values (${id}, ${`word ${id}`})`.execute(db))),
  );
}

test("behind a pooler in session mode, pages, reports and many tasks at once are as without one", async () => {
  const name = new URL(await cluster.createDatabase()).pathname.slice(1);
  const data = makeFolder();
  const plane = await openPlane({ database_url: pooler.urlOf(name) }, data);
  const { token } = await plane.serviceToken("operator");
  await plane.addTasks(Array.from({ length: 400 }, () => ({})));
  await plane.database.change((db) => sql`create table words (id int primary key, word text)`.execute(db));

  const report = (index: number) =>
    plane.ask("/tasks", {
      method: "POST",
      token,
      body: { category: "backup", type: `tests_${index}`, status: "in_progress", sequence: 1 },
    });
  const asked = Array.from({ length: 40 }, (_, index) => [
    report(index).then(({ status }) => status),
    plane.ask(`/tasks?limit=${index + 1}`, { token }).then(({ status }) => status),
    addWords(plane, [2 * index, 2 * index + 1]).then(() => 200),
  ]).flat();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200, 201]));

  const failed = addWords(plane, [100, 5, 101]).catch(({ code }) => code);
  expect(await failed).toBe("23505");
  const { rows } = await plane.database.snapshot((db) => sql`select count(*) as count from words`.execute(db));
  expect(rows).toEqual([{ count: 80 }]);
  expect((await plane.ask("/tasks", { token })).body.total_count).toBe(440);

  await plane.database.close();
  rmSync(data, { recursive: true });
});
