import { type Database as File, SQLiteError } from "bun:sqlite";

/** Tables that grow with what runs: a start must not take longer the more of that there was. Those of people and rights are not among them. */
const bigTables = [
  ...["tasks", "task_days", "task_quarters", "task_leases", "task_changes", "task_logs", "task_log_pieces"],
  ...["entities", "protected_entities", "entity_weeks", "ping_runs", "webhook_deliveries", "idempotency_keys"],
];
/** The columns by which tables are ordered whose rows have no number of their own. */
const orders = new Map([
  ["task_days", "day"],
  ["task_quarters", "quarter"],
  ["entity_weeks", "entity_key"],
  ["task_leases", "task_id"],
]);

/** Looks for damage at a start: small tables are checked whole, big ones at their ends. Gives what SQLite says of it. */
export function findDamage(file: File): string | undefined {
  const tables = file.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of tables) {
    const found = bigTables.includes(name) ? checkEnds(file, name) : checkWhole(file, name);
    if (found !== "ok") return String(found);
  }
  return undefined;
}

function checkWhole(file: File, table: string): string | undefined {
  return file.query<{ quick_check: string }, []>(`pragma quick_check('${table}')`).get()?.quick_check;
}

function checkEnds(file: File, table: string): string {
  try {
    for (const direction of ["asc", "desc"])
      file.query(`select * from ${table} order by ${orders.get(table) ?? "rowid"} ${direction} limit 1`).get();
    return "ok";
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_CORRUPT")) return error.message;
    throw error;
  }
}
