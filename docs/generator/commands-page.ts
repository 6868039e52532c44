import { buildProgram } from "../../packages/cli/src/command-line";
import { type DescribedCommand, describeCommand } from "../../packages/cli/src/grammar/describe-commands";
import { defaultTimeouts } from "../../packages/cli/src/supervisor/timeouts";
import { codeBlock, page } from "./markdown";

/** Page with the --help text of every command. */
export async function commandsPage(): Promise<string> {
  const program = describeCommand(await buildProgram(defaultTimeouts));
  return page("Commands", [
    "The output of `--help`, for every command. [Use the command line](../how-to/use-the-command-line.md) shows how they go together.",
    program.commands.map(contents).join("\n"),
    ...everyCommand(program).flatMap(({ path, help }) => [
      `## ${["holdfast", ...path].join(" ")}`,
      codeBlock("text", help),
    ]),
  ]);
}

function everyCommand(command: DescribedCommand): DescribedCommand[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** One line with links to a command and to those below it. */
function contents({ path, description, commands }: DescribedCommand): string {
  const below = commands.map((one) => link(one.path, one.path.at(-1) ?? "")).join(", ");
  return `- ${link(path, path.join(" "))}${below === "" ? "" : ` (${below})`}: ${description}`;
}

function link(path: readonly string[], text: string): string {
  return `[${text}](#holdfast-${path.join("-")})`;
}
