import { Database as File, SQLiteError } from "bun:sqlite";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";

/** Source and target of a copy. */
export interface CopyOrder {
  source: string;
  /** An empty file. */
  draft: string;
}

/** Result of the copying. */
export interface CopyOutcome {
  /** A sentence that says what to do; none when all went well. */
  problem?: string;
}

const maxWaitMs = 5_000;

/** Copies a database as of one moment and checks the copy. Nothing else of the thread runs meanwhile. */
export function copyDatabase(order: CopyOrder): CopyOutcome {
  return copy(order) ?? check(order) ?? {};
}

function copy({ source, draft }: CopyOrder): CopyOutcome | undefined {
  try {
    const file = new File(source, { readonly: true });
    try {
      file.run(`pragma busy_timeout = ${maxWaitMs}`);
      if (!file.query("select 1 from sqlite_schema where name = 'installation'").get()) {
        return { problem: `The file ${source} is no database of Holdfast. Name the right one with --database-url.` };
      }
      // One statement, and so one moment. It reads from the log, too, and writes a file that needs none.
      file.run("vacuum into ?", [draft]);
    } finally {
      file.close();
    }
    return sync(draft);
  } catch (error) {
    return { problem: explain(error, source) };
  }
}

function sync(path: string): undefined {
  const opened = openSync(path, "r+");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function check({ draft }: CopyOrder): CopyOutcome | undefined {
  const file = new File(draft, { readonly: true });
  try {
    const found = file.query<{ integrity_check: string }, []>("pragma integrity_check").get()?.integrity_check;
    if (found === "ok") return undefined;
    return { problem: `The copy is damaged and was not kept (${found}). Check the disk that it was written to.` };
  } finally {
    file.close();
  }
}

function explain(error: unknown, source: string): string {
  const reason = errorMessage(error);
  const code = error instanceof SQLiteError ? (error.code ?? "") : "";
  if (code === "SQLITE_FULL") return "There is no room for the copy. Make some, or name a file on another disk.";
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return `The database ${source} is damaged (${reason}). Restore it from an earlier backup.`;
  }
  return `The database ${source} could not be copied (${reason}). Run this as the user that the service runs as.`;
}
