import { expect, test } from "bun:test";
import { size } from "../runs";
import { type Raged, rage } from "./rage";
import { startFailoverWorld, startPostgresWorld, startSqliteWorld, type World } from "./world";

const leaseSecond = 20;
const lease = 30 * leaseSecond;
const patience = { leaseSecond };
const longestPause = 2 * lease;
const options = { patience, longestPause } as const;
// Ten thousand in all.
const runs = size({ usual: 60, long: 2_500 });

function expectTruth({ untruths, withOneMore, ...raged }: Raged): void {
  expect(untruths).toEqual([]);
  // The control: one more that was acknowledged and is not there is found.
  expect(withOneMore).toHaveLength(1);
  expect(raged.runs).toBeGreaterThanOrEqual(runs);
  expect(Math.min(raged.ended, raged.lost, raged.living, raged.faults)).toBeGreaterThan(0);
}

const worlds: [string, (options: Pick<Parameters<typeof startSqliteWorld>[0], never>) => Promise<World>][] = [
  ["one process on SQLite", () => startSqliteWorld({ ...options, nodes: 1 })],
  ["two processes on SQLite", () => startSqliteWorld({ ...options, nodes: 2 })],
  ["two processes on PostgreSQL, which is killed, too", () => startPostgresWorld({ ...options, nodes: 2 })],
];

test.each(worlds)(
  "R27: every task is what its runner did, whoever is killed, stopped and cut off: %s",
  async (_, start) => {
    const world = await start({});
    const raged = await rage(world, { seed: 1, runners: 6, runs, lease });
    await world.stop();
    console.log(JSON.stringify({...raged, untruths: raged.untruths.length}));
    expectTruth(raged);
  },
  runs * 1_000 + 60_000,
);
