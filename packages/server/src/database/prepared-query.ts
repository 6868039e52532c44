import type { CompiledQuery, RawBuilder } from "kysely";
import { isPostgres, type PreparedStatement, preparedRunner } from "./adapter";
import type { Queries } from "./database";

/** Stands for a value that is given each time a prepared query is run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A query that is written and compiled once, and then run with other values. */
export interface PreparedQuery<Values extends object, Row> {
  run(db: Queries, values: Values): Promise<Row[]>;
}

/**
 * Prepares a query. It is compiled when it is run first, because compiling one takes as long as reading a page does. What it is
 * written from must not depend on the values: these stand in it as slots. PostgreSQL keeps it as well.
 */
export function prepareQuery<Values extends object, Row>(
  write: (slot: (name: keyof Values & string) => unknown, db: Queries) => RawBuilder<Row>,
  { hasOnePlan = false, isLast = false }: Partial<Pick<PreparedStatement, "hasOnePlan" | "isLast">> = {},
): PreparedQuery<Values, Row> {
  const compiled: Partial<Record<"postgres" | "sqlite", CompiledQuery<Row>>> = {};
  return {
    async run(db, values) {
      const kind = isPostgres(db) ? "postgres" : "sqlite";
      compiled[kind] ??= write((name) => new Slot(name), db).compile(db);
      const given = new Map<string, unknown>(Object.entries(values));
      const parameters = compiled[kind].parameters.map((one) => (one instanceof Slot ? given.get(one.name) : one));
      const runPrepared = preparedRunner(db);
      if (runPrepared) return runPrepared<Row>({ sql: compiled[kind].sql, parameters, hasOnePlan, isLast });
      return (await db.executeQuery<Row>({ ...compiled[kind], parameters })).rows;
    },
  };
}
