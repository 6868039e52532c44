import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

/** What tasks are runs of. Runs of monitors that there are get the slugs of these, as new ones do. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  // The index on it is built with the other indexes of tasks.
  await db.schema.alterTable("tasks").addColumn("operation", columns.text).execute();
  await nameRunsOfMonitors(db);
}

async function nameRunsOfMonitors(db: Kysely<unknown>): Promise<void> {
  const { rows: monitors } = await sql<{ id: string; slug: string }>`select id, slug from monitors`.execute(db);
  for (const { id, slug } of monitors) {
    // A slug has letters, digits, _ and - alone, and a quotation mark within a text of the document has a backslash before it.
    const field = `"monitor_id":"${id}"`;
    await sql`update tasks set operation = ${slug}, document = replace(document, ${field}, ${`"operation":"${slug}",${field}`})
      where monitor_id = ${id} and type <> ${slug}`.execute(db);
  }
}
