import { statSync } from "node:fs";
import { readTables } from "../database/move/read-tables";
import { inspectDatabase, sqlitePath } from "../database/open-database";

/** Whether there is an installation at an address already. Makes and changes nothing. */
export async function hasInstallation(url: string): Promise<boolean> {
  const path = sqlitePath(url);
  // What is in a file is for the opening to judge: a damaged one is there, too.
  if (path !== undefined) return statSync(path, { throwIfNoEntry: false }) !== undefined;
  return inspectDatabase(url, async (db) => (await readTables(db)).has("installation"));
}
