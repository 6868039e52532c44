import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Queries } from "../database/database";
import type { Schema } from "../database/schema";
import { allOf, canBeStored } from "./comparisons";
import { countRows, defaultRowsPerStep } from "./count-rows";
import { beyond, type ListPlace, type SortValue } from "./keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot } from "./list-source";
import { readInParts } from "./read-in-parts";
import type { Work } from "./work";

/** List of the rows of one table. */
export interface TableList<Row extends object, Field extends string> {
  table: keyof Schema;
  /** Columns that are sorted by, the id that breaks ties, and the number that rows get as they arrive. */
  key: keyof Row & string;
  id: keyof Row & string;
  arrival: string;
  order: "up" | "down";
  /** Further sort orders: for each name the columns, of which the later ones break ties of those before. */
  sorts?: Readonly<Record<string, readonly SortedColumn<Row>[]>>;
  /** The columns that are read, the key and the id among them. */
  columns: readonly (keyof Row & string)[];
  /** Narrows to what the caller may see from the unit. */
  scope: (scope: ListScope) => Expression<SqlBool>[];
  compare: (condition: Condition<Field>, scope: ListScope) => Expression<SqlBool>;
  /** Number of rows that one statement reads. */
  rowsPerStep?: number;
}

/** A column that is sorted by, which is read as well. Where it may be null, the value that null counts as. */
export type SortedColumn<Row> = (keyof Row & string) | { column: keyof Row & string; nullAs: SortValue };

/** Rows as they were read, each with its place in the list. */
export type PlacedRow<Row> = Row & Placed;

/** Lists a table. One that is sorted by arrival may be large. */
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
  const conditions = (scope: ListScope, filter: Filter<Field>) =>
    allOf([...list.scope(scope), ...filter.map((condition) => list.compare(condition, scope))]);

  const arrival = ref(list.arrival);

  /** Reads rows in the list's order, those in a part of the table where it is cut into parts. */
  async function readRows(
    { db }: Snapshot,
    wanted: readonly Expression<SqlBool>[],
    slice: Slice,
    { count, skip }: { count: number; skip: number },
  ): Promise<PlacedRow<Row>[]> {
    const direction = isUpwards(slice) ? sql`asc` : sql`desc`;
    const sorted = sortedBy(slice);
    const order = [...sorted.map(expressionOf), ref(list.id)].map((key) => sql`${key} ${direction}`);
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where ${allOf(wanted)}
      order by ${sql.join(order)} limit ${count} offset ${skip}`.execute(db);
    return rows.map((row) => place(row, sorted));
  }

  function isUpwards({ from: start, sort }: Slice): boolean {
    return ((sort?.direction ?? list.order) === "up") !== "before" in start;
  }

  function sortedBy({ sort }: Pick<Slice, "sort">): readonly SortedColumn<Row>[] {
    if (!sort) return [list.key];
    const sorted = list.sorts?.[sort.name];
    if (!sorted) throw new Error(`The sort ${sort.name} is declared, but nothing sorts by it.`);
    return sorted;
  }

  function expressionOf(sorted: SortedColumn<Row>): RawBuilder<unknown> {
    return typeof sorted === "string" ? ref(sorted) : sql`coalesce(${ref(sorted.column)}, ${sql.lit(sorted.nullAs)})`;
  }

  function place(row: Row, sorted: readonly SortedColumn<Row>[] = [list.key]): PlacedRow<Row> {
    const values = sorted.map((one) => (typeof one === "string" ? row[one] : (row[one.column] ?? one.nullAs)));
    return { ...row, place: placeOf(values, row[list.id]) };
  }

  /** Condition for the rows of a page. */
  function wantedRows(scope: ListScope, filter: Filter<Field>, slice: Slice): Expression<SqlBool>[] {
    const { from: start } = slice;
    const names = { key: sortedBy(slice).map(expressionOf), id: `${list.table}.${list.id}` };
    const place = "after" in start ? start.after : "before" in start ? start.before : undefined;
    return [conditions(scope, filter), ...(place ? [beyond(names, place, isUpwards(slice) ? "up" : "down")] : [])];
  }

  return {
    listSnapshot: (snapshot, scope, filter) =>
      countRows(snapshot, {
        table: list.table,
        arrival,
        visible: conditions(scope, []),
        matching: conditions(scope, filter),
        rowsPerStep: list.rowsPerStep,
      }),
    async read(snapshot, scope, filter, slice) {
      const wanted = wantedRows(scope, filter, slice);
      const skip = "skip" in slice.from ? slice.from.skip : 0;
      if (list.arrival !== list.key || slice.sort) {
        // The plus keeps the database from reading by arrival and sorting all of it, which it likes to do for small pages.
        const arrived = sql<SqlBool>`+${arrival} <= ${slice.listSnapshot.watermark}`;
        return readRows(snapshot, [...wanted, arrived], slice, { count: slice.count, skip });
      }
      const within = ({ from, until }: ArrivalRange) => [
        ...wanted,
        sql<SqlBool>`${arrival} > ${from} and ${arrival} <= ${until}`,
      ];
      return readInParts(
        stepsThrough(slice, snapshot.work, isUpwards(slice), list.rowsPerStep),
        { count: slice.count, skip, max: slice.listSnapshot.total - skip },
        {
          read: (range, limits) => readRows(snapshot, within(range), slice, limits),
          async count(range) {
            const counted = sql<{ count: number }>`select count(*) as count from ${from} where ${allOf(within(range))}`;
            return (await counted.execute(snapshot.db)).rows[0]?.count ?? 0;
          },
        },
      );
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

/** A part of a table: rows that arrived after the first number, up to the second. */
interface ArrivalRange {
  from: number;
  until: number;
}

/** The parts of a list that is sorted by arrival, from where the page begins. */
async function* stepsThrough(
  { listSnapshot, from }: Slice,
  work: Work,
  isUp: boolean,
  rowsPerStep = defaultRowsPerStep,
): AsyncGenerator<ArrivalRange> {
  const place = "after" in from ? from.after : "before" in from ? from.before : undefined;
  const last = listSnapshot.watermark;
  const first = place ? Number(place.key) : isUp ? 1 : last;
  const step = isUp ? rowsPerStep : -rowsPerStep;
  for (let at = first; at > 0 && at <= last; at += step) {
    await work.step();
    yield isUp
      ? { from: at - 1, until: Math.min(at - 1 + rowsPerStep, last) }
      : { from: Math.max(0, at - rowsPerStep), until: at };
  }
}

function placeOf(values: readonly unknown[], id: unknown): ListPlace {
  const key = values.filter(isSortValue);
  const [only] = key;
  if (only === undefined || key.length < values.length || typeof id !== "string") {
    throw new Error("A list is sorted by texts or numbers, and then by an id.");
  }
  return { key: key.length === 1 ? only : key, id };
}

function isSortValue(value: unknown): value is SortValue {
  return typeof value === "string" || typeof value === "number";
}
