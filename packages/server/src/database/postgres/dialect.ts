import {
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresQueryCompiler,
  Transaction,
} from "kysely";
import { QuickPostgresIntrospector } from "../common/introspectors";
import type { Queries } from "../database";
import type { Schema } from "../schema";
import { type Connect, type PostgresConnection, takeConnection } from "./connection";

/** Lets Kysely speak to PostgreSQL. */
export function postgresDialect(connect: Connect, end = async () => {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: (): Driver => ({
      init: async () => {},
      acquireConnection: () => takeConnection(connect),
      beginTransaction: (connection: PostgresConnection) => connection.begin(),
      commitTransaction: (connection: PostgresConnection) => connection.commit(),
      rollbackTransaction: (connection: PostgresConnection) => connection.rollback(),
      releaseConnection: async (connection: PostgresConnection) => connection.release(),
      destroy: end,
    }),
    createIntrospector: (db) => new QuickPostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

const dialect = postgresDialect(async () => {
  throw new Error("A transaction has its connection already.");
});
const kyselyProps = { config: { dialect }, dialect, driver: dialect.createDriver() };
const [compiler, adapter] = [dialect.createQueryCompiler(), dialect.createAdapter()];

/**
 * Kysely on the connection of a transaction that has been begun. In a transaction of its own making, Kysely sends a statement only
 * when the one before it was answered; here they are sent at once.
 */
export function queriesIn(connection: PostgresConnection): Queries {
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (use) => use(connection) });
  return new Transaction<Schema>({ ...kyselyProps, executor });
}
