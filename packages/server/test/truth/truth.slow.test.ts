import { expect, test } from "bun:test";
import { control, firstOf, size } from "../runs";
import { type ChaosResult, runChaos } from "./chaos";
import { type ServiceWorld, startFailoverWorld, startPostgresWorld, startSqliteWorld } from "./world";

const leaseSecondMs = 20;
const lease = 30 * leaseSecondMs;
const hour = 3_600_000;
const options = { timeouts: { leaseSecondMs }, maxPauseMs: 2 * lease };
// Ten thousand in all.
const runs = size({ default: 30, long: 2_500 });
const longest = runs * 1_000 + 180_000;

function expectTruth({ mismatches, withOneMore, ...raged }: ChaosResult): void {
  expect(mismatches).toEqual([]);
  // The control: one more that was acknowledged and is not there is found.
  expect(withOneMore).toHaveLength(1);
  expect(raged.runs).toBeGreaterThanOrEqual(runs);
  expect(Math.min(raged.ended, raged.lost, raged.living, raged.faults)).toBeGreaterThan(0);
}

const worlds: [string, () => Promise<ServiceWorld>][] = [
  ["two processes on SQLite", () => startSqliteWorld({ ...options, nodes: 2 })],
  ["two processes on PostgreSQL, which is killed, too", () => startPostgresWorld({ ...options, nodes: 2 })],
  ["one process on SQLite", () => startSqliteWorld({ ...options, nodes: 1 })],
];

// Two processes do all that one does, and the primary below is killed as well. The long run has all three.
test.each(firstOf(1, worlds))(
  "R27: every task is what its runner did, whoever is killed, stopped and cut off: %s",
  async (_, start) => {
    const world = await start();
    const raged = await runChaos(world, { seed: 1, runners: 6, runs, lease });
    await world.stop();
    expectTruth(raged);
  },
  longest,
);

test(
  "R27: every task is what its runner did, also when the primary dies and its standby is promoted",
  async () => {
    const world = await startFailoverWorld({ ...options, nodes: 2 });
    const raged = await runChaos(world, { seed: 2, runners: 6, runs, lease, during: world.failOver });
    await world.stop();
    expectTruth(raged);
  },
  longest,
);

/** Lets the wall clock go back by an hour on SQLite while runners are killed. */
async function stepBack(countsByWallClock: boolean): Promise<ChaosResult> {
  const world = await startSqliteWorld({ ...options, timeouts: { leaseSecondMs, countsByWallClock }, nodes: 1 });
  const during = async () => world.stepClock(-hour);
  // Without faults of its own: a start would begin to count again.
  const settling = countsByWallClock ? 5_000 : 60_000;
  const raged = await runChaos({ ...world, faults: [] }, { seed: 3, runners: 6, runs: 20, lease, during, settling });
  await world.stop();
  return raged;
}

test("R27, R19: every task is what its runner did, also when the wall clock goes back by an hour", async () => {
  expect((await stepBack(false)).mismatches).toEqual([]);
}, 240_000);

control(
  "R27: the control: a service that counts leases by the wall clock is found out by the same",
  async () => {
    expect((await stepBack(true)).mismatches.join()).toContain('{"status":"in_progress"');
  },
  120_000,
);
