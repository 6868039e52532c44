import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "pg";
import { makeFolder, openPlane, type Plane, walk } from "../harness";
import { runMove } from "../move/company";
import { type Cluster, prepareOrigin, startCluster } from "../postgres-cluster";
import { findPostgresPrograms } from "../postgres-programs";
import { eventsOf, watch } from "../streams/watch";

// Ids of transactions that were stored on one server mean nothing on another one.
let first: Cluster;
let second: Cluster;

beforeAll(async () => {
  first = await startCluster();
  // With an identity of its own, as a server that was set up on another machine.
  second = await startCluster({}, { origin: await prepareOrigin(first.folder) });
}, 120_000);

afterAll(async () => {
  await second.remove();
  await first.remove();
});

async function run(program: string, args: readonly string[]) {
  const { command, environment } = findPostgresPrograms();
  const child = Bun.spawn(command(program, args), {
    cwd: first.folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect({ program, errors, exitCode }).toEqual({ program, errors: "", exitCode: 0 });
}

/** Uses up ids of transactions. */
async function spend(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let spent = 0; spent < count; spent++) await client.query("select pg_current_xact_id()");
  await client.end();
}

const addTasks = (plane: Plane, count: number) =>
  plane.addTasks(Array.from({ length: count }, () => ({ id: crypto.randomUUID() })));

/** Begins a walk and a stream, and gives where both go on. */
async function begin(plane: Plane, token: string) {
  const stream = await watch(plane, "", { token });
  await stream.until((heard) => heard.length === 1);
  await addTasks(plane, 1);
  await stream.until((heard) => heard.length === 3);
  await stream.close();
  const { body } = await plane.ask("/tasks?limit=2", { token });
  return {
    place: stream.heard.at(-1)?.id ?? "",
    next: body._links.next.href,
    rest: body.total_count - 2,
  };
}

/** Continues a walk and a stream of the database before, and begins new ones. */
async function goOn(plane: Plane, token: string, begun: Awaited<ReturnType<typeof begin>>) {
  const stream = await watch(plane, "", { token, headers: { "Last-Event-ID": begun.place } });
  await stream.until((heard) => heard.length === 2);
  await stream.close();
  const rest = await walk(plane, begun.next, { token });
  // Tasks that are added during a walk are not in it, although the ids of this server may be lower than those that were stored.
  const all = await walk(plane, "/tasks?limit=2", { token }, async () => void (await addTasks(plane, 1)));
  const more = await walk(plane, "/tasks?limit=2", { token });
  return [eventsOf(stream.heard), rest.length, all.length, more.length];
}

test.each([
  ["above", 3_000, 0],
  ["below", 0, 6_000],
])(
  "after pg_dump and pg_restore into another server whose ids are %s, every task is seen, and streams begin again",
  async (_, here, there) => {
    const url = await first.createDatabase();
    await spend(url, here);
    const plane = await openPlane({ database_url: url });
    const { token } = await plane.serviceToken("viewer");
    await addTasks(plane, 4);
    const begun = await begin(plane, token);
    await plane.database.close();
    const dump = join(first.folder, `${here}.dump`);
    await run("pg_dump", ["--format=custom", `--file=${dump}`, url]);
    const restored = await second.createDatabase();
    await spend(restored, there);
    await run("pg_restore", ["--exit-on-error", `--dbname=${restored}`, dump]);
    const again = await openPlane({ database_url: restored }, plane.folder);
    expect(await goOn(again, token, begun)).toEqual([["reset", "snapshot"], begun.rest, 5, 8]);
    await again.database.close();
    // Once it is known there, nothing is forgotten any more.
    const once = await openPlane({ database_url: restored }, plane.folder);
    const stream = await watch(once, "", { token });
    await stream.until((heard) => heard.length === 1);
    await once.database.close();
    const later = await openPlane({ database_url: restored }, plane.folder);
    const same = await watch(later, "", { token, headers: { "Last-Event-ID": stream.heard[0]?.id ?? "" } });
    await later.ask("/tasks", { token });
    expect(same.heard).toEqual([]);
    await Promise.all([stream.close(), same.close()]);
    await later.close();
  },
  120_000,
);

test.each(["SQLite", "PostgreSQL"])(
  "after a move from %s to another server, every task is seen, and streams begin again",
  async (from) => {
    const plane = await openPlane(
      from === "SQLite"
        ? { database_url: `sqlite:${join(makeFolder(), "from.db")}` }
        : { database_url: await first.createDatabase() },
    );
    const { token } = await plane.serviceToken("viewer");
    await addTasks(plane, 4);
    const begun = await begin(plane, token);
    await plane.database.close();
    const url = await second.createDatabase();
    expect(await runMove(plane.databaseUrl, url, "--data-dir", plane.folder)).toMatchObject({
      exitCode: 0,
      errors: expect.stringContaining("Moved"),
    });
    const moved = await openPlane({ database_url: url }, plane.folder);
    expect(await goOn(moved, token, begun)).toEqual([["reset", "snapshot"], begun.rest, 5, 8]);
    await moved.close();
  },
  120_000,
);
