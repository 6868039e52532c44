import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Machines, startMachines } from "./start-machines";
import { type MachineFault, type Trial, tryFault } from "./trial";

let machines: Machines;

beforeAll(async () => {
  machines = await startMachines();
}, 300_000);

afterAll(async () => {
  await machines?.stop();
}, 60_000);

/** Expects the promises that hold whatever happens to a machine. */
function expectNoHarm(name: string, trial: Trial): void {
  const { writesAgain, maxGapAfterwards, slowestAnswer, slowestBefore, statuses, acknowledged, walks } = trial;
  const figures = { writesAgain, maxGapAfterwards, slowestAnswer, slowestBefore, statuses, acknowledged };
  process.stdout.write(
    `${name}: ${JSON.stringify({ ...figures, walks: walks.all, interrupted: walks.interrupted })}\n`,
  );
  expect(trial).toMatchObject({ mismatches: [], falselyLost: [], complaints: [], walks: { faulty: [] } });
  // The control: one more that was acknowledged and is not there is found.
  expect(trial.withOneMore).toHaveLength(1);
  expect(writesAgain).toBeLessThan(30_000);
  expect(maxGapAfterwards).toBeLessThan(5_000);
  expect(acknowledged).toBeGreaterThan(100);
}

const primaryFaults: [string, MachineFault][] = [
  ["killed", { strike: ({ primary }) => primary.kill(), undo: ({ primary }) => primary.start() }],
  ["paused", { strike: ({ primary }) => primary.pause(), undo: ({ primary }) => primary.resume() }],
  ["cut off", { strike: ({ primary }) => primary.cutOff(), undo: ({ primary }) => primary.mend() }],
  [
    "cut off from all but the service",
    { strike: ({ primary }) => primary.cutOffFromCluster(), undo: ({ primary }) => primary.mend() },
  ],
];

test.each(primaryFaults)(
  "R7: the primary is %s: nothing acknowledged is lost, nothing hangs, and writes succeed again within 30 s",
  async (name, fault) => {
    const trial = await tryFault(machines, fault, name.replaceAll(" ", "-"));
    expectNoHarm(name, trial);
    expect(trial.hasFailedOver).toBe(true);
    expect(trial.walks.interrupted).toBeGreaterThan(0);
  },
  300_000,
);

test("R7: the standby is paused: writes succeed again without it, and reads never stop", async () => {
  const fault: MachineFault = { strike: ({ standby }) => standby.pause(), undo: ({ standby }) => standby.resume() };
  const trial = await tryFault(machines, fault, "standby-paused");
  expectNoHarm("standby paused", trial);
  expect(trial.hasFailedOver).toBe(false);
  expect(trial.walks.interrupted).toBe(0);
}, 300_000);
