import { SettingError } from "../settings";
import type { Database } from "./database";
import { openSqlite } from "./sqlite";

/** Opens the database that an address names: `sqlite:` and a path. */
export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) return openSqlite(url.slice("sqlite:".length));
  const shown = url.replace(/\/\/[^@/]*@/, "//");
  throw new SettingError(
    `There is no database at ${JSON.stringify(shown)}. Write database_url as sqlite:/path/to/file.`,
  );
}
