import { isExecutable } from "@holdfast/server/settings/executable";

/**
 * The same as in `packages/cli/bin/holdfast`, which starts the service in a checkout. Between two collections the heap may grow by
 * about 60 % of what is in use, instead of to three times that. The compiler's last and longest effort takes 10 MiB, and what it
 * gains is little: the time goes into the database and the runtime itself.
 */
const options = { BUN_JSC_heapGrowthMaxIncrease: "0.6", BUN_JSC_useFTLJIT: "false" };

/** Starts the executable again in its own place, with options that the runtime reads at its start only. */
export function startWithRuntimeOptions(): void {
  const { env, execPath, argv } = process;
  const isStarted = Object.keys(options).every((option) => env[option] !== undefined);
  if (!isExecutable || isStarted || !process.execve) return;
  process.execve(execPath, [execPath, ...argv.slice(2)], { ...options, ...env });
}
