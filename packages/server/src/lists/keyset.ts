import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Column } from "./comparisons";

/** Value that an item is sorted by. */
export type SortValue = string | number;

/** The place of an item in its list: what the list is sorted by, and the id that breaks ties. */
export interface ListPlace {
  /** One value, or several where those after the first break ties before the id does. */
  key: SortValue | readonly SortValue[];
  id: string;
}

/** A column that is sorted by, or what stands for it. */
export type SortColumn = Column | RawBuilder<unknown>;

/**
 * The condition for what lies beyond a place. It is written so that both databases see the range on the first column,
 * which an OR alone hides from them.
 */
export function beyond(
  columns: { key: SortColumn | readonly SortColumn[]; id: Column },
  place: { key: unknown; id: unknown },
  direction: "up" | "down",
): RawBuilder<SqlBool> {
  const keys = [columns.key].flat();
  const values = [place.key].flat();
  if (keys.length !== values.length) throw new Error("A place has as many values as its list is sorted by.");
  const [orEqual, strictly] = direction === "up" ? [sql`>=`, sql`>`] : [sql`<=`, sql`<`];
  const id = sql<SqlBool>`${sql.ref(columns.id)} ${strictly} ${place.id}`;
  return keys.reduceRight<RawBuilder<SqlBool>>((rest, column, index) => {
    const key = typeof column === "string" ? sql.ref(column) : column;
    return sql<SqlBool>`${key} ${orEqual} ${values[index]} and (${key} ${strictly} ${values[index]} or ${rest})`;
  }, id);
}
