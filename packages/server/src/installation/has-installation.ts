import { statSync } from "node:fs";
import { readTables } from "../database/move/read-tables";
import { inspectDatabase, sqlitePath } from "../database/open-database";

/** True if there is an installation at an address already. Makes and changes nothing. */
export async function hasInstallation(url: string): Promise<boolean> {
  const path = sqlitePath(url);
  // The opening judges the content of the file: a damaged one is there, too.
  if (path !== undefined) return statSync(path, { throwIfNoEntry: false }) !== undefined;
  return inspectDatabase(url, async (db) => (await readTables(db)).has("installation"));
}
