import { Command } from "commander";
import { describeCommand } from "../grammar/describe-commands";
import { addExamples } from "../grammar/noun";
import { writeResult } from "../output/write";
import { manualPage } from "./manual-page";

/** Prints the manual page. */
export function manCommand(build: () => Promise<Command>): Command {
  const command = new Command("man").description("Print the manual page, in the format of man.");
  addExamples(command, ["holdfast man | man -l -", "holdfast man > ~/.local/share/man/man1/holdfast.1"]);
  return command.action(async () => {
    await writeResult(manualPage(describeCommand(await build())));
  });
}
