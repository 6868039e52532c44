import type { Database, Queries } from "../database/database";
import { DatabaseBroken, DatabaseUnavailable } from "../database/errors";

/** Limits of one transaction, and the time that reports wait for others, in milliseconds. */
export interface BatchLimits {
  /** Those that can wait. */
  maxWaitMs: number;
  /** All others. */
  shortWaitMs: number;
  reports: number;
  size: number;
}

/** Writes items in one transaction, in their order, and gives a result for each. It may be begun again. */
export type WriteAll<Item, Result> = (db: Queries, items: readonly Item[]) => Promise<Result[]>;

/** Size of a report, and whether it may wait for others. */
export interface QueuedReport {
  size: number;
  canWait: boolean;
}

export interface ReportBatcher<Item, Result> {
  /** Writes the items of a report together with others', and gives its results once that is committed. */
  write(items: readonly Item[], report: QueuedReport): Promise<Result[]>;
  writeAll: WriteAll<Item, Result>;
  /** Time that the last group took to be written, in milliseconds. */
  lastTook(): number;
}

interface Waiting<Item, Result> extends QueuedReport {
  items: readonly Item[];
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

const defaultLimits: BatchLimits = { maxWaitMs: 250, shortWaitMs: 5, reports: 500, size: 4_194_304 };

/**
 * Gathers reports into groups, each of which is one transaction: a commit takes as long for many as for one. What arrives
 * while a group is being written goes into the next one.
 */
export function createReportBatcher<Item, Result>(
  database: Pick<Database, "change">,
  writeAll: WriteAll<Item, Result>,
  limits: BatchLimits = defaultLimits,
): ReportBatcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUrgent = false;
  let took = 0;
  /** True if the last group was of several: only then is another report likely to come within the wait. */
  let wasShared = false;

  async function writeWhatWaits(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isUrgent = false;
    isWriting = true;
    while (waiting.length > 0) {
      const size = sizeOfBatch(waiting, limits);
      const group = waiting.slice(0, size);
      waiting = waiting.slice(size);
      wasShared = group.length > 1;
      const startedAt = performance.now();
      await writeBatch(group);
      took = performance.now() - startedAt;
    }
    isWriting = false;
  }

  /** Writes a group and answers all of it. Never fails: what goes wrong is the answer. */
  async function writeBatch(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = group.flatMap((one) => one.items);
      const results = await database.change((db) => writeAll(db, items), { kind: "report" });
      let from = 0;
      for (const one of group) {
        one.resolve(results.slice(from, from + one.items.length));
        from += one.items.length;
      }
    } catch (error) {
      const isOfAll = group.length === 1 || error instanceof DatabaseUnavailable || error instanceof DatabaseBroken;
      if (isOfAll) for (const one of group) one.reject(error);
      // One of them cannot be written, and nothing says which: alone, each of the others can.
      else for (const one of group) await writeBatch([one]);
    }
  }

  function schedule(canWait: boolean): void {
    if (isWriting || isUrgent || (timer !== undefined && canWait)) return;
    clearTimeout(timer);
    isUrgent = !canWait;
    if (isUrgent && !wasShared) setImmediate(() => void writeWhatWaits());
    else timer = setTimeout(() => void writeWhatWaits(), canWait ? limits.maxWaitMs : limits.shortWaitMs);
  }

  return {
    writeAll,
    lastTook: () => took,
    write: (items, report) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...report, items, resolve, reject });
        schedule(report.canWait && waiting.length < limits.reports);
      }),
  };
}

/** Number of waiting reports that are written together: at least one, however large it is. */
function sizeOfBatch(waiting: readonly Waiting<unknown, never>[], limits: BatchLimits): number {
  let size = 0;
  let reports = 0;
  const tooMany = waiting.findIndex((one, index) => {
    size += one.size;
    reports += one.items.length;
    return index > 0 && (reports > limits.reports || size > limits.size);
  });
  return tooMany < 0 ? waiting.length : tooMany;
}
