import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";
import { watchNewColumns } from "../watch-table";

type Tables = {
  installation: { base_url: string | null };
  api_tokens: { base_url: string | null; created_at: number };
  audit_events: { number: number; operation: string; created_at: number; document: string };
};

/** Keeps the address that a token was issued for, since when it renews itself, and which expiry announcements were made. */
export async function up(untyped: Kysely<unknown>, columns: Columns): Promise<void> {
  const db = untyped.withTables<Tables>();
  await db.schema.alterTable("installation").addColumn("base_url_aliases", "text").execute();
  await db.schema.alterTable("api_tokens").addColumn("base_url", columns.text).execute();
  await db.schema.alterTable("api_tokens").addColumn("granted_at", "bigint").execute();
  await db.schema.alterTable("api_tokens").addColumn("expiry_announced_days", "integer").execute();
  await watchNewColumns(untyped, "api_tokens");
  await backfillAddresses(db);
}

/** Fills in the address of older tokens: the base URL that the service had when each was made, which the audit trail knows. */
async function backfillAddresses(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set({ base_url: sql<string | null>`(select base_url from installation)` })
    .execute();
  const changes = await db
    .selectFrom("audit_events")
    .select(["created_at", "document"])
    .where("operation", "=", "change-base-url")
    .orderBy("number", "desc")
    .execute();
  // From the latest change back to the first: each one tells what the address was before it.
  for (const { created_at, document } of changes) {
    const { before }: { before?: { base_url?: unknown } } = JSON.parse(document);
    if (typeof before?.base_url !== "string") continue;
    await db
      .updateTable("api_tokens")
      .set({ base_url: before.base_url })
      .where("created_at", "<", created_at)
      .execute();
  }
}
