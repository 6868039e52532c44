import type { Settings } from "../settings/declarations";
import { SettingError } from "../settings/settings";
import type { Database, Notify, OnMigration, Queries } from "./database";
import { isPostgresUrl, withoutPassword } from "./postgres/url";
import { type SchemaSteps, schemaSteps } from "./schema-steps";
import { inspectSqlite } from "./sqlite/inspect";
import { openSqlite } from "./sqlite/open";

/** Use of a database: by a service that answers others, or by a command that has time. */
export interface DatabaseUse {
  isServing: boolean;
  /** True if everything of another database is being moved into it. Nothing else may open one that is half filled. */
  isMoveTarget?: boolean;
  /** Timeout of a request for a connection or an answer of the server, in milliseconds; by default under a second. */
  answerTimeoutMs?: number;
  /** Called with what an operator should know about the way to the database. */
  notify: Notify;
  /** Called when the tables of an older version are brought up to date; as `notify` unless it is given. */
  onMigration?: OnMigration;
  /** The steps of the schema; those of this version unless others are given. */
  steps?: SchemaSteps;
}

/** The settings that say where the data is and how it is reached. */
export type DatabaseSettings = Pick<
  Settings,
  "database_url" | "upgrade_backup" | "database_connections" | "database_timeout"
>;

/** Opens the database that an address names: `sqlite:` and a path, or `postgres://`. */
export async function openDatabase(
  settings: DatabaseSettings,
  {
    isServing,
    isMoveTarget = false,
    answerTimeoutMs,
    notify,
    onMigration = asNews(notify),
    steps = schemaSteps,
  }: DatabaseUse,
): Promise<Database> {
  const url = settings.database_url;
  const path = sqlitePath(url);
  if (path !== undefined)
    return openSqlite(path, { isMoveTarget, isBackedUp: settings.upgrade_backup, steps, onMigration, notify });
  // Imported late: the embedded database does not wait for the driver of PostgreSQL to load.
  const { openPostgres } = await import("./postgres/open");
  return openPostgres({
    url,
    connections: settings.database_connections,
    statementTimeout: isServing ? settings.database_timeout * 1000 : 0,
    isServing,
    isMoveTarget,
    answerTimeoutMs,
    steps,
    notify,
    onMigration,
  });
}

function asNews(notify: Notify): OnMigration {
  return (level, message, detail) => notify(level, message, detail === undefined ? {} : { detail });
}

/** Looks into a database that is there, whatever it holds, and leaves it as it is. */
export async function inspectDatabase<Result>(url: string, look: (db: Queries) => Promise<Result>): Promise<Result> {
  const path = sqlitePath(url);
  if (path !== undefined) return inspectSqlite(path, look);
  const { inspectPostgres } = await import("./postgres/inspect");
  return inspectPostgres(url, look);
}

/** The file of an embedded database; nothing for one of PostgreSQL. */
export function sqlitePath(url: string): string | undefined {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) return url.slice("sqlite:".length);
  if (isPostgresUrl(url)) return undefined;
  throw new SettingError(
    `There is no database at ${JSON.stringify(withoutPassword(url))}. Write database_url as sqlite:/path/to/file or postgres://user:password@host:5432/name.`,
  );
}
