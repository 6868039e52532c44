import { readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type FinishedBackup, startSqliteBackup } from "@holdfast/server/database/sqlite/backup";
import { requireAccess } from "@holdfast/server/installation/require-access";
import type { Settings } from "@holdfast/server/settings/declarations";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { UsageError } from "../grammar/usage-error";
import { createProgressBar } from "../terminal/progress-bar";
import { formatSize } from "./format-size";
import { settingsOf } from "./read-settings";
import { reportBackup } from "./report-backup";

const embedded = "sqlite:";

export interface BackupFlags {
  force?: boolean;
  keep?: string;
  report?: boolean;
}

/** Copies the SQLite database that the settings name to a file, and reports that as a task where it is asked for. */
export async function backUpDatabase(command: Command, target: string, flags: BackupFlags): Promise<void> {
  const settings = settingsOf(command, process.env);
  requireAccess(settings);
  const source = embeddedFile(settings);
  if (!flags.report) return makeCopy(settings, source, target, flags);
  const startedAt = performance.now();
  const failure = await makeCopy(settings, source, target, flags).catch((error: unknown) => error ?? new Error());
  const durationMs = performance.now() - startedAt;
  await reportBackup(command, { place: resolve(target), durationMs, failure }).catch((error: unknown) => {
    process.stderr.write(`holdfast: The backup could not be reported as a task: ${errorMessage(error)}\n`);
  });
  if (failure !== undefined) throw failure;
}

async function makeCopy(settings: Settings, source: string, target: string, flags: BackupFlags): Promise<void> {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  const keep = readKeep(flags, isFolder);
  const file = isFolder ? join(target, datedName(new Date())) : target;
  const { size, noteProblem } = await backUp(source, file, flags.force ?? false);
  if (noteProblem !== undefined) process.stderr.write(`holdfast: ${noteProblem}\n`);
  process.stderr.write(`Copied ${formatSize(size)} to ${file}. The copy is sound.\n${secretNote(settings)}\n`);
  if (keep !== undefined) removeOlder(target, keep);
}

function readKeep({ keep }: BackupFlags, isFolder: boolean): number | undefined {
  if (keep === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(keep)) throw new UsageError("--keep has to be a number of copies, such as 7.");
  if (!isFolder)
    throw new UsageError("--keep is for a folder, in which each copy gets a name of its own. Name a folder.");
  return Number(keep);
}

/** The name of a copy in a folder. Names in order are copies in order. */
function datedName(at: Date): string {
  return `holdfast-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.db`;
}

/** Removes all but the newest copies that were given such a name. Anything else in the folder stays. */
function removeOlder(folder: string, keep: number): void {
  const copies = readdirSync(folder).filter((name) => /^holdfast-\d{8}T\d{6}Z\.db$/.test(name));
  for (const name of copies.sort().slice(0, -keep)) rmSync(join(folder, name), { force: true });
}

function embeddedFile({ database_url }: Settings): string {
  if (database_url.startsWith(embedded)) return database_url.slice(embedded.length);
  throw new Refusal(
    "Only an SQLite database is backed up with this command. For PostgreSQL run for example: pg_dump --format=custom --file=holdfast.dump postgres://holdfast@db.example.org/holdfast",
  );
}
async function backUp(source: string, target: string, canReplace: boolean): Promise<FinishedBackup> {
  const size = statSync(source, { throwIfNoEntry: false })?.size ?? 0;
  const bar = createProgressBar({ label: "Copying", total: size, stream: process.stderr });
  const backup = startSqliteBackup({ source, target, canReplace, onGrowth: bar.advance });
  const stop = () => {
    backup.discard();
    bar.done();
    process.stderr.write("holdfast: The backup was stopped, and nothing of it was kept. Start it again.\n");
    process.exit(1);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await backup.finished;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    bar.done();
  }
}

/** A copy that is restored without its secret has lost every token, so it is said every time. */
function secretNote({ secret_key, secret_key_file, data_dir }: Settings): string {
  const place = secret_key === undefined ? (secret_key_file ?? join(data_dir, "secret.key")) : "the setting secret_key";
  return `The copy does not contain the secret. Back that up, too, in another place: it is in ${place}.`;
}
