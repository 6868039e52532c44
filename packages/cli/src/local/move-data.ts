import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { type MoveOptions, moveDatabase } from "@holdfast/server/database/move/move-database";
import { sqlitePath } from "@holdfast/server/database/open-database";
import { withoutPassword } from "@holdfast/server/database/postgres/url";
import { tables } from "@holdfast/server/resources/index";
import { createSealer, type Sealer } from "@holdfast/server/secrets/seal";
import { opensCheck } from "@holdfast/server/secrets/secret-check";
import { readSecretKey, secretPath } from "@holdfast/server/secrets/secret-key";
import type { Settings } from "@holdfast/server/settings/declarations";
import { SettingError } from "@holdfast/server/settings/settings";
import type { Command } from "commander";
import { printItems } from "../output/print-items";
import { createProgressBar } from "../terminal/progress-bar";
import { settingsOf } from "./read-settings";
import { recordCommand } from "./record-command";

export interface MoveFlags {
  from: string;
  to: string;
  whileServing?: boolean;
}

/** Copies everything into an empty database of another kind, and prints what arrived. */
export async function moveData(command: Command, { from, to, whileServing = false }: MoveFlags): Promise<void> {
  // A file that is made here is for its owner alone.
  process.umask(0o077);
  const settings = settingsOf(command, process.env);
  const moved = await move({ from, to, whileServing, settings, prepareRecord: prepareRecord(from, to, settings) });
  await printItems("table", moved, {
    id: ({ table }) => table,
    columns: [
      { name: "table", title: "TABLE", value: ({ table }) => table },
      { name: "rows", title: "ROWS", value: ({ rows }) => String(rows) },
      { name: "checksum", title: "SHA-256", value: ({ checksum }) => checksum },
    ],
  });
  const rows = moved.reduce((sum, table) => sum + table.rows, 0);
  process.stderr.write(
    `Moved ${rows} rows. Both databases hold the same data, and the audit trail of the new one records the move. Next, set\n` +
      "HOLDFAST_DATABASE_URL to the new address, keep the same secret, and start the service. Keep the old database until\n" +
      "the new one works.\n",
  );
}

function prepareRecord(from: string, to: string, settings: Settings): MoveOptions["prepareRecord"] {
  return (secretCheck) => {
    const sealer = findSealer(secretCheck, settings, [from, to]);
    const before = { database_url: withoutPassword(from) };
    const after = { database_url: withoutPassword(to) };
    const action = { operation: "move-database", object: null, unitId: rootUnitId, before, after };
    return (db) => recordCommand(db, { sealer, now: Date.now() }, action);
  };
}

/** Finds the secret that belongs to a check: where the settings say, else beside a database that is a file. */
function findSealer(check: string, settings: Settings, urls: readonly string[]): Sealer {
  const { data_dir, secret_key: secretKey, secret_key_file: secretKeyFile } = settings;
  const folders = [data_dir, ...urls.map(sqlitePath).flatMap((path) => (path === undefined ? [] : [dirname(path)]))];
  for (const dataDir of folders) {
    const source = { secretKey, secretKeyFile, dataDir };
    const path = secretPath(source);
    if (path !== undefined && secretKeyFile === undefined && !existsSync(path)) continue;
    const sealer = createSealer(readSecretKey({ ...source, check }).key);
    if (opensCheck(sealer, check)) return sealer;
  }
  throw new SettingError(
    "The secret that belongs to the database was not found, and without it the audit trail cannot record the move. Give it in HOLDFAST_SECRET_KEY, or name the folder that secret.key is in with --data-dir.",
  );
}

async function move(what: Pick<MoveOptions, "from" | "to" | "whileServing" | "settings" | "prepareRecord">) {
  const bar = createProgressBar({ label: "Copying", total: 0, stream: process.stderr });
  const stop = () => {
    bar.done();
    process.stderr.write("holdfast: The move was interrupted. Run the same command again to go on with it.\n");
    process.exit(1);
  };
  const tell = (news: string) => {
    bar.done();
    process.stderr.write(`${news}\n`);
  };
  // At any moment: what is not committed is copied again.
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await moveDatabase({ ...what, plan: tables, tell, progress: bar });
  } finally {
    for (const signal of signals) process.off(signal, stop);
    bar.done();
  }
}
