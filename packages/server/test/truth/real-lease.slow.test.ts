import { expect, test } from "bun:test";
import { size, timeLimit } from "../runs";
import { standingOf, startFleet, untilLost } from "./fleet";
import { startSqliteWorld } from "./world";

const hour = 3_600_000;
const day = 24 * hour;
const lease = 30_000;
const many = size({ default: 12, long: 40 });

test("R28, R19: with the shortest real lease, through a kill of the service and clock steps of hours and days, only those are lost who died", async () => {
  const world = await startSqliteWorld({ nodes: 1, timeouts: {}, maxPauseMs: 0 });
  const living = await startFleet(world, "living", many, 1_000);
  const dying = await startFleet(world, "dying", 5, 1_000);
  await dying.runner.kill();
  const killedAt = performance.now();
  await world.nodes[0]?.restart("SIGKILL");
  const started = performance.now();
  const isLost = untilLost(world, dying, 120_000);
  for (const wrongBy of [hour, -hour, day, -day, 0]) {
    world.stepClock(wrongBy);
    await Bun.sleep(4_000);
  }
  await isLost;
  const endedAt = performance.now();
  const [lived, died] = [await standingOf(world, living), await standingOf(world, dying)];
  await living.runner.kill();
  await world.stop();
  expect(lived).toEqual({ states: { in_progress: many }, revived: [], inverted: [] });
  expect(died).toEqual({ states: { lost: 5 }, revived: [], inverted: [] });
  // Its own time, and the sweeps: at the latest from when the service could be reached again.
  expect(endedAt - killedAt).toBeGreaterThan(lease - 2_000);
  expect(endedAt - started).toBeLessThan(lease + timeLimit(10_000));
}, 240_000);
