import { Kysely } from "kysely";
import type { Queries } from "../database";
import type { Schema } from "../schema";
import { postgresDialect } from "./dialect";
import { explainToOperator } from "./errors";
import { createServerDiscovery } from "./server-discovery";

/** Looks into a PostgreSQL database that is there, whatever it holds, and leaves it as it is. */
export async function inspectPostgres<Result>(url: string, look: (db: Queries) => Promise<Result>): Promise<Result> {
  try {
    const { client, route } = await createServerDiscovery(url).findPrimary();
    await client.end();
    const pool = route.openPool({ connections: 1, statementTimeout: 0 });
    const db = new Kysely<Schema>({
      dialect: postgresDialect(
        () => pool.connect(),
        () => pool.end(),
      ),
    });
    try {
      return await look(db);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    throw explainToOperator(error, url);
  }
}
