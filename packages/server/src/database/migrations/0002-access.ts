import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const schema = db.schema;

  await schema
    .createTable("one_time_links")
    .addColumn("hash", columns.text, (c) => c.primaryKey())
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("user_id", columns.text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("sessions")
    .addColumn("hash", columns.text, (c) => c.primaryKey())
    .addColumn("user_id", columns.text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("address", "text")
    .addColumn("client", "text")
    .execute();
  await schema.createIndex("sessions_by_user").on("sessions").columns(["user_id"]).execute();

  await schema
    .createTable("sign_in_failures")
    .addColumn("key", columns.text, (c) => c.primaryKey())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("identities")
    .addColumn("issuer", columns.text, (c) => c.notNull())
    .addColumn("subject", columns.text, (c) => c.notNull())
    .addColumn("user_id", columns.text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("identities_key", ["issuer", "subject"])
    .execute();

  await schema
    .createTable("idempotency_keys")
    .addColumn("caller", columns.text, (c) => c.notNull())
    .addColumn("key", columns.text, (c) => c.notNull())
    .addColumn("request_hash", "text", (c) => c.notNull())
    .addColumn("answer", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_keys_key", ["caller", "key"])
    .execute();
  await schema.createIndex("idempotency_keys_by_age").on("idempotency_keys").columns(["created_at"]).execute();

  await schema
    .createTable("audit_events")
    .addColumn("number", "bigint", (c) => c.primaryKey())
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("operation", columns.text, (c) => c.notNull())
    .addColumn("result", columns.text, (c) => c.notNull())
    .addColumn("actor_user_id", columns.text)
    .addColumn("actor_token_id", columns.text)
    .addColumn("object_type", columns.text)
    .addColumn("object_id", columns.text)
    .addColumn("organizational_unit_id", columns.text)
    .addColumn("document", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .execute();
  for (const column of ["created_at", "actor_user_id", "actor_token_id", "object_id", "organizational_unit_id"]) {
    await schema.createIndex(`audit_events_by_${column}`).on("audit_events").columns([column, "number"]).execute();
  }
  await schema
    .createTable("audit_head")
    .addColumn("id", "integer", (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn("sealed", "text", (c) => c.notNull())
    .execute();
}
