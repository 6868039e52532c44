import { type SelectQueryBuilder, sql } from "kysely";
import { isPostgres } from "./adapter";
import type { Queries } from "./database";
import type { Schema } from "./schema";

/**
 * Locks that are held until the end of a transaction. `changes` waits for all other changes and for all reports. The others are for
 * reports, which are written at the same time: what is added under one of them is numbered in the order of commits. Whoever
 * takes several takes them in this order.
 */
const locks = {
  changes: sql`select pg_advisory_xact_lock(4831, 1)`,
  entities: sql`select pg_advisory_xact_lock(4831, 5)`,
  deliveries: sql`select pg_advisory_xact_lock(4831, 6)`,
};

/** Waits until nobody else holds a lock. SQLite has one writer at a time. */
export async function takeLock(db: Queries, name: keyof typeof locks): Promise<void> {
  if (isPostgres(db)) await locks[name].execute(db);
}

/** Locks the rows of a query, in its order, until the end of the transaction. SQLite has one writer at a time. */
export function lockRows<Table extends keyof Schema, Row>(
  db: Queries,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isPostgres(db) ? query.forUpdate() : query;
}
