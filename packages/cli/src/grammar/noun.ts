import { Command } from "commander";

/** Declares a noun and its verbs. Without a verb, the first of them runs. */
export function noun(name: string, description: string, [first, ...others]: readonly [Command, ...Command[]]): Command {
  const command = new Command(name).description(description).addCommand(first, { isDefault: true });
  for (const verb of others) command.addCommand(verb);
  return command;
}

/** The examples at the end of the help of a command. */
export function addExamples(command: Command, examples: readonly string[], before = ""): Command {
  const text = before === "" ? "" : `\n${before.trim()}\n`;
  const heading = examples.length === 1 ? "Example" : "Examples";
  return command.addHelpText("after", `${text}\n${heading}:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

/** The words that call a command: holdfast, and those after it. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
