import { statSync } from "node:fs";
import { join } from "node:path";
import { type FinishedBackup, startSqliteBackup } from "@holdfast/server/database/sqlite/backup";
import { requireAccess } from "@holdfast/server/installation/require-access";
import type { Settings } from "@holdfast/server/settings/declarations";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { createProgressBar } from "../terminal/progress-bar";
import { settingsOf } from "./read-settings";

const embedded = "sqlite:";

/** Copies the SQLite database that the settings name to a file. */
export async function backUpDatabase(
  command: Command,
  target: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const settings = settingsOf(command, process.env);
  requireAccess(settings);
  const { size, noteProblem } = await backUp(embeddedFile(settings), target, force);
  if (noteProblem !== undefined) process.stderr.write(`holdfast: ${noteProblem}\n`);
  process.stderr.write(`Copied ${formatSize(size)} to ${target}. The copy is sound.\n${secretNote(settings)}\n`);
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

function formatSize(bytes: number): string {
  const [size, unit] = bytes < 1_000_000_000 ? [bytes / 1_000_000, "MB"] : [bytes / 1_000_000_000, "GB"];
  return `${size.toFixed(1)} ${unit}`;
}
