import { Database as File, SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Kysely } from "kysely";
import { Refusal } from "../../settings/refusal";
import { isOutOfDate, refuseNewerSchema } from "../common/migrate";
import { refuseUnfinishedMove } from "../common/unfinished-move";
import type { Schema } from "../schema";
import { makeDraft, publish } from "./backup";
import { copyDatabase } from "./copy-database";
import { sqliteDialect } from "./dialect";

/** A backup that was checked. */
export interface CheckedBackup {
  size: number;
  /** Time at which it was made, according to its file. */
  madeAt: Date;
  tasks: number;
  /** True if the next start migrates it. */
  isOfOlderVersion: boolean;
}

/** Paths of the files involved. */
export interface RestoreOptions {
  backup: string;
  /** The file of the live database. */
  target: string;
  /** Files that belong to the live database, and must not stay with an older one. */
  companions: readonly string[];
  now: Date;
}

/** Checks that a backup is whole, that this program can use it, and that its secret is there. Changes nothing. */
export async function checkBackup(path: string, requireSecret: (check: string) => void): Promise<CheckedBackup> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile())
    throw new Refusal(`There is no file ${path}. Name a file that holdfast database backup has made.`);
  const file = openBackup(path);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  try {
    const damage = findDamage(file);
    if (damage !== undefined) throw new Refusal(`The backup ${path} is damaged (${damage}). Use another one.`);
    if (!file.query("select 1 from sqlite_schema where name = 'installation'").get()) throw noBackup(path);
    await refuseNewerSchema(db, "use an older backup");
    await refuseUnfinishedMove(db);
    const row = await db.selectFrom("installation").select("secret_check").executeTakeFirst();
    if (!row) throw noBackup(path);
    requireSecret(row.secret_check);
    const tasks = await db
      .selectFrom("tasks")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirst();
    return { size: found.size, madeAt: found.mtime, tasks: tasks?.count ?? 0, isOfOlderVersion: await isOutOfDate(db) };
  } finally {
    await db.destroy();
  }
}

/** Puts a checked backup into the place of the database. The previous files are kept in a folder next to it, which is returned. */
export function restoreBackup({ backup, target, companions, now }: RestoreOptions): string | undefined {
  const path = resolve(target);
  if (isSameFile(backup, path)) throw new Refusal(`The file ${backup} is the database itself. Name a backup.`);
  requireUnused(path);
  const draft = makeDraft(path);
  try {
    const { problem } = copyDatabase({ source: backup, draft });
    if (problem !== undefined) throw new Refusal(problem);
    // Again: copying takes a while, and a service may have been started meanwhile.
    requireUnused(path);
    const aside = moveAside([path, `${path}-wal`, `${path}-shm`, ...companions], dirname(path), now);
    publish(draft, path, false);
    return aside;
  } finally {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  }
}

function openBackup(path: string): File {
  try {
    return new File(path, { readonly: true });
  } catch {
    throw new Refusal(`The file ${path} cannot be opened. Run this as a user who may read it.`);
  }
}

function findDamage(file: File): string | undefined {
  try {
    const found = file.query<{ integrity_check: string }, []>("pragma integrity_check").get()?.integrity_check;
    return found === "ok" ? undefined : found;
  } catch (error) {
    if (error instanceof SQLiteError) return error.message;
    throw error;
  }
}

function noBackup(path: string): Refusal {
  return new Refusal(`The file ${path} is no backup of Holdfast. Name a file that holdfast database backup has made.`);
}

/** Refuses while any process has the database open. Closing it brings what is in the log into the file. */
function requireUnused(path: string): void {
  if (!existsSync(path)) return;
  const file = new File(path, { readwrite: true });
  try {
    file.run("pragma locking_mode = exclusive");
    file.run("begin exclusive");
    file.run("rollback");
  } catch (error) {
    const isUsed = error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? "");
    if (isUsed) throw inUse(path);
    // A damaged file is no reason not to restore: it is kept aside.
  } finally {
    file.close();
  }
}

function inUse(path: string): Refusal {
  return new Refusal(
    `The database ${path} is in use. Stop the service first, for example with: sudo systemctl stop holdfast`,
  );
}

function moveAside(files: readonly string[], folder: string, now: Date): string | undefined {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return undefined;
  const aside = join(folder, `before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const file of there) renameSync(file, join(aside, basename(file)));
  return aside;
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}
