import type { Queries } from "@holdfast/server/database/database";
import { buildScatteredIndexes, scatteredIndexNames } from "@holdfast/server/database/task-indexes";
import { Refusal } from "@holdfast/server/refusal";
import { listUnits } from "@holdfast/server/resources/organizational-units/store";
import type { KnownEntities } from "@holdfast/server/resources/tasks/entities";
import { readImportedLine } from "@holdfast/server/resources/tasks/import";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { insertTasks, takenTaskIds } from "@holdfast/server/resources/tasks/store";
import type { TextLine } from "./read-lines";

const tasksPerBatch = 2000;
const usualLineSize = 400;
const bigSize = 20_000_000;

/** What an import needs to be told besides its lines. */
export interface ImportOptions {
  /** How many bytes the lines are, all in all. */
  size: number;
  now: number;
  /** Import the good lines although there are bad ones. */
  skipBad: boolean;
  report: (line: number, problem: string) => void;
}

interface NumberedTask {
  number: number;
  task: TaskRecord;
}

/**
 * Imports tasks inside a transaction of the caller's and gives how many. Refuses, which undoes all of it, where a line
 * is bad.
 */
export async function importTasks(
  db: Queries,
  pieces: AsyncIterable<TextLine[]>,
  { size, now, skipBad, report }: ImportOptions,
): Promise<number> {
  const context = { now, unitIds: new Set((await listUnits(db)).map((unit) => unit.id)) };
  const known: KnownEntities = new Map();
  let imported = 0;
  let refused = 0;
  let waiting: NumberedTask[] = [];
  let bad: { number: number; problem: string }[] = [];
  const flush = async () => {
    // What the file itself has brought so far is in the database, too: one look finds every id that is there already.
    const taken = await takenTaskIds(
      db,
      waiting.map(({ task }) => task.id),
    );
    const tasks: TaskRecord[] = [];
    for (const { number, task } of waiting) {
      if (taken.has(task.id)) {
        bad.push({ number, problem: `there is a task with the id ${JSON.stringify(task.id)} already` });
      } else {
        taken.add(task.id);
        tasks.push(task);
      }
    }
    await insertTasks(db, tasks, known);
    imported += tasks.length;
    refused += bad.length;
    for (const { number, problem } of bad.sort((one, other) => one.number - other.number)) report(number, problem);
    waiting = [];
    bad = [];
  };
  const isBig = await outweighsTasks(db, size);
  if (isBig) await dropScatteredIndexes(db);
  for await (const lines of pieces) {
    for (const line of lines) {
      if ("problem" in line) {
        bad.push(line);
      } else if (line.text.trim() !== "") {
        const read = readImportedLine(line.text, context);
        if ("problem" in read) bad.push({ number: line.number, problem: read.problem });
        else waiting.push({ number: line.number, task: read.task });
      }
      if (waiting.length + bad.length >= tasksPerBatch) await flush();
    }
  }
  await flush();
  if (refused > 0 && !skipBad) {
    throw new Refusal(
      `Nothing was imported, because ${countLines(refused)} bad. Mend the file, or import the rest with --skip-bad.`,
    );
  }
  if (isBig) await buildScatteredIndexes(db);
  return imported;
}

/** Whether so much comes in that building indexes anew takes less time than keeping them up line by line. */
async function outweighsTasks(db: Queries, size: number): Promise<boolean> {
  if (size < bigSize) return false;
  const latest = await db
    .selectFrom("tasks")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return size / usualLineSize > (latest?.seq ?? 0);
}

/** Only this transaction is without them: to everybody else they stay, and so they do where the import is refused. */
async function dropScatteredIndexes(db: Queries): Promise<void> {
  for (const name of scatteredIndexNames) await db.schema.dropIndex(name).ifExists().execute();
}

/** "1 line is", "3 lines are". */
function countLines(count: number): string {
  return count === 1 ? "1 line is" : `${count} lines are`;
}
