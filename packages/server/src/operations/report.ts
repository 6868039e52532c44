import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Caller } from "../access/caller";
import type { Database, Queries } from "../database/database";
import type { ListScope } from "../lists/list-source";
import type { PathVariables } from "./path-variables";
import type { ReportBatcher } from "./report-batcher";

/** A report that has arrived, as far as it is understood and allowed. Rights are those at its arrival. */
export interface ReportCall {
  /** Who reports. */
  caller: Caller;
  /** The unit that is acted in, the caller and the permission of the operation. */
  scope: ListScope;
  variables: PathVariables;
  /** Permissions of the caller in the unit of the request. */
  permissions: ReadonlySet<Permission>;
  /** Permissions of the caller in another unit. Refuses where the caller holds no role in it, or it does not exist. */
  permissionsIn(unitId: string): Promise<ReadonlySet<Permission>>;
  /** Size of the body, in characters. */
  size: number;
  /** Where the request has an Idempotency-Key: what it was answered with before. */
  repeatable: RepeatableReport | undefined;
  /** Aborted when the client has left. */
  signal: AbortSignal;
  /** Waits with the answer, for so many seconds at most. Meanwhile the request does not count as one in flight. */
  hold(seconds: number, wait: () => Promise<void>): Promise<void>;
}

/** An answer that is kept under the key of its request, in the transaction of the report. */
export interface RepeatableReport {
  find(db: Queries): Promise<Reported | undefined>;
  keep(db: Queries, reported: Reported): Promise<void>;
}

/** Answer to a report, once it is committed. */
export interface Reported {
  /** As JSON. */
  body: string;
  /** Where what was made can be read. */
  location?: string;
  /** True if it had been written before, so that nothing was changed. */
  isRepeated?: boolean;
}

/** Takes a report: checks the JSON object that was sent, writes what it says, and answers. */
export type ReportImplementation = (call: ReportCall, sent: object) => Promise<Reported>;

/** Result of writing a report. */
export interface BatchedWrite<Item, Result> {
  items: readonly Item[];
  /** True if it may wait a little for others, because it begins and ends nothing. */
  canWait: boolean;
  answer: (results: readonly Result[]) => Reported;
  /** Called with what was written, once that is committed. */
  onCommitted: (results: readonly Result[]) => void;
}

/** Writes a report together with others, or by itself where its answer is kept under a key. */
export async function writeReport<Item, Result>(
  database: Pick<Database, "change">,
  queue: ReportBatcher<Item, Result>,
  { repeatable, size }: Pick<ReportCall, "repeatable" | "size">,
  { items, canWait, answer, onCommitted }: BatchedWrite<Item, Result>,
): Promise<Reported> {
  if (!repeatable) {
    const results = await queue.write(items, { size, canWait });
    onCommitted(results);
    return answer(results);
  }
  const { reported, results } = await database.change(async (db) => {
    const kept = await repeatable.find(db);
    if (kept) return { reported: kept };
    const results = await queue.writeAll(db, items);
    const reported = answer(results);
    await repeatable.keep(db, reported);
    return { reported, results };
  });
  if (results) onCommitted(results);
  return reported;
}
