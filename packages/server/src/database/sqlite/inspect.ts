import { Database as File } from "bun:sqlite";
import { Kysely } from "kysely";
import type { Queries } from "../database";
import { DatabaseBroken } from "../errors";
import type { Schema } from "../schema";
import { sqliteDialect } from "./dialect";
import { corrupt } from "./errors";

/** Looks into a file that is there, whatever it holds, and leaves it as it is. */
export async function inspectSqlite<Result>(path: string, look: (db: Queries) => Promise<Result>): Promise<Result> {
  // As if to write: the last one who can only read leaves a log lying beside the file.
  const file = new File(path, { readwrite: true });
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  try {
    file.run("pragma query_only = on");
    return await look(db);
  } catch (error) {
    if (error instanceof DatabaseBroken && error.cause instanceof Error) throw corrupt(path, error.cause.message);
    throw error;
  } finally {
    await db.destroy();
  }
}
