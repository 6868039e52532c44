import { HoldfastError } from "@holdfast/client";
import { Command } from "commander";
import { withConnection } from "../../connection/with-connection";
import { addConnectionOptions, addUnitOption } from "../../grammar/connection-options";
import { NeedsAttention } from "../../grammar/needs-attention";
import { addExamples } from "../../grammar/noun";
import { unitNames } from "../../lookups/names";
import { actingIn } from "../../lookups/units";
import { formatOf, type OutputFlags, outputOptions } from "../../output/output-format";
import { printItem } from "../../output/print-items";
import { CannotBeAsked } from "../../report-failure";
import { drawStatus } from "./draw-status";
import { readStatus } from "./read-status";

interface StatusFlags extends OutputFlags {
  unit?: string;
  strict?: true;
}

/** Answers whether everything is protected. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description("Is everything protected? One screen that answers it. The exit code is 0 only if so.")
    .option("--strict", "Also count what no monitor watches, and monitors that are late.");
  for (const option of outputOptions("table")) command.addOption(option);
  addUnitOption(command, "Only what is in this organizational unit or below it.");
  addExamples(
    command,
    [
      "holdfast status",
      "holdfast status --unit Berlin --strict || mail -s 'Backups need attention' ops@example.org",
      "holdfast status -o json",
    ],
    `
It counts what is protected, except what is muted or retired: something whose last backup failed, was missed, is incomplete or
never came needs attention, and so does a monitor that is missed or failed. Where nothing is protected at all, the answer is no.
The exit code is 0 if everything is protected, 1 if something needs attention, 2 for wrong use, and 3 if that could not be
found out: it fits into any monitoring.`,
  );
  command.action((flags: StatusFlags) =>
    withConnection(command, async ({ client: unscoped, local }) => {
      try {
        const client = await actingIn(unscoped, flags.unit);
        const status = await readStatus(client, {
          isStrict: flags.strict === true,
          where: local?.where ?? client.baseUrl,
        });
        const format = formatOf(flags) ?? "table";
        if (format === "table") await drawStatus(status, unitNames(client));
        else await printItem(format, status, { id: ({ verdict }) => verdict });
        if (!status.is_protected) throw new NeedsAttention();
      } catch (error) {
        if (error instanceof HoldfastError) throw new CannotBeAsked(error.message, { cause: error });
        throw error;
      }
    }),
  );
  return addConnectionOptions(command);
}
