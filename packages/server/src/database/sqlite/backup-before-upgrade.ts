import { readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { makeDraft, publish } from "./backup";
import { copyDatabase } from "./copy-database";

/** Parts of a backup before a migration. */
export interface UpgradeBackup {
  /** The file of the database. */
  source: string;
  size: number;
  /** True if a copy is of the time before the migration: another process may have made it meanwhile. */
  isOfBefore: (copy: string) => Promise<boolean>;
}

/** Where the backup from before the last migration is. */
export function upgradeBackupPath(source: string): string {
  return `${source}-before-upgrade`;
}

/** Advice for a database that a newer version has migrated; nothing in particular where there is no such backup. */
export function describeWayBack(source: string): { wayBack?: string } {
  const path = upgradeBackupPath(source);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return {};
  const at = found.mtime.toISOString().slice(0, 16).replace("T", " ");
  return { wayBack: `go back to the data of ${at} UTC, from before the upgrade: put ${path} in its place` };
}

/**
 * Copies a database that is about to be migrated, beside itself. The last such copy gives way once the new one is whole. Gives why
 * there is none, where that is so: that does not keep the service from starting.
 */
export async function backUpBeforeUpgrade({ source, size, isOfBefore }: UpgradeBackup): Promise<string | undefined> {
  const target = upgradeBackupPath(source);
  try {
    removeDrafts(target);
    // Twice: the migration writes up to as much again into the log.
    const room = roomIn(dirname(source));
    if (room < 2 * size) return `it needs ${megabytes(2 * size)} on the disk, and ${megabytes(room)} are free`;
    const draft = makeDraft(target);
    try {
      const { problem } = copyDatabase({ source, draft });
      if (problem !== undefined) return problem;
      if (await isOfBefore(draft)) publish(draft, target, true);
      return undefined;
    } finally {
      for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
    }
  } catch (error) {
    return errorMessage(error);
  }
}

/** Removes what a process has left that was killed while it copied. */
function removeDrafts(target: string): void {
  const folder = dirname(target);
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(basename(target)) ? (/\.([0-9]+)\.partial(-journal)?$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
