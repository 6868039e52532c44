import { deliverSpool, listSpool, type WaitingRun } from "@holdfast/runner/spool";
import { Command } from "commander";
import { noun } from "../grammar/noun";
import { UsageError } from "../grammar/usage-error";
import { minute } from "../output/moments";
import { printItems } from "../output/print-items";
import type { Column } from "../output/table";
import { writeLine } from "../output/write";

export function spoolCommand(): Command {
  return noun("spool", "Reports that holdfast run could not deliver yet.", [listCommand(), deliverCommand()]);
}

interface SpoolFlags {
  spoolDir?: string;
  url?: string;
  tokenFile?: string;
  from?: string;
}

const folderOption = ["--spool-dir <folder>", "The folder, instead of HOLDFAST_SPOOL or the usual one."] as const;

const columns: Column<WaitingRun>[] = [
  { name: "task", title: "TASK", value: ({ taskId }) => taskId },
  { name: "type", title: "TYPE", value: ({ type }) => type, canShrink: true },
  { name: "since", title: "SINCE (UTC)", value: ({ since }) => minute(since) },
  { name: "bytes", title: "BYTES", value: ({ bytes }) => String(bytes), isExtra: true },
  { name: "state", title: "STATE", value: ({ state }) => state },
  { name: "service", title: "SERVICE", value: ({ baseUrl }) => baseUrl, canShrink: true, isExtra: true },
];

function listCommand(): Command {
  return new Command("list")
    .description(
      "List the runs whose reports wait here: task id, type, since when, bytes, whether it still runs, and for which service. A table on a terminal, else with tabs and without a heading.",
    )
    .option(...folderOption)
    .addHelpText("after", "\nExamples:\n  $ holdfast spool\n  $ holdfast spool list --spool-dir /var/spool/holdfast")
    .action(async ({ spoolDir }: SpoolFlags) => {
      const waiting = listSpool(process.env, spoolDir);
      if (process.stdout.isTTY) return printItems("table", waiting, { id: ({ taskId }) => taskId, columns });
      for (const { taskId, type, since, bytes, state, baseUrl } of waiting) {
        await writeLine([taskId, type, since, String(bytes), state, baseUrl].join("\t"));
      }
    });
}

function deliverCommand(): Command {
  return new Command("deliver")
    .description("Deliver what waits here. The exit code is 0 once everything is delivered.")
    .option(...folderOption)
    .option("--url <url>", "The service, instead of HOLDFAST_URL, that of the profile or the token's issuer.")
    .option("--token-file <file>", "A file with the API token, instead of HOLDFAST_TOKEN or a profile.")
    .option("--from <url>", "Deliver also what was meant for this address, which the service had before.")
    .addHelpText(
      "after",
      `
Examples:
  $ HOLDFAST_TOKEN=$(cat /etc/holdfast/token) holdfast spool deliver
  $ holdfast spool deliver --token-file /etc/holdfast/token
  $ holdfast spool deliver --token-file /etc/holdfast/token --from https://old.example.com`,
    )
    .action(async ({ spoolDir, url, tokenFile, from }: SpoolFlags) => {
      const delivery = await deliverSpool(process.env, { folder: spoolDir, url, tokenFile, from });
      if (delivery === undefined)
        throw new UsageError(
          "There is no token in HOLDFAST_TOKEN and no profile for it. Set it, give --token-file, or log in: holdfast login",
        );
      const { results, elsewhere } = delivery;
      for (const [taskId, result] of results) await writeLine(`${taskId}\t${result}`);
      const isDone = [...results.values()].every((result) => ["delivered", "running"].includes(result));
      if (!isDone) throw new Error(`${notDone}${[...elsewhere].map(adviseAbout).join("")}`);
    });
}

const notDone = "Not everything could be delivered. It stays in the spool, and can be tried again.";

function adviseAbout(address: string): string {
  return ` What is meant for ${address} is delivered there with --url ${address}, or, if the service has moved from there, here with --from ${address}.`;
}
