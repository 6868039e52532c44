import { ApiError } from "@holdfast/api/conventions/api-error";
import type { Queries } from "@holdfast/server/database/database";
import type { Changed } from "@holdfast/server/operations/change";
import { Refusal } from "@holdfast/server/settings/refusal";
import { type CommandRequest, changeByCommand } from "@holdfast/server/start/change-by-command";
import type { Command } from "commander";
import { type OpenedForCommand, openForCommand, openOrMakeForCommand } from "./open-for-command";

/** Request of a command to an operation, worked out in the transaction of the change. */
export type BuildChange = (db: Queries, opened: OpenedForCommand) => CommandRequest | Promise<CommandRequest>;

/** Calls an operation of the API for a command, and lets the command show what was changed. */
export async function makeChange(
  command: Command,
  operation: string,
  ask: BuildChange,
  show: (changed: Changed) => void = () => {},
): Promise<void> {
  // Only what creates something may make a data directory.
  const open = operation.startsWith("create-") ? openOrMakeForCommand : openForCommand;
  await open(command, async (opened) => {
    try {
      show(await changeByCommand(opened, operation, (db) => ask(db, opened)));
    } catch (error) {
      throw withList(command, error);
    }
  });
}

/** Value that is shown only once, such as a token. */
export function shownOnce({ once }: Changed, name: string): string {
  const shown = once?.[name];
  if (shown === undefined) throw new Error(`The operation shows no ${name}.`);
  return shown;
}

/** Says where to find the id of what does not exist. */
function withList(command: Command, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const [{ name }] = error.faults;
  const lists: Partial<Record<typeof name, string>> = {
    itemUnknown: command.parent?.name() ?? "",
    unitForbidden: "ou",
  };
  const list = lists[name];
  return list === undefined ? error : new Refusal(`${error.message} See: holdfast ${list} list`, { cause: error });
}
