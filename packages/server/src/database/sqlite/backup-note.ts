import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

/** The file beside a database that says when it was last backed up. */
export function backupNotePath(source: string): string {
  return `${source}-last-backup`;
}

/** Notes that a whole copy was made of the state of a moment, so that a service that runs can say how old it is. */
export function noteBackup(source: string, at: number): void {
  const path = backupNotePath(source);
  const draft = `${path}.${process.pid}.partial`;
  try {
    const file = openSync(draft, "w", 0o644);
    try {
      writeSync(file, `${new Date(at).toISOString()}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // Whichever user makes backups: the service has to read it, and there is no secret in it.
    chmodSync(draft, 0o644);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** When the last copy was made, in milliseconds since 1970; 0 where none is known of. */
export function readBackupNote(source: string): number {
  try {
    return Date.parse(readFileSync(backupNotePath(source), "utf8").trim()) || 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
