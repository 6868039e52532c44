import type { CompiledQuery, RawBuilder } from "kysely";
import { isPostgres } from "./adapter";
import type { Queries } from "./database";

/** A query that is written and compiled once, and then run with other values. */
export interface PreparedQuery<Values extends object, Row> {
  run(db: Queries, values: Values): Promise<Row[]>;
}

interface Compiled<Values, Row> {
  query: CompiledQuery<Row>;
  /** Values to bind, in the order of the statement. */
  bind: readonly ((values: Values) => unknown)[];
}

/**
 * Prepares a query. It is compiled when it is run first, because compiling one takes as long as reading a page does. What it is
 * written from must not depend on the values: these stand in it as slots.
 */
export function prepareQuery<Values extends object, Row>(
  write: (slot: (name: keyof Values & string) => unknown, db: Queries) => RawBuilder<Row>,
): PreparedQuery<Values, Row> {
  const known: Partial<Record<"postgres" | "sqlite", Compiled<Values, Row>>> = {};

  function compile(db: Queries): Compiled<Values, Row> {
    const slots = new Map<unknown, (values: Values) => unknown>();
    const query = write((name) => {
      const slot = Symbol(name);
      slots.set(slot, (values) => values[name]);
      return slot;
    }, db).compile(db);
    return { query, bind: query.parameters.map((one) => slots.get(one) ?? (() => one)) };
  }

  return {
    async run(db, values) {
      const kind = isPostgres(db) ? "postgres" : "sqlite";
      known[kind] ??= compile(db);
      const { query, bind } = known[kind];
      const parameters = bind.map((read) => read(values));
      return (await db.executeQuery<Row>({ ...query, parameters })).rows;
    },
  };
}
