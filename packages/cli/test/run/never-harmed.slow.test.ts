import { afterAll, expect, test } from "bun:test";
import { noDisk } from "../../../runner/test/small-disk";
import { startCluster } from "../../../server/test/postgres-cluster";
import { createDice } from "../../../server/test/random";
import { runs, size } from "../../../server/test/runs";
import { startBadLine } from "./bad-line";
import { openRunWorld } from "./service";
import { runTrials } from "./trials";
import { databaseTroubles, makeSpoolDisk, type Trouble, troublesOf } from "./troubles";

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const one of undo.reverse()) await one();
});

interface Store {
  databaseUrl?: string;
  troubles: Trouble[];
}

/** PostgreSQL, which is killed as well. */
async function onPostgres(): Promise<Store> {
  const cluster = await startCluster();
  undo.push(cluster.remove);
  return { databaseUrl: await cluster.createDatabase(), troubles: databaseTroubles(cluster) };
}

/** The tests of the spool also cover SQLite with a service that is killed in the middle of a run. */
const stores: [name: string, trials: number, open: () => Promise<Store>][] = [
  ["PostgreSQL", size({ default: 2, long: runs(500).numRuns }), onPostgres],
  ["SQLite", size({ default: 4, long: runs(500).numRuns }), async () => ({ troubles: [] })],
];

test.each(stores.slice(0, size({ default: 1, long: 2 })))(
  `R29, R20: on %s, %i backups with restic and borg, while database, service, line or spool fail, equal bare ones, and every task ends true${noDisk}`,
  async (_, trials, open) => {
    const dice = createDice(Number(process.env.HOLDFAST_TEST_SEED ?? 29));
    const { troubles: ofStore, ...store } = await open();
    const world = await openRunWorld(store);
    undo.push(world.close);
    const line = await startBadLine(world.service().port, dice);
    undo.push(line.close);
    const disk = makeSpoolDisk(world.path);
    undo.push(() => disk?.remove());
    const troubles = [...ofStore, ...troublesOf(world, line, disk)];
    const spools = [world.spool, ...(disk ? [disk.spool] : [])];
    const { met, ...found } = await runTrials({ world, line, troubles, spools, dice, trials });
    expect(Object.keys(met)).toHaveLength(Math.min(trials, troubles.length));
    expect(found).toEqual({ differences: [], untrueTasks: [], leftInSpools: [], differentRepositories: [] });
  },
  7_200_000,
);
