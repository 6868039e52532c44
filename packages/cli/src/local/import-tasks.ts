import { setTimeout as pause } from "node:timers/promises";
import type { Database, Queries } from "@holdfast/server/database/database";
import { loadBeforeIndexing, type OnIndexing, refreshStatistics } from "@holdfast/server/database/tasks/indexes";
import type { AddOptions } from "@holdfast/server/database/tasks/rows";
import { listUnits } from "@holdfast/server/resources/organizational-units/store";
import type { KnownEntities } from "@holdfast/server/resources/tasks/entities";
import { type ImportContext, readImportedLine } from "@holdfast/server/resources/tasks/import";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { hasTasks, insertTasks, takenTaskIds } from "@holdfast/server/resources/tasks/store";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { TextLine } from "./read-lines";

const tasksPerBatch = 5000;
/** Between batches, in milliseconds: revoking a token meanwhile must not wait for the end. */
const breather = 20;

/** The options of an import. */
export interface ImportOptions {
  now: number;
  /** Import the good lines although there are bad ones. */
  skipBad: boolean;
  report: (line: number, problem: string) => void;
  onIndexing?: OnIndexing;
  /** Called in the transaction of the first tasks, with the number of all of them. */
  record?: (db: Queries, count: number) => Promise<void>;
}

interface NumberedTask {
  number: number;
  task: TaskRecord;
}

/**
 * Imports tasks and gives how many. The lines are read twice: all of them are checked before the first is written, so
 * that a bad one leaves nothing behind, and then written in short transactions, so that others can write in between.
 */
export async function importTasks(
  database: Database,
  readLines: () => AsyncIterable<TextLine[]>,
  { now, skipBad, report, onIndexing, record = async () => {} }: ImportOptions,
): Promise<number> {
  const { units, monitors } = await database.snapshot(async (db) => ({
    units: await listUnits(db),
    monitors: await db.selectFrom("monitors").select("id").execute(),
  }));
  const context = {
    now,
    unitIds: new Set(units.map(({ id }) => id)),
    monitorIds: new Set(monitors.map(({ id }) => id)),
  };
  const { bad, good } = await checkLines(database, readLines(), context, report);
  if (bad.size > 0 && !skipBad) {
    throw new Refusal(
      `Nothing was imported, because ${countLines(bad.size)} bad. Correct the file, or import the rest with --skip-bad.`,
    );
  }
  let imported = 0;
  const known: KnownEntities = new Map();
  const insertAll = async (options: AddOptions) => {
    for await (const batch of goodTasks(readLines(), context, bad)) {
      const isFirst = imported === 0;
      const insert = async (db: Queries) => {
        if (isFirst) await record(db, good);
        return insertTasks(db, batch, known, options);
      };
      const found = await database.change(insert);
      for (const [name, key] of found) known.set(name, key);
      imported += batch.length;
      await pause(breather);
    }
  };
  if (await database.snapshot(hasTasks)) {
    await insertAll({});
    await database.change(refreshStatistics, { kind: "maintenance", isLong: true });
  } else {
    await loadBeforeIndexing(database, () => insertAll({ isFirstLoad: true }), onIndexing);
  }
  return imported;
}

/** The numbers of the lines that cannot be imported, each reported in its turn, and how many can. */
async function checkLines(
  database: Database,
  pieces: AsyncIterable<TextLine[]>,
  context: ImportContext,
  report: ImportOptions["report"],
): Promise<{ bad: Set<number>; good: number }> {
  const bad = new Set<number>();
  let good = 0;
  const seen = new Set<string>();
  for await (const lines of pieces) {
    const problems = new Map<number, string>();
    const tasks: NumberedTask[] = [];
    for (const line of lines) {
      const read = readLine(line, context);
      if (read && "problem" in read) problems.set(line.number, read.problem);
      else if (read) tasks.push({ number: line.number, task: read.task });
    }
    const ids = tasks.map(({ task }) => task.id);
    const taken = await database.snapshot((db) => takenTaskIds(db, ids));
    for (const { number, task } of tasks) {
      if (taken.has(task.id) || seen.has(task.id)) {
        problems.set(number, `there is a task with the id ${JSON.stringify(task.id)} already`);
      } else good++;
      seen.add(task.id);
    }
    for (const [number, problem] of [...problems].sort(([one], [other]) => one - other)) {
      bad.add(number);
      report(number, problem);
    }
  }
  return { bad, good };
}

async function* goodTasks(
  pieces: AsyncIterable<TextLine[]>,
  context: ImportContext,
  bad: ReadonlySet<number>,
): AsyncGenerator<TaskRecord[]> {
  let batch: TaskRecord[] = [];
  for await (const lines of pieces) {
    for (const line of lines) {
      const read = bad.has(line.number) ? undefined : readLine(line, context);
      if (read && "task" in read) batch.push(read.task);
      if (batch.length === tasksPerBatch) {
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** Reads a line, and nothing from an empty one. */
function readLine(line: TextLine, context: ImportContext) {
  if ("problem" in line) return line;
  return line.text.trim() === "" ? undefined : readImportedLine(line.text, context);
}

/** "1 line is", "3 lines are". */
function countLines(count: number): string {
  return count === 1 ? "1 line is" : `${count} lines are`;
}
