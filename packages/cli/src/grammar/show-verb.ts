import type { Client } from "@holdfast/client";
import { Command } from "commander";
import { withConnection } from "../connection/with-connection";
import { monitorNames, type Names, roleNames, unitNames, userNames } from "../lookups/names";
import type { Fact } from "../output/facts";
import { formatOf, type OutputFlags, outputOptions } from "../output/output-format";
import { type ItemShape, printItem, stdoutStyle } from "../output/print-items";
import { formatFacts } from "../output/table";
import { writeLine } from "../output/write";
import { addConnectionOptions } from "./connection-options";
import { addExamples } from "./noun";

/** Verb that shows one item. */
export interface ShowVerb<Item extends object> {
  description: string;
  /** The name of the argument, and what it can be. */
  argument: readonly [name: string, description: string];
  examples: readonly string[];
  read: (client: Client, given: string) => Promise<Item>;
  id: ItemShape<Item>["id"];
  /** Facts about it, the most important first; all of its fields if nothing is said. */
  facts: ((item: Item, names: FactNames) => Promise<readonly Fact[]> | readonly Fact[]) | undefined;
}

/** The names that facts show instead of ids, each read when it is asked for. */
export interface FactNames {
  client: Client;
  unit(id: string): Promise<string>;
  user(id: string): Promise<string>;
  role(id: string): Promise<string>;
  monitor(id: string): Promise<string>;
}

export function factNames(client: Client): FactNames {
  const read = (names: Names) => async (id: string) => {
    await names.load([id]);
    return names.of(id);
  };
  return {
    client,
    unit: read(unitNames(client)),
    user: read(userNames(client)),
    role: read(roleNames(client)),
    monitor: read(monitorNames(client)),
  };
}

/** Declares the command that shows one thing. */
export function showVerb<Item extends object>(verb: ShowVerb<Item>): Command {
  const [name, meaning] = verb.argument;
  const command = new Command("show").description(verb.description).argument(`<${name}>`, meaning);
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, verb.examples);
  command.action((given: string, flags: OutputFlags) =>
    withConnection(command, async ({ client }) => {
      const item = await verb.read(client, given);
      const format = formatOf(flags) ?? "table";
      if (format !== "table" || !verb.facts) return printItem(format, item, { id: verb.id });
      await printFacts(await verb.facts(item, factNames(client)));
    }),
  );
  return addConnectionOptions(command);
}

export async function printFacts(facts: readonly Fact[]): Promise<void> {
  for (const line of formatFacts(facts, stdoutStyle())) await writeLine(line);
}
