import type { Schema } from "../schema";
import type { Tables } from "./read-tables";

/** Rules for moving a table. */
interface MovedTable {
  /** The key of its rows, in the order in which they are read. Every database has an index on it. */
  key: readonly string[];
  /** The column in which the database numbers the rows. */
  numberedBy?: string;
  /** A column that refers to another row of the same table. It is filled in when all rows are there. */
  refersToItself?: string;
}

/** Every table, those that are referred to before those that refer to them, and what makes it an installation last. */
const movedTables: Record<Exclude<keyof Schema, "serving_processes">, MovedTable> = {
  organizational_units: { key: ["id"], numberedBy: "seq", refersToItself: "parent_id" },
  organizational_unit_paths: { key: ["ancestor_id", "unit_id"] },
  roles: { key: ["id"], numberedBy: "seq" },
  users: { key: ["id"], numberedBy: "seq", refersToItself: "inviter_id" },
  role_grants: { key: ["user_id", "organizational_unit_id", "role_id"] },
  api_tokens: { key: ["id"], numberedBy: "seq" },
  signing_keys: { key: ["kid"], numberedBy: "seq" },
  one_time_links: { key: ["hash"] },
  sessions: { key: ["hash"] },
  sign_in_failures: { key: ["key"] },
  sign_in_addresses: { key: ["user_id", "network"] },
  identities: { key: ["issuer", "subject"] },
  idempotency_keys: { key: ["caller", "key"] },
  audit_events: { key: ["number"] },
  audit_head: { key: ["id"] },
  entities: { key: ["key"], numberedBy: "key" },
  tasks: { key: ["created_at", "id"], numberedBy: "seq" },
  task_totals: { key: ["organizational_unit_id", "category", "type", "status", "outcome", "writer"] },
  task_days: { key: ["day", "organizational_unit_id", "category", "type", "status", "outcome", "writer"] },
  task_day_versions: { key: ["day", "writer"] },
  task_quarters: { key: ["quarter", "organizational_unit_id", "category", "status", "outcome", "writer"] },
  entity_weeks: { key: ["entity_key", "week", "organizational_unit_id"] },
  protected_entities: { key: ["id"], numberedBy: "seq" },
  task_leases: { key: ["task_id"] },
  task_logs: { key: ["task_id"] },
  task_log_pieces: { key: ["task_id", "starts_at"] },
  task_changes: { key: ["number"], numberedBy: "number" },
  monitors: { key: ["id"], numberedBy: "seq" },
  ping_keys: { key: ["id"], numberedBy: "seq" },
  ping_runs: { key: ["task_id"] },
  listening: { key: ["id"] },
  unwatched_times: { key: ["until_at", "from_at"] },
  webhooks: { key: ["id"], numberedBy: "seq" },
  webhook_deliveries: { key: ["seq"], numberedBy: "seq" },
  installation: { key: ["id"] },
};

/** Columns that only mean something on one server. Each database fills in its own. */
const ownColumns = ["xid", "last_xid", "cluster"];
/** The tables in which a database keeps what it has been through and who serves it. Each fills its own. */
const ownTables = [
  "kysely_migration",
  "kysely_migration_lock",
  "database_move",
  "domain_versions",
  "serving_processes",
];

/** A table to be moved, with all of its columns. */
export interface PlannedTable extends MovedTable {
  name: string;
  columns: readonly string[];
}

/** Every table that a database has, in the order in which they are moved. One that is not known here would be lost. */
export function planTables(found: Tables): PlannedTable[] {
  const unknown = foreignTables(found);
  if (unknown.length > 0) {
    throw new Error(`There is no rule for moving ${unknown.join(", ")}. Add it to moved-tables.ts.`);
  }
  const columnsOf = (name: string) => found.get(name)?.filter((column) => !ownColumns.includes(column)) ?? [];
  return Object.entries(movedTables).map(([name, table]) => ({ name, columns: columnsOf(name), ...table }));
}

/** Those tables of a database that are not ours. */
export function foreignTables(found: Tables): string[] {
  return [...found.keys()].filter((name) => !(name in movedTables) && !ownTables.includes(name));
}

/** Those tables of a database that rows are moved into. */
export function tablesToFill(found: Tables): string[] {
  return [...found.keys()].filter((name) => name in movedTables);
}
