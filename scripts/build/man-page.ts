import { buildProgram } from "../../packages/cli/src/command-line";
import { manualPage } from "../../packages/cli/src/commands/manual-page";
import { describeCommand } from "../../packages/cli/src/grammar/describe-commands";
import { usualPatience } from "../../packages/cli/src/supervisor/patience";

/** Writes the manual page of the command, as `holdfast man` prints it. */
export async function manPage(): Promise<string> {
  return manualPage(describeCommand(await buildProgram(usualPatience)));
}
