import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import { type Expression, type SqlBool, sql } from "kysely";
import type { Queries } from "../database/database";
import { allOf, canBeStored } from "./comparisons";
import { beyond, type Place } from "./keyset";
import type { ListScope, ListSource, Placed, Slice } from "./list-source";

/** How the rows of one table are listed. */
export interface TableList<Row extends object, Field extends string> {
  table: string;
  /** What is sorted by, the id that breaks ties, and the number that rows get as they arrive. */
  key: keyof Row & string;
  id: keyof Row & string;
  arrival: string;
  order: "up" | "down";
  /** The columns that are read, the key and the id among them. */
  columns: readonly (keyof Row & string)[];
  /** Narrows to what the caller may see from the unit. */
  scope: (scope: ListScope) => Expression<SqlBool>[];
  compare: (condition: Condition<Field>, scope: ListScope) => Expression<SqlBool>;
}

/** Rows as they were read, each with its place in the list. */
export type PlacedRow<Row> = Row & Placed;

/** Lists a table that is small enough to be counted, however many times it is asked for. */
export interface TableSource<Row extends object, Field extends string> extends ListSource<PlacedRow<Row>, Field> {
  /** Reads one row that the caller may see from the unit, or nothing. */
  find(db: Queries, scope: ListScope, id: string): Promise<PlacedRow<Row> | undefined>;
}

export function createTableSource<Row extends object, Field extends string>(
  list: TableList<Row, Field>,
): TableSource<Row, Field> {
  const from = sql.table(list.table);
  const ref = (column: string) => sql.ref(`${list.table}.${column}`);
  const columns = sql.join(list.columns.map(ref));
  const place = (row: Row): PlacedRow<Row> => ({ ...row, place: placeOf(row[list.key], row[list.id]) });
  const conditions = (scope: ListScope, filter: Filter<Field>) =>
    allOf([...list.scope(scope), ...filter.map((condition) => list.compare(condition, scope))]);

  return {
    async survey({ db }, scope, filter) {
      const { rows } = await sql<{ total: number; horizon: number | null }>`
        select (select count(*) from ${from} where ${conditions(scope, filter)}) as total,
          (select max(${ref(list.arrival)}) from ${from} where ${conditions(scope, [])}) as horizon`.execute(db);
      return { total: rows[0]?.total ?? 0, horizon: rows[0]?.horizon ?? 0, furthest: null };
    },
    async read({ db }, scope, filter, { survey, count, from: start }: Slice) {
      const isUp = (list.order === "up") !== "before" in start;
      const names = { key: `${list.table}.${list.key}`, id: `${list.table}.${list.id}` };
      const wanted = [conditions(scope, filter), sql<SqlBool>`${ref(list.arrival)} <= ${survey.horizon}`];
      if (!("skip" in start)) {
        wanted.push(beyond(names, "after" in start ? start.after : start.before, isUp ? "up" : "down"));
      }
      const direction = isUp ? sql`asc` : sql`desc`;
      const { rows } = await sql<Row>`
        select ${columns} from ${from} where ${allOf(wanted)}
        order by ${ref(list.key)} ${direction}, ${ref(list.id)} ${direction}
        limit ${count} offset ${"skip" in start ? start.skip : 0}`.execute(db);
      return rows.map(place);
    },
    async find(db, scope, id) {
      if (!canBeStored(id)) return undefined;
      const { rows } = await sql<Row>`
        select ${columns} from ${from} where ${allOf([...list.scope(scope), sql<SqlBool>`${ref(list.id)} = ${id}`])}`.execute(
        db,
      );
      return rows[0] && place(rows[0]);
    },
  };
}

function placeOf(key: unknown, id: unknown): Place {
  if ((typeof key !== "string" && typeof key !== "number") || typeof id !== "string") {
    throw new Error("A list is sorted by a text or a number, and then by an id.");
  }
  return { key, id };
}
