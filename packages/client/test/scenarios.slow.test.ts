import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Run, runInBrowser, runInNode, signedInAgain } from "./run-in-runtimes";
import { runScenarios, scenarioNames } from "./scenarios/run-scenarios";
import { type RunningHoldfast, startHoldfast } from "./start-holdfast";

let holdfast: RunningHoldfast;

beforeAll(async () => {
  holdfast = await startHoldfast({ tasks: 300 });
}, 120_000);

afterAll(() => holdfast.stop());

const runtimes: [string, () => Promise<Run>, string[]][] = [
  ["Bun", async () => ({ results: await runScenarios(holdfast.place), stray: [], lingered: 0 }), scenarioNames],
  ["Node", () => runInNode(holdfast.place), scenarioNames],
  ["Chromium, with a session", () => runInBrowser(holdfast), [...scenarioNames, signedInAgain]],
];

const isDefaultRun = process.env.HOLDFAST_TEST_DEFAULT === "1";
/** A default run has other jobs beside it, perhaps on a slow machine. */
const maxLingerMs = isDefaultRun ? 10_000 : 2_000;

// In Bun the examples run as well, so the default run is enough with the other two.
describe.each(isDefaultRun ? runtimes.slice(1) : runtimes)("in %s", (_, run, names) => {
  let done: Run;
  beforeAll(async () => {
    done = await run();
  }, 180_000);

  test.each(names)("%s", (name) => {
    expect(done.results[name]).toBe("passed");
  });

  test("no error is left to nothing that would hear it, and no timer keeps the program alive", () => {
    expect(done.stray).toEqual([]);
    expect(done.lingered).toBeLessThan(maxLingerMs);
  });
});
