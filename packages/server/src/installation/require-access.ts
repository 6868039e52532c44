import { accessSync, constants, existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { sqlitePath } from "../database/open-database";
import type { Settings } from "../settings/declarations";
import { SettingError } from "../settings/settings";

/** Refuses data that this user may not read and write, before SQLite says of it that it is unable to open a file. */
export function requireAccess({ data_dir, database_url }: Pick<Settings, "data_dir" | "database_url">): void {
  // A path that is no folder is refused when it is used.
  if (look(data_dir)?.isDirectory()) requireOwn(data_dir, constants.R_OK | constants.W_OK | constants.X_OK);
  const file = sqlitePath(database_url);
  for (const path of file === undefined ? [] : [file, `${file}-wal`, `${file}-shm`]) {
    requireOwn(path, constants.R_OK | constants.W_OK);
  }
}

function requireOwn(path: string, mode: number): void {
  const found = look(path);
  if (!found) return;
  try {
    accessSync(path, mode);
  } catch {
    throw new SettingError(`${describe(path, found)} Or name other data with --data-dir.`);
  }
}

function describe(path: string, found: Stats): string {
  const uid = process.getuid?.() ?? 0;
  if (found.uid === uid) return `You may not read and write ${path}, which is yours. Run: chmod -R u+rwX ${path}`;
  const [owner, own] = [nameOf(found.uid), nameOf(uid)];
  // Such a file was most likely left by a command of root's, and keeps the service from starting.
  const isStray = !found.isDirectory() && look(dirname(path))?.uid === uid;
  const remedy = isStray ? `Run: sudo chown ${own} ${path}` : `Run it as ${owner}: sudo -u ${owner} holdfast …`;
  return `${path} belongs to the user ${owner}, and this runs as ${own}. ${remedy}`;
}

/** Nothing where it does not exist, or lies in a folder that this user may not enter. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The name of a user; the number where none is known by it. */
function nameOf(uid: number): string {
  const users = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  return users.map((line) => line.split(":")).find(([, , id]) => id === String(uid))?.[0] ?? `#${uid}`;
}
