import { type ColumnDefinitionBuilder, type RawBuilder, sql } from "kysely";

/** The column types that each database spells in its own way. */
export interface Columns {
  /** Text that is sorted and compared by code point. */
  text: RawBuilder<unknown>;
  /** A number that the database counts upwards by itself and never uses again. */
  sequence: RawBuilder<unknown>;
  isSequence: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

export const sqliteColumns: Columns = {
  text: sql`text`,
  sequence: sql`integer`,
  isSequence: (column) => column.primaryKey().autoIncrement(),
};
