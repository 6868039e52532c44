import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../free-port";
import { makeFolder } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";
import { startInVain, startProcess } from "../process";
import { connectToEach } from "../processes/connection";
import { firstOf, timeLimit, variation } from "../runs";
import { until } from "../until";

let cluster: Cluster;
const folders: string[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.query("create role locked login password 'the right one'");
  await cluster.query("create role guest login");
  const rules = join(cluster.folder, "data", "pg_hba.conf");
  const others = readFileSync(rules, "utf8");
  writeFileSync(rules, "host all locked 127.0.0.1/32 scram-sha-256\n");
  appendFileSync(rules, others);
  await cluster.query("select pg_reload_conf()");
});

afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  await cluster.remove();
});

function temporary(): string {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

/** Result of a start on a database. */
function start(url: string, folder = temporary()) {
  return startInVain({ folder, flags: { database_url: url } });
}

const refused = (sentence: string) => ({ exitCode: 1, output: "", errors: `holdfast: ${sentence}\n` });

test("R25: a database that cannot be reached is refused with one sentence that says what to do, without the password", async () => {
  const port = await findFreePort();
  expect(await start(`postgres://holdfast:hush@127.0.0.1:${port}/holdfast`)).toEqual(
    refused(
      `The database at postgres://127.0.0.1:${port}/holdfast does not answer (connect ECONNREFUSED 127.0.0.1:${port}). Start it, or correct database_url.`,
    ),
  );
  expect(await start(`postgres://locked:hush@127.0.0.1:${cluster.port}/postgres`)).toEqual(
    refused(
      `The database at postgres://127.0.0.1:${cluster.port}/postgres refuses the login (password authentication failed for user "locked"). Correct the user and the password in database_url.`,
    ),
  );
  expect(await start(`postgres://locked@127.0.0.1:${cluster.port}/postgres`)).toEqual(
    refused("The database asks for a password, and none was given. Put it into database_url, PGPASSWORD or ~/.pgpass."),
  );
  expect(await start(cluster.url("missing"))).toEqual(
    refused(
      `There is no such database at postgres://127.0.0.1:${cluster.port}/missing (database "missing" does not exist). Make it with createdb --encoding UTF8 --template template0, or correct database_url.`,
    ),
  );
  expect(await start(`postgres://guest@127.0.0.1:${cluster.port}/postgres`)).toEqual(
    refused(
      `The user of the database at postgres://127.0.0.1:${cluster.port}/postgres may not make tables (permission denied for schema public). Make that user the owner of the database.`,
    ),
  );
}, 120_000);

test("R25: a database that stands still is refused in bounded time", async () => {
  const url = await cluster.createDatabase();
  cluster.pause();
  const startedAt = performance.now();
  const ended = await start(url);
  cluster.resume();
  expect(performance.now() - startedAt).toBeLessThan(timeLimit(10_000));
  expect(ended).toMatchObject({
    exitCode: 1,
    errors: expect.stringMatching(
      /^holdfast: The database at .* does not answer \(.*\)\. Start it, or correct database_url\.\n$/,
    ),
  });
}, 120_000);

test.each(firstOf(1, ["fsync", "full_page_writes", "synchronous_commit"]))(
  "R25: a PostgreSQL with %s=off is refused",
  async (name) => {
    const url = await cluster.createDatabase();
    await reload(`alter system set ${name} = off`, name, "off");
    const ended = await start(url);
    await reload(`alter system reset ${name}`, name, "on");
    expect(ended).toEqual(
      refused(`PostgreSQL runs with ${name}=off, which loses writes. Set it to on in postgresql.conf.`),
    );
  },
  120_000,
);

test("R25: servers of which none can be written to are refused", async () => {
  const url = await cluster.createDatabase();
  await reload("alter system set default_transaction_read_only = on", "default_transaction_read_only", "on");
  const ended = await start(url);
  await reload("alter system reset default_transaction_read_only", "default_transaction_read_only", "off");
  expect(ended).toEqual(
    refused(
      `None of the databases can be written to: 127.0.0.1:${cluster.port} can only be read (default_transaction_read_only). Try again in a moment.`,
    ),
  );
}, 120_000);

async function reload(change: string, name: string, expected: string): Promise<void> {
  await cluster.query(change);
  await cluster.query("select pg_reload_conf()");
  await until(`${name} is ${expected}`, async () => (await cluster.query(`show ${name}`))[0]?.[name] === expected);
}

variation("R25: a database in another encoding is refused", async () => {
  await cluster.query("create database latin template template0 encoding 'LATIN1' locale 'C'");
  expect(await start(cluster.url("latin"))).toEqual(
    refused("The database is encoded in LATIN1. Create it again with: createdb --encoding UTF8 --template template0"),
  );
});

test("R25: a database with tables of somebody else is refused and left as it is", async () => {
  const url = await cluster.createDatabase("foreign");
  await cluster.query("create table users (name text)", "foreign");
  expect(await start(url)).toEqual(
    refused("The database has a table users that is not Holdfast's. Name an empty database with database_url."),
  );
  const tables = await cluster.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace",
    "foreign",
  );
  expect(tables).toEqual([{ relname: "users" }]);
});

test("R23, R25: a database of a newer version, or of another secret, is refused", async () => {
  const url = await cluster.createDatabase("ours");
  const folder = temporary();
  const server = await startProcess({ folder, flags: { database_url: url } });
  expect(await server.stop()).toBe(0);
  const another = await start(url, temporary());
  expect(another).toMatchObject({
    exitCode: 2,
    errors: expect.stringMatching(/^holdfast: The secret that this database was made with is missing: restore .*\.\n$/),
  });
  const environment = { HOLDFAST_SECRET_KEY: "not the secret that this database was made with" };
  expect(await startInVain({ folder, flags: { database_url: url }, environment })).toEqual({
    ...refused(
      "The secret is not the one that this database was made with. Give the right one in HOLDFAST_SECRET_KEY or secret_key_file. After holdfast key reseal, that is the new one.",
    ),
    exitCode: 2,
  });
  await cluster.query("insert into kysely_migration values ('9999-future', '2999-01-01')", "ours");
  expect(await start(url, folder)).toEqual(
    refused(
      "The database was made by a newer version of Holdfast (it has the migration 9999-future). Start that version, or restore an older database.",
    ),
  );
}, 120_000);

variation(
  "several services that start at once on an empty database all become ready",
  async () => {
    const database_url = await cluster.createDatabase();
    const folder = temporary();
    const flags = { database_url, base_url: "https://backup.example.org", log_level: "warn" };
    const servers = await Promise.all(
      Array.from({ length: 3 }, async () =>
        startProcess({ folder, flags: { ...flags, port: String(await findFreePort()) } }),
      ),
    );
    const ready = await Promise.all(servers.map(({ ask }) => ask("/readyz")));
    expect(ready.map(({ status }) => status)).toEqual(servers.map(() => 200));
    expect(await Promise.all(servers.map(({ stop }) => stop()))).toEqual(servers.map(() => 0));
  },
  120_000,
);

test("four processes of one service become ready on an empty database", async () => {
  const database_url = await cluster.createDatabase();
  const server = await startProcess({
    folder: temporary(),
    flags: { database_url, processes: "4", log_level: "warn" },
  });
  const connections = await connectToEach(server.port, 4);
  const ready = await Promise.all(connections.map(({ ask }) => ask("/readyz")));
  expect(ready.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await server.stop()).toBe(0);
}, 120_000);
