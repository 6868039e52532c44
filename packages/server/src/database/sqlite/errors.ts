import { SQLiteError } from "bun:sqlite";
import { DatabaseBroken, DatabaseUnavailable, DiskFull, UnusableDatabase } from "../errors";

/** Maps an error of SQLite to ours. */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") {
    return new DatabaseUnavailable("Another process is writing to the database.", {
      cause: error,
      failure: "lock_timeout",
    });
  }
  if (code === "SQLITE_FULL") return new DiskFull(error);
  if (["SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB"].some((broken) => code.startsWith(broken))) {
    return new DatabaseBroken(`The database failed: ${error.message}.`, { cause: error });
  }
  return error;
}

export function corrupt(path: string, detail: string): UnusableDatabase {
  return new UnusableDatabase(`The database ${path} is damaged (${detail}). Restore it from a backup.`);
}
