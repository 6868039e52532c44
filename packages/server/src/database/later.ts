import type { CompiledQuery } from "kysely";
import type { Queries } from "./database";

const laterQueries = new WeakSet<object>();

/**
 * Runs a statement of a transaction whose result is not needed. PostgreSQL gets it together with the next statement, or with the
 * commit: a round trip less, with all locks held. Where it fails, that one fails. SQLite runs it at once.
 */
export async function runLater(db: Queries, query: CompiledQuery): Promise<void> {
  laterQueries.add(query);
  await db.executeQuery(query);
}

/** Whether a statement may wait for the next one. */
export function canRunLater(query: CompiledQuery): boolean {
  return laterQueries.has(query);
}
