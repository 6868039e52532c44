import { chmodSync, mkdirSync, statSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { type DatabaseUse, openDatabase } from "../database/open-database";
import type { Settings } from "../settings/declarations";
import { SettingError } from "../settings/settings";
import { type Installation, openInstallation } from "./installation";
import { requireAccess } from "./require-access";

/** The opened data of this control plane: what the service and the command line both work on. */
export interface ControlPlane extends Installation {
  database: Database;
}

/** Use of the data; by default as a command does that has time. */
export interface ControlPlaneUse extends Partial<DatabaseUse> {
  /** True if the data directory is made where there is none. */
  mayCreate?: boolean;
}

/** Opens the data, making it at first use. Only its owner can read it. */
export async function openControlPlane(
  settings: Settings,
  now: number,
  { mayCreate = true, isServing = false, notify = () => {}, ...use }: ControlPlaneUse = {},
): Promise<ControlPlane> {
  requireAccess(settings);
  makePrivateFolder(settings.data_dir, mayCreate);
  const database = await openDatabase(settings, { ...use, isServing, notify });
  try {
    const source = {
      secretKey: settings.secret_key,
      secretKeyFile: settings.secret_key_file,
      dataDir: settings.data_dir,
    };
    return { database, ...(await openInstallation(database, source, now)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function makePrivateFolder(path: string, mayCreate: boolean): void {
  try {
    // Files that SQLite and we make from here on are for their owner alone, too.
    process.umask(0o077);
    if (mayCreate) mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = statSync(path, { throwIfNoEntry: false });
    if (folder && (folder.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingError(
      `The folder data_dir ${path} cannot be used (${reason}). Name one that you own with --data-dir.`,
    );
  }
}
