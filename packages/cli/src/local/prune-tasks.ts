import { previewRemoval, type RemovedMonth, removeOldTasks } from "@holdfast/server/resources/tasks/retention";
import type { Command } from "commander";
import { writeLine } from "../output/write";
import { openForCommand } from "./open-for-command";
import { recordCommand } from "./record-command";

/** Removes old tasks, and prints how many there were. */
export function pruneTasks(
  command: Command,
  { olderThanDays, dryRun }: { olderThanDays: number; dryRun: boolean },
): Promise<void> {
  return openForCommand(command, async (opened) => {
    const { database, now } = opened;
    if (dryRun) {
      const months = await previewRemoval(database, { days: olderThanDays, now });
      await printMonths(months, { removed: "Would remove", kept: "Would keep" });
      return;
    }
    const months = await removeOldTasks(database, {
      days: olderThanDays,
      now,
      record: (db, action) => recordCommand(db, opened, action),
    });
    await printMonths(months, { removed: "Removed", kept: "Kept" });
  });
}

async function printMonths(months: readonly RemovedMonth[], verbs: { removed: string; kept: string }): Promise<void> {
  for (const { month, removed, unfinished } of months) {
    if (removed > 0) process.stderr.write(`${verbs.removed} ${month.label}, with ${countTasks(removed)}.\n`);
    if (unfinished > 0) {
      process.stderr.write(`${verbs.kept} ${month.label}, because ${countUnfinished(unfinished)}.\n`);
    }
  }
  await writeLine(String(months.reduce((sum, { removed }) => sum + removed, 0)));
}

function countTasks(count: number): string {
  return count === 1 ? "1 task" : `${count} tasks`;
}

/** "1 of its tasks is not finished", "3 of its tasks are not finished". */
function countUnfinished(count: number): string {
  return `${count} of its tasks ${count === 1 ? "is" : "are"} not finished`;
}
