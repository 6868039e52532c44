import { CompiledQuery } from "kysely";
import type { Queries } from "../database";

const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Loads rows by COPY, the quickest way into a table. The text has one row on each line, its values between tabs. */
export async function copyInto(db: Queries, table: string, columns: readonly string[], text: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(`copy ${table} (${columns.join(", ")}) from stdin`, [text]));
}

/** A value as COPY reads it. */
export function copyValue(value: string | number | null): string {
  if (value === null) return "\\N";
  return typeof value === "number" ? String(value) : value.replace(/[\\\n\r\t]/g, (found) => escapes[found] ?? found);
}
