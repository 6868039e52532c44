import { Command } from "commander";
import { withConnection } from "../../connection/with-connection";
import { parseWhole } from "../../grammar/argument-parsers";
import { addConnectionOptions } from "../../grammar/connection-options";
import { addExamples } from "../../grammar/noun";
import { factNames, printFacts } from "../../grammar/show-verb";
import { findTaskId } from "../../lookups/tasks";
import { formatOf, type OutputFlags, outputOptions } from "../../output/output-format";
import { printItem } from "../../output/print-items";
import { writeLine } from "../../output/write";
import { factsOfTask } from "./task-facts";
import { printLog } from "./task-log";

const taskArgument = [
  "<id>",
  "The task, or the beginning of its id (6 characters or more); see: holdfast task list",
] as const;

interface ShowFlags extends OutputFlags {
  log?: true;
  follow?: true;
}

/** Shows a task, and its log where that is asked for. */
export function showTask(): Command {
  const command = new Command("show")
    .description("Show a task: what it is, how it stands, and what to do where it failed.")
    .argument(...taskArgument)
    .option("--log", "Show its log, too.")
    .option("--follow", "Show its log as it grows, until the task has ended.");
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, [
    "holdfast task show 0199a5c2-7e1b-7c3d-9f00-2b6a4d1e8f70 --log",
    "holdfast task show 0199a5c2-7e1b-7c3d-9f00-2b6a4d1e8f70 --follow",
  ]);
  command.action((given: string, flags: ShowFlags) =>
    withConnection(command, async ({ client }) => {
      const id = await findTaskId(client, given);
      const task = await client.tasks.read(id);
      const format = formatOf(flags) ?? "table";
      const wantsLog = flags.log === true || flags.follow === true;
      if (format !== "table") {
        const shown = wantsLog ? { ...task, log: await client.tasks.downloadLog(id) } : task;
        return printItem(format, shown, { id: () => task.id });
      }
      await printFacts(await factsOfTask(task, factNames(client)));
      if (!wantsLog) return;
      await writeLine("");
      await printLog(client, task.id, { follow: flags.follow });
    }),
  );
  return addConnectionOptions(command);
}

interface LogFlags {
  follow?: true;
  tail?: number;
}

/** Prints the log of a task, and nothing else. */
export function logTask(): Command {
  const command = new Command("log")
    .description("Print the log of a task.")
    .argument(...taskArgument)
    .option("--follow", "Go on as it grows, until the task has ended.")
    .option("--tail <bytes>", "Begin this many bytes before its end.", parseWhole(1, 1_048_576));
  addExamples(command, ["holdfast task log 0199a5c2-7e1b-7c3d-9f00-2b6a4d1e8f70 --tail 4096 --follow"]);
  command.action((given: string, flags: LogFlags) =>
    withConnection(command, async ({ client }) => {
      const id = await findTaskId(client, given);
      await client.tasks.read(id);
      await printLog(client, id, flags);
    }),
  );
  return addConnectionOptions(command);
}
