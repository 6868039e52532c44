import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, startCluster } from "../postgres-cluster";
import { findPostgresPrograms } from "../postgres-programs";
import { startProcess } from "../process";
import { inspectPostgres, recallPostgres, sound } from "./inspect-postgres";
import { serveFrom } from "./serve-from";
import { startWriter } from "./writer";

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.remove());

async function run(program: string, args: readonly string[]) {
  const { command, environment } = findPostgresPrograms();
  const child = Bun.spawn(command(program, args), {
    cwd: cluster.folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect({ program, errors, exitCode }).toEqual({ program, errors: "", exitCode: 0 });
}

test("R24: what pg_dump copies while others write holds all that was acknowledged before it began, and can be served", async () => {
  const url = await cluster.createDatabase();
  const { server, token } = await serveFrom(url);
  const memory = await recallPostgres(server.folder, url);
  const writer = startWriter({ folder: server.folder, seed: 1, url });
  await writer.reached(30);
  const early = join(cluster.folder, "early.dump");
  await run("pg_dump", ["--format=custom", `--file=${early}`, url]);
  await writer.reached(writer.told().acknowledged + 30);
  const { acknowledged } = writer.told();
  const late = join(cluster.folder, "late.dump");
  await run("pg_dump", ["--format=custom", `--file=${late}`, url]);
  await writer.reached(writer.told().acknowledged + 10);
  const told = await writer.kill();
  expect((await server.ask("/tasks?limit=1", { token })).status).toBe(200);
  await server.stop();

  const restored = await cluster.createDatabase();
  await run("pg_restore", ["--exit-on-error", `--dbname=${restored}`, late]);
  const place = { folder: server.folder, url: restored };
  const { findings, memory: found } = await inspectPostgres(place, memory, told, acknowledged);
  expect(findings).toEqual(sound);
  // The control: the dump that was begun earlier does not hold what was acknowledged since.
  const older = await cluster.createDatabase();
  await run("pg_restore", ["--exit-on-error", `--dbname=${older}`, early]);
  const { findings: lacking } = await inspectPostgres({ ...place, url: older }, memory, told, acknowledged);
  expect(lacking.astray).not.toEqual([]);
  expect(lacking.wrongCounts).toEqual([]);

  const flags = { database_url: restored, port: String(server.port) };
  const again = await startProcess({ folder: server.folder, flags });
  expect((await again.ask("/tasks?limit=1", { token })).body.total_count).toBe(found.tasks.size);
  expect(await again.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
}, 120_000);
