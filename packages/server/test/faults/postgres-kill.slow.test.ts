import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeFolder } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";
import { createDice } from "../random";
import { control, size, timeLimit } from "../runs";
import { inspectPostgres, type PostgresFindings, recallPostgres, sound } from "./inspect-postgres";
import { serveFrom } from "./serve-from";
import { askSteadily, complaintsAbout } from "./steady-asking";
import { startWriter } from "./writer";
import { nothing } from "./writer-steps";

const kills = size({ default: 2, long: 100 });
let cluster: Cluster;

beforeAll(async () => {
  // A change that is acknowledged but not on the disk stays in memory for as long as a test takes.
  cluster = await startCluster({ wal_writer_delay: "10s" });
});

afterAll(() => cluster.remove());

test(
  `R6: ${kills} kills of PostgreSQL in the middle of writes and requests lose nothing that was acknowledged`,
  async () => {
    const url = await cluster.createDatabase();
    const { server, token, stop } = await serveFrom(url);
    const paths = ["/tasks?limit=5", "/tasks?limit=7&start=2", "/users", "/readyz", "/healthz"];
    const asking = askSteadily({ ask: server.ask, token, paths });
    const dice = createDice(kills);
    let memory = await recallPostgres(server.folder, url);
    const found: PostgresFindings[] = [];
    const recoveries: number[] = [];
    const complaints: string[] = [];
    let acknowledged = 0;
    for (let round = 1; round <= kills; round++) {
      const writer = startWriter({ folder: server.folder, seed: round, url });
      await writer.reached(10 + dice(20));
      await Bun.sleep(dice(100));
      const from = performance.now();
      await cluster.kill();
      const told = await writer.ended();
      await Bun.sleep(dice(500));
      const until = performance.now();
      await cluster.start();
      recoveries.push(await asking.untilWell(performance.now()));
      complaints.push(...complaintsAbout(asking.asked, { from, until }));
      const { findings, memory: left } = await inspectPostgres({ folder: server.folder, url }, memory, told);
      found.push(findings);
      memory = left;
      acknowledged += told.acknowledged;
      expect((await server.ask("/tasks?limit=1", { token })).body.total_count).toBe(memory.tasks.size);
    }
    await asking.stop();
    expect(found).toEqual(found.map(() => sound));
    expect(complaints).toEqual([]);
    expect(Math.max(...recoveries)).toBeLessThan(timeLimit(2_000));
    expect(acknowledged).toBeGreaterThan(10 * kills);
    expect(await stop()).toBe(0);
  },
  kills * 20_000 + 120_000,
);

control(
  "R6: the control: with synchronous_commit=off the same kill loses what was acknowledged",
  async () => {
    const url = await cluster.createDatabase();
    const folder = makeFolder();
    const writer = startWriter({ folder, seed: 1, url });
    await writer.reached(6);
    // Behind the back of the check at the start, which refuses it.
    await cluster.query("alter system set synchronous_commit = off");
    await cluster.query("select pg_reload_conf()");
    await Bun.sleep(200);
    await writer.reached(writer.told().acknowledged + 50);
    await cluster.kill();
    const told = await writer.ended();
    await cluster.start();
    await cluster.query("alter system reset synchronous_commit");
    await cluster.query("select pg_reload_conf()");
    await Bun.sleep(200);
    const { findings } = await inspectPostgres({ folder, url }, nothing, told);
    rmSync(folder, { recursive: true });
    expect(findings.wrongCounts).toEqual([]);
    expect(findings.astray).not.toEqual([]);
  },
  120_000,
);
