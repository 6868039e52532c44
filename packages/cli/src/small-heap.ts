import { isExecutable } from "@holdfast/server/settings/executable";

const option = "BUN_JSC_heapGrowthMaxIncrease";
/** The same as in `packages/cli/bin/holdfast`, which starts the service in a checkout. */
const growth = "0.6";

/**
 * Starts the executable again in its own place, with an option that the runtime reads at its start only: between two collections
 * the heap may grow by about 60 % of what is in use, instead of to three times that.
 */
export function startWithSmallHeap(): void {
  const { env, execPath, argv } = process;
  if (!isExecutable || env[option] !== undefined || !process.execve) return;
  process.execve(execPath, [execPath, ...argv.slice(2)], { ...env, [option]: growth });
}
