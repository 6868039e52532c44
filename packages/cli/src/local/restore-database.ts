import { mkdirSync } from "node:fs";
import { anchorPath } from "@holdfast/server/audit/anchor";
import { sqlitePath } from "@holdfast/server/database/open-database";
import { checkBackup, restoreBackup } from "@holdfast/server/database/sqlite/restore";
import { requireAccess } from "@holdfast/server/installation/require-access";
import { requireBackupSecret } from "@holdfast/server/installation/require-backup-secret";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { formatSize } from "./format-size";
import { settingsOf } from "./read-settings";

/** Checks a backup of the SQLite database and, unless it is only checked, puts it into the place of the database. */
export async function restoreDatabase(command: Command, backup: string, { check = false }): Promise<void> {
  const settings = settingsOf(command, process.env);
  const target = sqlitePath(settings.database_url);
  if (target === undefined) {
    throw new Refusal(
      "Only a backup of an SQLite database is restored with this command. For PostgreSQL run for example: createdb holdfast_restored && pg_restore --exit-on-error --no-owner --dbname=holdfast_restored holdfast.dump, and set database_url to the new database.",
    );
  }
  const { data_dir, secret_key: secretKey, secret_key_file: secretKeyFile } = settings;
  requireAccess(settings);
  const secret = { secretKey, secretKeyFile, dataDir: data_dir };
  const { size, madeAt, tasks, isOfOlderVersion } = await checkBackup(backup, (sealed) =>
    requireBackupSecret(secret, sealed),
  );
  const at = madeAt.toISOString().slice(0, 16).replace("T", " ");
  const older = isOfOlderVersion ? " It is of an older version: the service migrates it when it starts." : "";
  process.stderr.write(
    `The backup is sound and the secret fits: ${formatSize(size)} with ${tasks} tasks, written on ${at} UTC.${older}\n`,
  );
  if (check) return;
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const aside = restoreBackup({ backup, target, companions: [anchorPath(data_dir)], now: new Date() });
  const kept = aside === undefined ? "" : ` What was there before is in ${aside}: remove it when all is well.`;
  process.stderr.write(
    `Restored ${target}.${kept}\nStart the service. Tokens that were revoked after the backup are good again: revoke them again. Those made after it are unknown.\n`,
  );
}
