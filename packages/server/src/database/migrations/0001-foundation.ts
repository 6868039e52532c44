import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const schema = db.schema;

  await schema
    .createTable("installation")
    .addColumn("id", "integer", (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn("base_url", "text")
    .addColumn("base_url_is_set", "integer", (c) => c.notNull())
    .addColumn("secret_check", "text", (c) => c.notNull())
    .addColumn("sealed_cursor_key", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("organizational_units")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("parent_id", columns.text, (c) => c.references("organizational_units.id"))
    .addColumn("name", columns.text, (c) => c.notNull())
    .addColumn("name_lower", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("organizational_units_name", ["parent_id", "name_folded"])
    .execute();

  await schema
    .createTable("organizational_unit_paths")
    .addColumn("ancestor_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addPrimaryKeyConstraint("organizational_unit_paths_key", ["ancestor_id", "unit_id"])
    .execute();
  await schema
    .createIndex("organizational_unit_paths_by_unit")
    .on("organizational_unit_paths")
    .columns(["unit_id", "ancestor_id"])
    .execute();

  await schema
    .createTable("roles")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("name", columns.text, (c) => c.notNull())
    .addColumn("name_lower", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("permissions", "text", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("is_default", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint")
    .addUniqueConstraint("roles_name", ["organizational_unit_id", "name_folded"])
    .execute();

  await schema
    .createTable("users")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("full_name", "text", (c) => c.notNull())
    .addColumn("is_confirmed", "integer", (c) => c.notNull())
    .addColumn("is_enabled", "integer", (c) => c.notNull())
    .addColumn("inviter_id", columns.text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_active_at", "bigint")
    .addColumn("name_lower", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("email_folded", columns.text, (c) => c.notNull().unique())
    .addColumn("password_hash", "text")
    .addColumn("sealed_totp_secret", "text")
    .addColumn("totp_confirmed_at", "bigint")
    .addColumn("totp_last_step", "bigint")
    .addColumn("recovery_codes", "text")
    .execute();
  await schema.createIndex("users_in_order").on("users").columns(["name_lower", "id"]).execute();

  await schema
    .createTable("role_grants")
    .addColumn("user_id", columns.text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role_id", columns.text, (c) => c.notNull().references("roles.id"))
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addPrimaryKeyConstraint("role_grants_key", ["user_id", "organizational_unit_id", "role_id"])
    .execute();
  await schema
    .createIndex("role_grants_by_unit")
    .on("role_grants")
    .columns(["organizational_unit_id", "user_id"])
    .execute();

  await schema
    .createTable("api_tokens")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("user_id", columns.text, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("role_id", columns.text, (c) => c.references("roles.id"))
    .addColumn("created_by", columns.text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("kid", columns.text, (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("ends_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("last_used_address", "text")
    .addColumn("last_used_client", "text")
    .addCheckConstraint(
      "api_tokens_kind",
      sql`(kind = 'personal' and user_id is not null and role_id is null)
       or (kind = 'service' and (role_id is not null or revoked_at is not null) and user_id is null)`,
    )
    .execute();

  await schema.createIndex("api_tokens_in_order").on("api_tokens").columns(["created_at", "id"]).execute();
  await schema.createIndex("api_tokens_by_user").on("api_tokens").columns(["user_id"]).execute();

  await schema
    .createTable("signing_keys")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("kid", columns.text, (c) => c.notNull().unique())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("sealed_private_key", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("replaced_at", "bigint")
    .addColumn("expires_at", "bigint")
    .execute();

  await schema
    .createTable("entities")
    .addColumn("key", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("value", columns.text, (c) => c.notNull())
    .addColumn("id_folded", columns.text, (c) => c.notNull())
    .addColumn("value_folded", columns.text, (c) => c.notNull())
    .addUniqueConstraint("entities_identity", ["id", "type", "value"])
    .execute();
  await schema.createIndex("entities_by_value").on("entities").columns(["value"]).execute();

  // The unit is held by the counts below, and entities are never deleted: no reference has to be checked for each task.
  await columns.createTasks(
    db,
    schema
      .createTable("tasks")
      .addColumn("seq", columns.sequence, columns.isTaskKey)
      .addColumn("id", columns.text, (c) => c.notNull())
      .addColumn("organizational_unit_id", columns.text, (c) => c.notNull())
      .addColumn("category", columns.text, (c) => c.notNull())
      .addColumn("type", columns.text, (c) => c.notNull())
      .addColumn("status", columns.text, (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("started_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("entity_key", "bigint")
      .addColumn("document", "text", (c) => c.notNull()),
  );
  for (const column of ["started_at", "ended_at"]) {
    await schema.createIndex(`tasks_by_${column}`).on("tasks").columns([column, "created_at"]).execute();
  }

  await schema
    .createTable("task_totals")
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addColumn("last_seq", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_totals_key", ["organizational_unit_id", "category", "type", "status"])
    .execute();
  await schema
    .createTable("task_days")
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_days_key", ["day", "organizational_unit_id", "category", "type", "status"])
    .execute();
  await schema
    .createTable("task_hours")
    .addColumn("hour", "integer", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("count", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_hours_key", ["hour", "organizational_unit_id"])
    .execute();
}
