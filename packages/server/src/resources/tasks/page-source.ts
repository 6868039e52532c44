import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Queries } from "../../database/database";
import { allOf } from "../../lists/comparisons";
import type { QueryPlan } from "./query-plan";
import { pinIndex } from "./slices";

/** What a page is read from: its order, and how many tasks are passed over and read. They may be slots of a statement. */
export interface PageBounds {
  order: RawBuilder<unknown>;
  count: unknown;
  skip: unknown;
}

/**
 * What a page of a plan is read from, beside the conditions of the plan. Where the plan has several scans, each gives as many
 * tasks as the page can need of it, in list order, so that they are merged and none is read to its end.
 */
export function pageSource(
  db: Queries,
  { index, condition, scans }: QueryPlan,
  others: readonly Expression<SqlBool>[],
  { order, count, skip }: PageBounds,
): RawBuilder<unknown> {
  if (!scans) return sql`tasks ${pinIndex(db, index)} where ${allOf([condition, ...others])}`;
  const parts = scans.map(
    (scan) => sql`(
      select created_at, id, document from tasks where ${allOf([scan, ...others])}
      order by created_at ${order}, id ${order} limit cast(${count} as bigint) + cast(${skip} as bigint))`,
  );
  return sql`(${sql.join(parts, sql` union all `)}) as found`;
}
