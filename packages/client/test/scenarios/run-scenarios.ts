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

const scenarioTimeoutMs = 120_000;

export const scenarioNames = [...Object.keys(keyScenarios), ...Object.keys(together)];

/** Result of each scenario: `passed`, or why not. */
export type Results = Record<string, string>;

/** Runs all scenarios, several at a time: most of them wait. Those about keys come first, as they end tokens of others. */
export async function runScenarios(place: Place): Promise<Results> {
  const results: Results = {};
  const world = openWorld(place);
  const run = async ([name, act]: [string, Scenarios[string]]) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("It did not end in time.")), scenarioTimeoutMs);
    });
    try {
      await Promise.race([act(world), late]);
      results[name] = "passed";
    } catch (error) {
      results[name] = error instanceof Error ? `${error.stack}` : String(error);
    } finally {
      clearTimeout(timer);
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
