import { arrows } from "./arrows";
import type { Check } from "./check";
import { composing } from "./composing";
import { designIds } from "./design-ids";
import { lockFile } from "./lock-file";
import { runtime } from "./runtime";
import { schemaSteps } from "./schema-steps";
import { tool } from "./tool";
import { words } from "./words";

/** Every check, in the order in which they run. */
const checks: readonly Check[] = [
  tool("formatting and lint", "node_modules/.bin/biome", "check", "--error-on-warnings", "."),
  // TypeScript 7 takes a quarter of the time, and two thirds of that on one thread; other tools need the library of TypeScript 6.
  tool("types", "node_modules/types-check/bin/tsc", "--noEmit", "--singleThreaded"),
  // Code for a browser has the types of a browser, and not those of Bun.
  tool(
    "types of the console",
    "node_modules/types-check/bin/tsc",
    "--noEmit",
    "--singleThreaded",
    "--project",
    "packages/console",
  ),
  tool("dead code and unused dependencies", "node_modules/.bin/knip", "--no-config-hints"),
  tool("code that only tests use", "node_modules/.bin/knip", "--no-config-hints", "--production"),
  arrows,
  runtime,
  composing,
  tool("the generated reference is current", "docs/generate-reference.ts", "--check"),
  lockFile,
  schemaSteps,
  designIds,
  words,
];

export interface Outcome {
  passed: number;
  /** The names of those that found something. */
  failed: string[];
}

/** Runs all checks, whatever the first ones find, and tells about each. Those that an interrupt came before have failed. */
export async function runChecks(tell: (line: string) => void, signal?: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: [] };
  for (const { name, find } of checks) {
    const begun = performance.now();
    const found = signal?.aborted ? ["interrupted"] : await find();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    tell(`${found.length === 0 ? "ok  " : "FAIL"}  ${name} (${seconds} s)`);
    for (const fault of found) tell(fault.replace(/^/gm, "      "));
    if (found.length === 0) outcome.passed += 1;
    else outcome.failed.push(name);
  }
  return outcome;
}
