import { Command } from "commander";
import { addSettingOptions } from "../grammar/settings-options";

export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("Check a backup, and put it into the place of the SQLite database.")
    .argument("<file>", "A file that holdfast database backup has made.")
    .option("--check", "Only check it: that it is whole, that this version can use it, and that the secret fits.")
    .addHelpText(
      "after",
      `
Stop the service first: while anything uses the database, nothing is restored. The secret of the backup has to be in its place. What was there before is moved into
a folder next to the database, and not removed.

Examples:
  $ holdfast database restore --check /var/backups/holdfast/holdfast-20261118T023000Z.db
  $ sudo systemctl stop holdfast && sudo holdfast database restore /var/backups/holdfast/holdfast-20261118T023000Z.db`,
    )
    .action(async (file: string, flags: { check?: boolean }) => {
      const { restoreDatabase } = await import("../local/restore-database");
      await restoreDatabase(command, file, flags);
    });
  return addSettingOptions(command);
}
