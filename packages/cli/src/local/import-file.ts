import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Queries } from "@holdfast/server/database/database";
import type { Command } from "commander";
import { writeLine } from "../output/write";
import { createProgressBar } from "../terminal/progress-bar";
import { visible } from "../terminal/visible";
import { importTasks } from "./import-tasks";
import { openOrMakeForCommand } from "./open-for-command";
import { openInput } from "./open-input";
import { readLines } from "./read-lines";
import { recordCommand } from "./record-command";

/** Imports tasks from a file, and prints how many there were. */
export function importFile(
  command: Command,
  path: string,
  { skipBad, badLinesShown }: { skipBad: boolean; badLinesShown: number },
): Promise<void> {
  return openOrMakeForCommand(command, async (opened) => {
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
        if (bad <= badLinesShown) problems.push(`line ${line}: ${visible(problem)}`);
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
    await writeLine(String(imported));
  });
}
