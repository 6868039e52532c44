import { Command } from "commander";
import { backupCommand } from "./database-backup";
import { moveCommand } from "./database-move";

export function databaseCommand(): Command {
  return new Command("database")
    .description("The database as a whole.")
    .addCommand(backupCommand())
    .addCommand(moveCommand());
}
