import { Command } from "commander";
import { addSettingOptions } from "../grammar/settings-options";
import type { MoveFlags } from "../local/move-data";

export function moveCommand(): Command {
  const command = new Command("move")
    .description("Copy everything into an empty database of another kind, and check that it arrived.")
    .requiredOption("--from <url>", "The database that the service has used: sqlite:<path> or postgres://…")
    .requiredOption("--to <url>", "An empty database, or a file that is not there yet. Written in the same way.")
    .option("--while-serving", "Move although a service uses one of them: what it writes meanwhile may stay behind.")
    .addHelpText(
      "after",
      `
Stop the service first: while it runs, the move is refused. The database that is moved from is only read. The audit trail of the other one records the move,
for which the secret is needed: it is taken from the settings, or from beside the file of SQLite. When the command was interrupted, run it again: it
goes on where it was. Until it has ended well, nothing else opens the database that is moved into.
Others on the machine can read a command's flags, so an address with a password in it is refused: put the password into
~/.pgpass or into PGPASSWORD.

Examples:
  $ holdfast database move --from sqlite:/var/lib/holdfast/holdfast.db --to postgres://holdfast@db.example.org/holdfast
  $ holdfast database move --from postgres://holdfast@db.example.org/holdfast --to sqlite:/var/lib/holdfast/holdfast.db`,
    )
    .action(async (flags: MoveFlags) => (await import("../local/move-data")).moveData(command, flags));
  return addSettingOptions(command, { shown: ["data_dir"] });
}
