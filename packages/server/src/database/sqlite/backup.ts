import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { Refusal } from "../../settings/refusal";
import { backupNotePath, noteBackup } from "./backup-note";
import type { CopyOrder } from "./copy-database";
import { copyInThread } from "./copy-thread";

const lookEvery = 100;

/** Options of a backup. */
export interface BackupOptions {
  /** The file of the live database. */
  source: string;
  target: string;
  /** True if an older file may give way, once the new one is whole. */
  canReplace: boolean;
  /** Called with how many bytes have been written since the last time. */
  onGrowth: (bytes: number) => void;
}

/** A backup that was made. */
export interface FinishedBackup {
  size: number;
  /** Why the service does not learn of it, where that is so. */
  noteProblem: string | undefined;
}

/** A backup that is being made. */
export interface RunningBackup {
  /** Settled when the copy is whole, checked and on the disk under its name. */
  finished: Promise<FinishedBackup>;
  /** Removes what there is of the copy. To be called only before the process ends: the copying cannot be interrupted. */
  discard(): void;
}

/**
 * Copies a live SQLite database as of one moment, while others go on writing. The copy is made in another thread under
 * another name, so that a file with the name of the target is always a whole one.
 */
export function startSqliteBackup({ source, target, canReplace, onGrowth }: BackupOptions): RunningBackup {
  const path = resolve(target);
  refuseSource(source);
  refuseTarget(path, source, canReplace);
  const draft = makeDraft(path);
  const discard = () => {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  };
  const startedAt = Date.now();
  const finished = async () => {
    try {
      await copyVisibly({ source: resolve(source), draft }, onGrowth);
      const { size } = statSync(draft);
      publish(draft, path, canReplace);
      return { size, noteProblem: tryToNote(source, startedAt) };
    } finally {
      discard();
    }
  };
  return { finished: finished(), discard };
}

/** The copy is good even where it cannot be noted that there is one. */
function tryToNote(source: string, at: number): string | undefined {
  try {
    noteBackup(source, at);
    return undefined;
  } catch (error) {
    return `The service does not learn of this backup, because ${backupNotePath(source)} cannot be written (${errorMessage(error)}). Make the folder writable for this user.`;
  }
}

/** Opening a file that is not there would make one. */
function refuseSource(source: string): void {
  if (!statSync(source, { throwIfNoEntry: false })?.isFile()) {
    throw new Refusal(`There is no database ${source}. Name the folder that the service uses with --data-dir.`);
  }
}

function refuseTarget(path: string, source: string, canReplace: boolean): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal(`There is no folder ${folder}. Make it first: mkdir -p -m 700 ${folder}`);
  }
  // Not through a link: it is the name that gives way to the new file.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const isLive = [source, `${source}-wal`, `${source}-shm`].some((file) => isSameFile(file, path));
  if (isLive) throw new Refusal(`The file ${path} is the database itself. Name another file.`);
  if (!found.isFile()) throw new Refusal(`There is something other than a file at ${path}. Name another file.`);
  if (!canReplace) throw exists(path);
}

function exists(path: string): Refusal {
  return new Refusal(`There is a file ${path} already. Name another one, or replace it with --force.`);
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** For its owner alone from the beginning; SQLite fills a file that is empty. */
export function makeDraft(path: string): string {
  const draft = `${path}.${process.pid}.partial`;
  try {
    closeSync(openSync(draft, "wx", 0o600));
    return draft;
  } catch (error) {
    const reason = errorMessage(error);
    throw new Refusal(`No file can be written in ${dirname(path)} (${reason}). Name a folder that you may write to.`);
  }
}

async function copyVisibly(order: CopyOrder, onGrowth: (bytes: number) => void): Promise<void> {
  let seen = 0;
  const look = setInterval(() => {
    const size = statSync(order.draft, { throwIfNoEntry: false })?.size ?? 0;
    onGrowth(size - seen);
    seen = size;
  }, lookEvery);
  try {
    const { problem } = await copyInThread(order);
    if (problem !== undefined) throw new Refusal(problem);
  } finally {
    clearInterval(look);
  }
}

/** Gives the copy its name. Without leave to replace, not even a file that came in the meantime is replaced. */
export function publish(draft: string, path: string, canReplace: boolean): void {
  if (canReplace || !link(draft, path)) renameSync(draft, path);
  else unlinkSync(draft);
  // Only now, so that the new name and the loss of the old one both survive a power cut.
  syncFolder(dirname(path));
}

/** Gives false on a file system where a file cannot have two names. */
function link(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch {
    if (existsSync(path)) throw exists(path);
    return false;
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } catch {
    // Some network file systems cannot do this for a folder, and do not need it.
  } finally {
    closeSync(opened);
  }
}
