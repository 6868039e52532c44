import { callScenarios } from "./calls";
import { errorScenarios } from "./errors";
import { keyScenarios } from "./keys";
import { listScenarios } from "./lists";
import { reportScenarios } from "./reports";
import { retryScenarios } from "./retries";
import { watchScenarios } from "./watching";
import { openWorld, type Place, type Scenarios } from "./world";

const together: Scenarios = {
  ...callScenarios,
  ...listScenarios,
  ...errorScenarios,
  ...retryScenarios,
  ...watchScenarios,
  ...reportScenarios,
};

export const scenarioNames = [...Object.keys(keyScenarios), ...Object.keys(together)];

/** What came of each scenario: `passed`, or why not. */
export type Results = Record<string, string>;

/** Runs all scenarios, several at a time: most of them wait. Those about keys come first, as they end tokens of others. */
export async function runScenarios(place: Place, results: Results = {}): Promise<Results> {
  const world = openWorld(place);
  const run = async ([name, act]: [string, Scenarios[string]]) => {
    try {
      await act(world);
      results[name] = "passed";
    } catch (error) {
      results[name] = error instanceof Error ? `${error.stack}` : String(error);
    }
  };
  for (const scenario of Object.entries(keyScenarios)) await run(scenario);
  const waiting = Object.entries(together);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: place.atOnce }, work));
  return results;
}
