import { ApiError } from "@holdfast/api/conventions/api-error";
import type { Database, Queries } from "../database/database";
import { DatabaseAway, DatabaseBroken } from "../database/errors";
import { withSavepoint } from "./savepoint";

/** How much is written in one transaction, and how long the first report waits for others, in milliseconds. */
export interface GatherLimits {
  wait: number;
  reports: number;
  bytes: number;
}

/** Writes a report of so many bytes, together with others, and gives its result once that is committed. */
export type WriteReport = <Result>(write: (db: Queries) => Promise<Result>, bytes: number) => Promise<Result>;

interface Waiting {
  bytes: number;
  /** Writes it, and gives what answers it after the commit. */
  write(db: Queries): Promise<() => void>;
  reject(error: unknown): void;
}

const usualLimits: GatherLimits = { wait: 5, reports: 500, bytes: 4_194_304 };

/**
 * Gathers reports into groups, each of which is one transaction: a commit takes as long for many as for one. What arrives
 * while a group is being written goes into the next one.
 */
export function gatherReports(database: Pick<Database, "change">, limits: GatherLimits = usualLimits): WriteReport {
  let waiting: Waiting[] = [];
  let isGathering = false;

  async function writeWhatWaits(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, limits.wait));
    while (waiting.length > 0) {
      const size = sizeOfGroup(waiting, limits);
      const group = waiting.slice(0, size);
      waiting = waiting.slice(size);
      await writeGroup(database, group);
    }
    isGathering = false;
  }

  return (write, bytes) =>
    new Promise((resolve, reject) => {
      waiting.push({
        bytes,
        reject,
        async write(db) {
          const result = await write(db);
          return () => resolve(result);
        },
      });
      if (isGathering) return;
      isGathering = true;
      void writeWhatWaits();
    });
}

/** How many of those who wait are written together: at least one, however large it is. */
function sizeOfGroup(waiting: readonly Waiting[], limits: GatherLimits): number {
  let bytes = 0;
  const tooMany = waiting.findIndex((one, index) => {
    bytes += one.bytes;
    return index > 0 && (index >= limits.reports || bytes > limits.bytes);
  });
  return tooMany < 0 ? waiting.length : tooMany;
}

/** Writes a group and answers all of it. Never fails: what goes wrong is the answer. */
async function writeGroup(database: Pick<Database, "change">, group: readonly Waiting[]): Promise<void> {
  let answers: (() => void)[] = [];
  try {
    answers = await database.change(async (db) => {
      const made: (() => void)[] = [];
      for (const one of group) made.push(await writeOne(db, one));
      return made;
    });
  } catch (error) {
    const isOfAll = group.length === 1 || error instanceof DatabaseAway || error instanceof DatabaseBroken;
    if (isOfAll) answers = group.map((one) => () => one.reject(error));
    // One of them cannot be written, and nothing says which: alone, each of the others can.
    else for (const one of group) await writeGroup(database, [one]);
  }
  for (const answer of answers) answer();
}

async function writeOne(db: Queries, one: Waiting): Promise<() => void> {
  try {
    return await withSavepoint(db, () => one.write(db));
  } catch (error) {
    if (error instanceof ApiError) return () => one.reject(error);
    throw error;
  }
}
