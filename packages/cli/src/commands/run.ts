import { run, runHelp } from "@holdfast/runner/run";
import { Command } from "commander";

/** The help of `holdfast run`. Running it begins in main.ts, before anything else is loaded. */
export function runCommand(): Command {
  const usage = runHelp.split("\n").slice(2).join("\n");
  return new Command("run")
    .description("Run a command, such as a backup, and report it as a task.")
    .usage("[flags] -- <command> [arguments...]")
    .argument("[arguments...]")
    .allowUnknownOption()
    .addHelpText("after", `\n${usage}`)
    .action(async (_, __, command: Command) => {
      process.exitCode = await run(["--", ...command.args], process.env);
    });
}
