import { Command } from "commander";
import type { Connection } from "../connection/connection";
import { withConnection } from "../connection/with-connection";
import { formatOf, type OutputFlags, outputOptions } from "../output/output-format";
import { printItem } from "../output/print-items";
import { writeLine } from "../output/write";
import { visible } from "../terminal/visible";
import { addConnectionOptions } from "./connection-options";
import { addExamples } from "./noun";

/** Result of a change. */
export interface Made<Item extends object> {
  /** The item, where there is one still. */
  item?: Item | undefined;
  /** Text that is printed if no format is requested: an id, or a secret that is shown this once. Nothing else is data. */
  result?: string | undefined;
}

/** Verb that changes something. */
export interface ChangeVerb<Item extends object, Flags extends object> {
  name: string;
  description: string;
  argument?: readonly [name: string, description: string];
  addOptions?: (command: Command) => Command;
  examples: readonly string[];
  /** More that the help says, before the examples. */
  help?: string;
  /** Name of what is printed if no format is requested. Without it, the command prints nothing and has no format. */
  prints?: string;
  /** True if new data may be made where there is none. */
  mayCreate?: boolean;
  /** Refuses options that do not go together, before anything is asked. */
  check?: (flags: Flags, command: Command) => void;
  change: (connection: Connection, given: string, flags: Flags, command: Command) => Promise<Made<Item>>;
}

/** Declares a command that changes something. */
export function changeVerb<Item extends object & { id: string }, Flags extends object>(
  verb: ChangeVerb<Item, Flags>,
): Command {
  const { name, description, argument, prints, mayCreate = false } = verb;
  const command = new Command(name).description(description);
  if (argument) command.argument(`<${argument[0]}>`, argument[1]);
  verb.addOptions?.(command);
  if (prints !== undefined) for (const option of outputOptions(prints)) command.addOption(option);
  addExamples(command, verb.examples, verb.help);
  const run = (given: string, flags: Flags & OutputFlags) => {
    verb.check?.(flags, command);
    return withConnection(
      command,
      async (connection) => {
        const { item, result } = await verb.change(connection, given, flags, command);
        const format = formatOf(flags);
        if (format && item) await printItem(format, item, { id: ({ id }) => id });
        else if (prints !== undefined && result !== undefined) await writeLine(visible(result));
      },
      { mayCreate },
    );
  };
  if (argument) command.action((given: string, flags: Flags & OutputFlags) => run(given, flags));
  else command.action((flags: Flags & OutputFlags) => run("", flags));
  return addConnectionOptions(command);
}
