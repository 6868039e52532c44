import type { Schema } from "../schema";
import type { Tables } from "./read-tables";

/** Rules for moving a table. */
export interface TableMove {
  /** The key of its rows, in the order in which they are read. Every database has an index on it. */
  key: readonly string[];
  /** The column in which the database numbers the rows. */
  numberedBy?: string;
  /** A column that refers to another row of the same table. It is filled in when all rows are there. */
  refersToItself?: string;
}

/** Rule for moving each table, those that are referred to before those that refer to them; `stays` if each database fills its own. */
export type MovePlan = Readonly<Record<keyof Schema, { move: TableMove | "stays" }>>;

/** Columns that only mean something on one server. Each database fills in its own. */
const ownColumns = ["xid", "last_xid", "cluster"];
/** Tables beside the schema, in which a database keeps what it has been through. Each fills its own. */
const ownTables = ["kysely_migration", "kysely_migration_lock", "database_move", "domain_versions"];

/** A table to be moved, with all of its columns. */
export interface PlannedTable extends TableMove {
  name: string;
  columns: readonly string[];
}

/** Every table that a database has, in the order in which they are moved. One that is not known here would be lost. */
export function planTables(plan: MovePlan, found: Tables): PlannedTable[] {
  const unknown = foreignTables(plan, found);
  if (unknown.length > 0) {
    throw new Error(`There is no rule for moving ${unknown.join(", ")}. Add it to the description of its resource.`);
  }
  const columnsOf = (name: string) => found.get(name)?.filter((column) => !ownColumns.includes(column)) ?? [];
  return Object.entries(plan).flatMap(([name, { move }]) =>
    move === "stays" ? [] : [{ name, columns: columnsOf(name), ...move }],
  );
}

/** Those tables of a database that are not ours. */
export function foreignTables(plan: MovePlan, found: Tables): string[] {
  return [...found.keys()].filter((name) => !(name in plan) && !ownTables.includes(name));
}

/** Those tables of a database that rows are moved into. */
export function tablesToFill(plan: MovePlan, found: Tables): string[] {
  const moved = new Set(Object.entries(plan).flatMap(([name, { move }]) => (move === "stays" ? [] : [name])));
  return [...found.keys()].filter((name) => moved.has(name));
}
