import { Command } from "commander";
import { parseChoice } from "../../grammar/argument-parsers";
import { type DescribedCommand, describeCommand } from "../../grammar/describe-commands";
import { addExamples } from "../../grammar/noun";
import { writeResult } from "../../output/write";
import { bashCompletion } from "./bash";
import { fishCompletion } from "./fish";
import { zshCompletion } from "./zsh";

const shells = ["bash", "zsh", "fish"] as const;

type Shell = (typeof shells)[number];

const scripts: Record<Shell, (program: DescribedCommand) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Prints what completes commands in a shell. */
export function completionCommand(build: () => Promise<Command>): Command {
  const command = new Command("completion")
    .description("Print the script that completes holdfast in a shell.")
    .argument("<shell>", `${shells.join(", ")}.`, parseChoice(shells));
  addExamples(command, [
    "holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",
    "holdfast completion zsh > ~/.zfunc/_holdfast",
    "holdfast completion fish > ~/.config/fish/completions/holdfast.fish",
  ]);
  return command.action(async (shell: Shell) => {
    await writeResult(scripts[shell](describeCommand(await build())));
  });
}
