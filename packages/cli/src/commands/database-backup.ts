import { Command } from "commander";
import { addSettingOptions } from "../grammar/settings-options";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("Copy the SQLite database to a file, as of one moment, while the service goes on.")
    .argument("<file>", "Where the copy goes. Its folder has to exist.")
    .option("--force", "Replace the file if there is one. It stays until the new copy is whole.")
    .addHelpText(
      "after",
      `
The copy is checked before it gets its name, is readable by its owner alone, and needs no other file of the database.
The secret that the database was sealed with is not in it: keep that, too, and keep it elsewhere.

Examples:
  $ holdfast database backup /backup/holdfast-$(date +%F).db
  $ holdfast database backup --force /backup/holdfast.db`,
    )
    .action(async (target: string, flags: { force?: boolean }) => {
      const { backUpDatabase } = await import("../local/back-up-database");
      await backUpDatabase(command, target, flags);
    });
  return addSettingOptions(command);
}
