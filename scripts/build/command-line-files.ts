import { buildProgram } from "../../packages/cli/src/command-line";
import { bashCompletion } from "../../packages/cli/src/commands/completion/bash";
import { fishCompletion } from "../../packages/cli/src/commands/completion/fish";
import { zshCompletion } from "../../packages/cli/src/commands/completion/zsh";
import { manualPage } from "../../packages/cli/src/commands/manual-page";
import { describeCommand } from "../../packages/cli/src/grammar/describe-commands";
import { defaultTimeouts } from "../../packages/cli/src/supervisor/timeouts";

/** Files that are installed beside the command, all of it made of what the command says of itself. */
export interface CommandLineFiles {
  manPage: string;
  completions: { bash: string; zsh: string; fish: string };
}

export async function commandLineFiles(): Promise<CommandLineFiles> {
  const program = describeCommand(await buildProgram(defaultTimeouts));
  return {
    manPage: manualPage(program),
    completions: { bash: bashCompletion(program), zsh: zshCompletion(program), fish: fishCompletion(program) },
  };
}
