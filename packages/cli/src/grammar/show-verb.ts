import type { Client } from "@holdfast/client";
import { Command } from "commander";
import { withConnection } from "../connection/with-connection";
import { formatOf, type OutputFlags, outputOptions } from "../output/output-format";
import { type ItemShape, printItem } from "../output/print-items";
import { addConnectionOptions } from "./connection-options";
import { addExamples } from "./noun";

/** How one thing is shown. */
export interface ShowVerb<Item extends object> {
  description: string;
  /** The name of the argument, and what it can be. */
  argument: readonly [name: string, description: string];
  examples: readonly string[];
  read: (client: Client, given: string) => Promise<Item>;
  id: ItemShape<Item>["id"];
}

/** Declares the command that shows one thing. */
export function showVerb<Item extends object>({ description, argument, examples, read, id }: ShowVerb<Item>): Command {
  const [name, meaning] = argument;
  const command = new Command("show").description(description).argument(`<${name}>`, meaning);
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, examples);
  command.action((given: string, flags: OutputFlags) =>
    withConnection(command, async ({ client }) => {
      await printItem(formatOf(flags) ?? "table", await read(client, given), { id });
    }),
  );
  return addConnectionOptions(command);
}
