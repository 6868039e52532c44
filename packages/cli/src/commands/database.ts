import { Command } from "commander";
import { backupCommand } from "./database-backup";
import { moveCommand } from "./database-move";
import { restoreCommand } from "./database-restore";

export function databaseCommand(): Command {
  return new Command("database")
    .description("The database as a whole.")
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(moveCommand());
}
