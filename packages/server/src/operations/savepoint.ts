import { ApiError } from "@holdfast/api/conventions/api-error";
import { sql } from "kysely";
import type { Queries } from "../database/database";

/**
 * Does one of several things that are written in the same transaction. Where it refuses, what it has written is undone and
 * the transaction goes on. Any other failure is the whole transaction's: only the database layer knows what to do about it.
 */
export async function withSavepoint<Result>(db: Queries, act: () => Promise<Result>): Promise<Result> {
  await sql`savepoint one_of_several`.execute(db);
  try {
    const result = await act();
    await sql`release savepoint one_of_several`.execute(db);
    return result;
  } catch (error) {
    if (error instanceof ApiError) {
      await sql`rollback to savepoint one_of_several`.execute(db);
      await sql`release savepoint one_of_several`.execute(db);
    }
    throw error;
  }
}
