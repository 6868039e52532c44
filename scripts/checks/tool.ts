import { bun, runCommand } from "../run-command";
import type { Check } from "./check";

/** A check that a command-line tool of the workspace makes; it fails where the tool does. */
export function tool(name: string, program: string, ...parameters: string[]): Check {
  return {
    name,
    async find() {
      const { exitCode, report } = await runCommand([bun, "--bun", program, ...parameters]);
      return exitCode === 0 ? [] : [report || `${program} ended with exit code ${exitCode}.`];
    },
  };
}
