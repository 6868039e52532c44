import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Queries } from "@holdfast/server/database/database";
import { previewRemoval, type RemovedMonth, removeOldTasks } from "@holdfast/server/resources/tasks/retention";
import { Command } from "commander";
import { parseWhole } from "../argument-parsers";
import { importTasks } from "../import-tasks";
import { openForCommand, openOrMakeForCommand } from "../open-for-command";
import { openInput } from "../open-input";
import { onOneLine, printResult } from "../output";
import { createProgressBar } from "../progress-bar";
import { readLines } from "../read-lines";
import { recordCommand } from "../record-command";
import { addSettingOptions } from "../settings-options";

const badLinesShown = 100;

export function taskCommand(): Command {
  return new Command("task")
    .description("Tasks: what ran, when, on what and how it ended.")
    .addCommand(importCommand())
    .addCommand(pruneCommand());
}

function importCommand(): Command {
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
    .action((path: string, { skipBad = false }: { skipBad?: boolean }) =>
      openOrMakeForCommand(command, async (opened) => {
        const { database, settings, now } = opened;
        const input = await openInput(path, settings.data_dir);
        const bar = createProgressBar({ label: "Importing", total: 2 * input.size, stream: process.stderr });
        const problems: string[] = [];
        let bad = 0;
        const options = {
          now,
          skipBad,
          report: (line: number, problem: string) => {
            bad++;
            if (bad <= badLinesShown) problems.push(`line ${line}: ${onOneLine(problem)}`);
          },
          onIndexing: (built: number, all: number) => bar.show("Building indexes", built, all),
          record: (db: Queries, tasks: number) =>
            recordCommand(db, opened, {
              operation: "import-tasks",
              object: null,
              unitId: rootUnitId,
              after: { tasks },
            }),
        };
        let imported = 0;
        try {
          imported = await importTasks(database, () => readLines(input.read(bar.advance)), options);
          if (bad > 0) problems.push(`Imported ${imported} and skipped ${bad}.`);
        } finally {
          bar.done();
          await input.close();
          if (bad > badLinesShown) problems.splice(badLinesShown, 0, `and ${bad - badLinesShown} more bad lines`);
          for (const problem of problems) process.stderr.write(`${problem}\n`);
        }
        printResult(String(imported));
      }),
    );
  return addSettingOptions(command);
}

function pruneCommand(): Command {
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
    .action(({ olderThanDays, dryRun = false }: { olderThanDays: number; dryRun?: boolean }) =>
      openForCommand(command, async (opened) => {
        const { database, now } = opened;
        if (dryRun) {
          const months = await previewRemoval(database, { days: olderThanDays, now });
          printMonths(months, { removed: "Would remove", kept: "Would keep" });
          return;
        }
        const months = await removeOldTasks(database, {
          days: olderThanDays,
          now,
          record: (db, action) => recordCommand(db, opened, action),
        });
        printMonths(months, { removed: "Removed", kept: "Kept" });
      }),
    );
  return addSettingOptions(command);
}

function printMonths(months: readonly RemovedMonth[], verbs: { removed: string; kept: string }): void {
  for (const { month, removed, unfinished } of months) {
    if (removed > 0) process.stderr.write(`${verbs.removed} ${month.label}, with ${countTasks(removed)}.\n`);
    if (unfinished > 0) {
      process.stderr.write(`${verbs.kept} ${month.label}, because ${countUnfinished(unfinished)}.\n`);
    }
  }
  printResult(String(months.reduce((sum, { removed }) => sum + removed, 0)));
}

function countTasks(count: number): string {
  return count === 1 ? "1 task" : `${count} tasks`;
}

/** "1 of its tasks is not finished", "3 of its tasks are not finished". */
function countUnfinished(count: number): string {
  return `${count} of its tasks ${count === 1 ? "is" : "are"} not finished`;
}
