import { type Client, HoldfastError } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { withConnection } from "../../connection/with-connection";
import { addConnectionOptions, addUnitOption } from "../../grammar/connection-options";
import { NeedsAttention } from "../../grammar/needs-attention";
import { addExamples } from "../../grammar/noun";
import { UsageError } from "../../grammar/usage-error";
import { unitNames } from "../../lookups/names";
import { actingIn } from "../../lookups/units";
import { formatOf, type OutputFlags, type OutputFormat, outputOptions } from "../../output/output-format";
import { printItem, printItems } from "../../output/print-items";
import { ServiceUnreachable } from "../../report-failure";
import { drawStatus } from "./draw-status";
import { maxShown, readStatus, type Status } from "./read-status";

interface StatusFlags extends OutputFlags {
  unit?: string;
  strict?: true;
}

/** Answers whether everything is protected. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "Is everything protected? One screen that answers it. The exit code is 1 if something needs attention.",
    )
    .option("--strict", "Also count what is incomplete, what no monitor watches, and monitors that are late.");
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
It counts what is protected, except what is muted or retired, as the overview of the console does: something whose last backup
failed, was missed or never came needs attention. So does a monitor that is missed or failed. Everything is protected only if every
item has a good backup and a monitor watches it. What is incomplete, what no monitor watches and monitors that are late are named;
they need attention only with --strict. If nothing is protected at all, the answer is no.
API tokens that expire within 14 days are named if you may list tokens; they do not change the exit code.
With -o csv and -o id, all that needs attention is printed, a row or an id each.
The exit code is 0 if nothing needs attention, 1 if something needs attention, 2 for wrong use, and 3 if that could not be
found out: it fits into any monitoring.`,
  );
  command.action((flags: StatusFlags) =>
    withConnection(command, async ({ client: unscoped, local }) => {
      try {
        const format = formatOf(flags) ?? "table";
        const client = await actingInKnown(unscoped, flags.unit);
        const status = await readStatus(client, {
          isStrict: flags.strict === true,
          where: local?.where ?? client.baseUrl,
          max: format === "table" ? maxShown : Number.POSITIVE_INFINITY,
        });
        await print(client, status, format);
        if (status.needs_attention) throw new NeedsAttention();
      } catch (error) {
        if (error instanceof HoldfastError) throw new ServiceUnreachable(error.message, { cause: error });
        throw error;
      }
    }),
  );
  return addConnectionOptions(command);
}

/** Acts in a unit. One that does not exist is wrong use: 1 would say that something needs attention. */
async function actingInKnown(client: Client, unit: string | undefined): Promise<Client> {
  try {
    return await actingIn(client, unit);
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function print(client: Client, status: Status, format: OutputFormat): Promise<void> {
  if (format === "table") return drawStatus(status, unitNames(client));
  if (format !== "csv" && format !== "id") return printItem(format, status, { id: ({ verdict }) => verdict });
  await printItems(format, status.attention, {
    id: ({ id }) => id,
    columns: [
      { name: "id", title: "", value: ({ id }) => id },
      { name: "name", title: "", value: ({ primary_entity }) => primary_entity.value },
      { name: "type", title: "", value: ({ primary_entity }) => primary_entity.type },
      { name: "state", title: "", value: ({ state }) => state },
      { name: "last_good_backup", title: "", value: (one) => one.last_good_backup?.end_timestamp ?? "" },
      { name: "organizational_unit_id", title: "", value: (one) => one.organizational_unit_id },
    ],
  });
}
