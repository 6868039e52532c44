import { run, runHelp } from "@holdfast/runner/run";
import { Command, Option } from "commander";

/** The help of `holdfast run`. Running it begins in main.ts, before anything else is loaded. */
export function runCommand(): Command {
  const lines = runHelp.split("\n").slice(2);
  const flag = /^ {2}(--\S+(?: <\S+>)?) +(.+)$/;
  const command = new Command("run")
    .description("Run a command, such as a backup, and report it as a task.")
    .usage("[flags] -- <command> [arguments...]")
    .argument("[arguments...]")
    .allowUnknownOption();
  for (const line of lines) {
    const [, flags, description] = flag.exec(line) ?? [];
    if (flags !== undefined) command.addOption(new Option(flags, description));
  }
  const text = lines.filter((line) => !flag.test(line)).join("\n");
  return command
    .addHelpText("after", `\n${text.replaceAll(/\n{2,}/g, "\n\n")}`)
    .action(async (_, __, { args }: Command) => {
      process.exitCode = await run(["--", ...args], process.env);
    });
}
