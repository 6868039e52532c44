import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";
import { watchNewColumns } from "../watch-table";

/** Monitors as this step reads and fills them. */
type Tables = {
  monitors: {
    id: string;
    recent_outcomes: string;
    is_down: number;
    down_since_at: number | null;
    created_at: number;
  };
};

/**
 * Adds what messages are ordered by, when reminders were sent, since when monitors are down, and the time zones of people. What
 * waited before has no subject and is ordered as it was.
 */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema.alterTable("webhook_deliveries").addColumn("subject", columns.text).execute();
  await db.schema
    .alterTable("webhooks")
    .addColumn("remind_after", columns.text, (c) => c.notNull().defaultTo("never"))
    .execute();
  await db.schema.alterTable("webhooks").addColumn("reminded_at", "bigint").execute();
  await sql`update webhooks set remind_after = 'daily' where kind <> 'standard'`.execute(db);
  await db.schema.alterTable("monitors").addColumn("down_since_at", "bigint").execute();
  await db.schema.alterTable("protected_entities").addColumn("down_since_at", "bigint").execute();
  await db.schema
    .alterTable("users")
    .addColumn("time_zone", columns.text, (c) => c.notNull().defaultTo("UTC"))
    .execute();
  await watchNewColumns(db, "users");
  await noteDownSince(db.withTables<Tables>());
}

/** Backfills since when monitors are down: since the oldest of the bad runs at the end of those that are kept. */
async function noteDownSince(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "recent_outcomes", "created_at"])
    .where("is_down", "=", 1)
    .execute();
  for (const { id, recent_outcomes, created_at } of rows) {
    const outcomes: { outcome: string; created_timestamp: string }[] = JSON.parse(recent_outcomes);
    const lastGood = outcomes.findLastIndex(({ outcome }) => outcome === "success" || outcome === "warning");
    const first = outcomes[lastGood + 1]?.created_timestamp;
    await db
      .updateTable("monitors")
      .set({ down_since_at: first === undefined ? created_at : Date.parse(first) })
      .where("id", "=", id)
      .execute();
  }
}
