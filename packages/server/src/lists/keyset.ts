import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from "kysely";

/** The place of an item in its list: what the list is sorted by, and the id that breaks ties. */
export interface Place {
  key: string | number;
  id: string;
}

/**
 * The condition for what lies beyond a place. It is written so that both databases see the range on the first column,
 * which an OR alone hides from them.
 */
export function beyond<DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  columns: { key: ReferenceExpression<DB, TB>; id: ReferenceExpression<DB, TB> },
  place: Place,
  direction: "up" | "down",
): Expression<SqlBool> {
  const strictly = direction === "up" ? ">" : "<";
  return eb.and([
    eb(columns.key, direction === "up" ? ">=" : "<=", place.key),
    eb.or([eb(columns.key, strictly, place.key), eb(columns.id, strictly, place.id)]),
  ]);
}
