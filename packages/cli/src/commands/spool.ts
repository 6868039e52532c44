import { deliverSpool, listSpool } from "@holdfast/runner/spool";
import { Command } from "commander";
import { printResultLine } from "../output";
import { WrongUse } from "../wrong-use";

export function spoolCommand(): Command {
  return new Command("spool")
    .description("What holdfast run could not deliver yet.")
    .addCommand(listCommand())
    .addCommand(deliverCommand());
}

interface SpoolFlags {
  spoolDir?: string;
  url?: string;
  tokenFile?: string;
}

const folderOption = ["--spool-dir <folder>", "The folder, instead of HOLDFAST_SPOOL or the usual one."] as const;

function listCommand(): Command {
  return new Command("list")
    .description("List the runs whose reports wait here: task id, type, since when, bytes, and whether it still runs.")
    .option(...folderOption)
    .action(({ spoolDir }: SpoolFlags) => {
      for (const { taskId, type, since, bytes, state } of listSpool(process.env, spoolDir)) {
        printResultLine([taskId, type, since, String(bytes), state].join("\t"));
      }
    });
}

function deliverCommand(): Command {
  return new Command("deliver")
    .description("Deliver what waits here. The exit code is 0 once everything is delivered.")
    .option(...folderOption)
    .option("--url <url>", "The service, instead of HOLDFAST_URL or the token's issuer.")
    .option("--token-file <file>", "A file with the API token, instead of HOLDFAST_TOKEN.")
    .addHelpText(
      "after",
      `
Examples:
  $ HOLDFAST_TOKEN=$(cat /etc/holdfast/token) holdfast spool deliver
  $ holdfast spool deliver --token-file /etc/holdfast/token`,
    )
    .action(async ({ spoolDir, url, tokenFile }: SpoolFlags) => {
      const results = await deliverSpool(process.env, { folder: spoolDir, url, tokenFile });
      if (results === undefined)
        throw new WrongUse("There is no token in HOLDFAST_TOKEN. Set it, or give --token-file.");
      for (const [taskId, result] of results) printResultLine(`${taskId}\t${result}`);
      const isDone = [...results.values()].every((result) => ["delivered", "running"].includes(result));
      if (!isDone) throw new Error("Not everything could be delivered. It stays in the spool, and can be tried again.");
    });
}
