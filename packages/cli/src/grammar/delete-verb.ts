import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import type { Connection } from "../connection/connection";
import { confirm } from "../terminal/prompt";
import { changeVerb } from "./change-verb";
import { UsageError } from "./usage-error";

/** Verb that deletes something. */
export interface DeleteVerb<Flags extends object> {
  description: string;
  argument: readonly [name: string, description: string];
  addOptions?: (command: Command) => Command;
  examples: readonly string[];
  /** Finds the id of what is meant. */
  find: (connection: Connection, given: string) => Promise<string>;
  /** Name of the item in the question. */
  nameOf: (connection: Connection, id: string) => Promise<string>;
  remove: (connection: Connection, id: string, flags: Flags) => Promise<void>;
}

/** Declares the command that deletes something. It asks first on a terminal; anywhere else it needs --yes. */
export function deleteVerb<Flags extends object>({
  find,
  nameOf,
  remove,
  addOptions,
  ...verb
}: DeleteVerb<Flags>): Command {
  return changeVerb<{ id: string }, Flags & { yes?: true }>({
    ...verb,
    name: "delete",
    addOptions: (command) => {
      addOptions?.(command);
      return command.option("--yes", "Delete without asking.");
    },
    async change(connection, given, flags) {
      if (!flags.yes && !(process.stdin.isTTY && process.stderr.isTTY)) {
        throw new UsageError("Without a terminal that could ask, deleting needs --yes.");
      }
      const id = await find(connection, given);
      if (!flags.yes && !(await confirm(`Delete ${await nameOf(connection, id)}?`))) {
        throw new Refusal("Nothing was deleted.");
      }
      await remove(connection, id, flags);
      return {};
    },
  });
}
