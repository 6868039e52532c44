import { expect, test } from "bun:test";
import { createDice } from "../random";
import { size } from "../runs";
import { standingOf, startFleet, untilLost } from "./fleet";
import { startPostgresWorld } from "./world";

const leaseSecondMs = 200;
const lease = 30 * leaseSecondMs;
const hour = 3_600_000;
const runners = size({ default: 30, long: 200 });
const lostInLog = "A task was lost";

test(`R28: no task of ${runners} runners is lost through restarts of the service and of the database, pauses and clock steps, and all are when they die`, async () => {
  const options = { nodes: 2, timeouts: { leaseSecondMs }, maxPauseMs: 3_000 } as const;
  const world = await startPostgresWorld(options);
  const fleet = await startFleet(world, "fleet", runners, leaseSecondMs);
  const dice = createDice(28);
  for (const [index, fault] of world.faults.entries()) {
    world.stepClock([hour, -hour, 0][index % 3] ?? 0);
    await fault(dice);
    await Bun.sleep(500);
  }
  // All of it at once: nothing is heard of anyone for a third of a lease.
  await Promise.all(world.nodes.map((node) => node.pause(lease / 3)));
  await Bun.sleep(lease / 2);
  const after = await standingOf(world, fleet);
  expect(after).toEqual({ states: { in_progress: runners }, revived: [], inverted: [] });
  expect(world.nodes.map((node) => node.printed()).join("")).not.toContain(lostInLog);
  await fleet.runner.kill();
  const took = await untilLost(world, fleet, 60_000);
  const { states, inverted } = await standingOf(world, fleet);
  await world.stop();
  expect([states, inverted]).toEqual([{ lost: runners }, []]);
  // A heartbeat that came last may have been written down a sweep later.
  expect(took).toBeGreaterThan(lease - 2_000);
}, 120_000);
