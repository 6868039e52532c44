import { Command } from "commander";
import { addSettingOptions } from "../grammar/settings-options";
import type { BackupFlags } from "../local/back-up-database";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("Copy the SQLite database to a file, as of one moment, while the service goes on.")
    .argument("<file>", "Where the copy goes. Its folder has to exist. In a folder it gets a name with the time.")
    .option("--force", "Replace the file if there is one. It stays until the new copy is whole.")
    .option("--keep <count>", "In a folder: keep so many of the copies with such names, and remove the oldest.")
    .option("--report", "Report the backup as a task in this very database, with an item for Holdfast on this host.")
    .addHelpText(
      "after",
      `
The copy is checked before it gets its name, is readable by its owner alone, and needs no other file of the database.
The secret that the database was sealed with is not in it: keep that, too, and keep it elsewhere.

Examples:
  $ holdfast database backup /backup/holdfast-$(date +%F).db
  $ holdfast database backup --force /backup/holdfast.db
  $ holdfast database backup --keep 7 --report /var/backups/holdfast`,
    )
    .action(async (target: string, flags: BackupFlags) => {
      const { backUpDatabase } = await import("../local/back-up-database");
      await backUpDatabase(command, target, flags);
    });
  return addSettingOptions(command);
}
