import { Command } from "commander";
import { parseWhole } from "../../grammar/argument-parsers";
import { addSettingOptions } from "../../grammar/settings-options";

const badLinesShown = 100;

export function importCommand(): Command {
  const command = new Command("import")
    .description("Import tasks, one JSON object on each line, and print how many there were.")
    .argument("<file>", "NDJSON file; - is standard input.")
    .option("--skip-bad", "Import the good lines and skip the bad ones. The default is all or nothing.")
    .addHelpText(
      "after",
      `
A line has the fields that the API shows. category, type and status are required; the rest defaults:
  id                        a new UUID; an id that exists already is a bad line
  created_timestamp         start_timestamp, end_timestamp or now, whichever is the first given
  start_timestamp           created_timestamp for what has begun, else null
  end_timestamp             start_timestamp or created_timestamp for what has finished, else null
  progress_percentage       100 when completed, else 0
  organizational_unit_id    the root
  outcome                   success when completed, error when failed, cancelled when aborted, else null
  error                     null; required when failed, and when the outcome is warning
  is_abortable              false
  primary_entity, last_heartbeat_timestamp, last_progress_timestamp    null

category: backup, restore, snapshot, snapshot_restore, system, report_generation, management
status:   queued, in_progress, aborting, completed, failed, aborted

Bad lines are reported on standard error with their number and what is wrong: the first ${badLinesShown}, and how many
more there are.

Examples:
  $ holdfast task import history.ndjson
  $ echo '{"category":"backup","type":"restic_backup","status":"completed"}' | holdfast task import -`,
    )
    .action(async (path: string, { skipBad = false }: { skipBad?: boolean }) => {
      const { importFile } = await import("../../local/import-file");
      await importFile(command, path, { skipBad, badLinesShown });
    });
  return addSettingOptions(command);
}

export function pruneCommand(): Command {
  const command = new Command("prune")
    .description("Remove old tasks, whole months at a time, and print how many there were.")
    .requiredOption(
      "--older-than-days <number>",
      "A month is removed when all of it is older than this, 1 to 36500.",
      parseWhole(1, 36_500),
    )
    .option("--dry-run", "Print what would be removed, and change nothing.")
    .addHelpText(
      "after",
      `
Months are those of UTC. A month in which a task is not finished is kept whole. The service does the same by itself,
every hour, if task_retention_days is set.

Examples:
  $ holdfast task prune --older-than-days 400 --dry-run
  $ holdfast task prune --older-than-days 400`,
    )
    .action(async ({ olderThanDays, dryRun = false }: { olderThanDays: number; dryRun?: boolean }) => {
      const { pruneTasks } = await import("../../local/prune-tasks");
      await pruneTasks(command, { olderThanDays, dryRun });
    });
  return addSettingOptions(command);
}
