import type { Names } from "../lookups/names";
import { minute } from "./moments";
import type { Column } from "./table";

/** A column of a table: the name of a field, or what differs from its column. */
export type ColumnSpec<Row> =
  | (keyof Row & string)
  | (Partial<Column<Row>> & { name: keyof Row & string })
  | Column<Row>;

/** Columns that only programs get. */
export function hidden<Name extends string>(...names: Name[]): { name: Name; isHidden: true }[] {
  return names.map((name) => ({ name, isHidden: true }));
}

/** The columns of a table. Without more words, a field is shown as it is, a moment to the minute, and a unit by its path. */
export function columnsOf<Row extends object>(specs: readonly ColumnSpec<Row>[], units: Names): Column<Row>[] {
  return specs.map((spec) => {
    const own = typeof spec === "string" ? { name: spec } : spec;
    const { name } = own;
    const value = (row: Row) => cellOf(Object.entries(row).find(([field]) => field === name)?.[1]);
    return { title: titleOf(name), value, ...defaultColumn(name, value, units), ...own };
  });
}

function defaultColumn<Row>(name: string, value: (row: Row) => string, units: Names): Partial<Column<Row>> {
  if (name === "organizational_unit_id")
    return { title: "UNIT", text: (row) => units.of(value(row)), canShrink: true, isExtra: true };
  if (name.endsWith("_timestamp")) return { text: (row) => minute(value(row)) };
  return name === "name" ? { canShrink: true } : {};
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(" ") : String(value);
}

/** Title of a field: LAST USED (UTC) for last_used_timestamp. */
function titleOf(name: string): string {
  return name
    .replace(/_timestamp$/, " (UTC)")
    .replaceAll("_", " ")
    .toUpperCase();
}
