import type { Kysely } from "kysely";
import { createDomainVersions, watchTable } from "../watch-table";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createDomainVersions(db, ["access", "sessions", "tasks"]);
  const tables = [
    "organizational_units",
    "organizational_unit_paths",
    "roles",
    "role_grants",
    "users",
    "api_tokens",
    "signing_keys",
    "sessions",
    "tasks",
    "entities",
    "task_totals",
    "task_days",
  ] as const;
  for (const table of tables) await watchTable(db, table);
}
