import type { z } from "zod";
import type { Caller } from "../access/caller";
import type { Queries } from "../database/database";
import type { ListScope } from "../lists/list-source";
import type { OperationParts } from "./operation-parts";

/** A report, as far as it is understood and allowed, inside the transaction that it is written in together with others. */
export interface ReportCall {
  db: Queries;
  parts: OperationParts;
  now: number;
  /** Who reports, with the rights that they had when the report arrived. */
  caller: Caller;
  /** The unit that is acted in, the caller and the permission of the operation: what narrows every query. */
  scope: ListScope;
  version: number;
  /** The variable of the path, where it has one. */
  itemId: string;
}

/** What a report is answered with, once it is committed. */
export interface Reported {
  /** As JSON. */
  body: string;
  /** Where what was made can be read. */
  location?: string;
  /** Whether it had been written before, so that nothing was changed. */
  isRepeated?: boolean;
}

/**
 * Writes a report. It may be begun again, alone or with others, so it must not leave a trace outside of the transaction.
 * A refusal undoes what this report has written, and nothing of the others.
 */
export type ReportImplementation = (call: ReportCall, body: unknown) => Promise<Reported>;

/**
 * Implements a report whose body has the given shape.
 * @public No operation is a report yet.
 */
export function implementReport<Body extends z.ZodType>(
  body: Body,
  report: (call: ReportCall, body: z.infer<Body>) => Promise<Reported>,
): ReportImplementation {
  return (call, given) => report(call, body.parse(given));
}
