import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Column } from "./comparisons";

/** The place of an item in its list: what the list is sorted by, and the id that breaks ties. */
export interface Place {
  key: string | number;
  id: string;
}

/**
 * The condition for what lies beyond a place. It is written so that both databases see the range on the first column,
 * which an OR alone hides from them.
 */
export function beyond(
  columns: { key: Column; id: Column },
  place: Place,
  direction: "up" | "down",
): RawBuilder<SqlBool> {
  const key = sql.ref(columns.key);
  const id = sql.ref(columns.id);
  return direction === "up"
    ? sql<SqlBool>`${key} >= ${place.key} and (${key} > ${place.key} or ${id} > ${place.id})`
    : sql<SqlBool>`${key} <= ${place.key} and (${key} < ${place.key} or ${id} < ${place.id})`;
}
