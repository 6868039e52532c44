import type { Pool } from "pg";
import { UnusableDatabase } from "../errors";

/** Facts that a server states about itself and about the settings that decide whether an acknowledged write survives a crash. */
export interface PostgresFacts {
  version: string;
  versionNumber: number;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  encoding: string;
}

const oldestVersion = 150_000;

const ourTables = ["installation", "organizational_units", "roles", "users", "api_tokens", "tasks", "entities"];

export async function readPostgresFacts(pool: Pool): Promise<PostgresFacts> {
  const { rows } = await pool.query<{ name: string; value: string | null }>(
    `select 'version' as name, version() as value
     union all select name, current_setting(name, true)
     from (values ('server_version_num'), ('fsync'), ('full_page_writes'), ('synchronous_commit'), ('server_encoding')) as wanted (name)`,
  );
  const facts = new Map(rows.map(({ name, value }) => [name, value ?? ""]));
  const version = facts.get("version") ?? "";
  return {
    version: /^\S+ \S+/.exec(version)?.[0] ?? version,
    versionNumber: Number(facts.get("server_version_num")),
    fsync: facts.get("fsync") ?? "",
    fullPageWrites: facts.get("full_page_writes") ?? "",
    synchronousCommit: facts.get("synchronous_commit") ?? "",
    encoding: facts.get("server_encoding") ?? "",
  };
}

/** Refuses a database with foreign tables of the same names, before creating anything in it. */
export async function guardTables(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_name = any ($1) and not exists
       (select from information_schema.tables where table_schema = current_schema() and table_name = 'kysely_migration')
     order by name`,
    [ourTables],
  );
  const [table] = rows;
  if (table) {
    throw new UnusableDatabase(
      `The database has a table ${table.name} that is not Holdfast's. Name an empty database with database_url.`,
    );
  }
}

/** Refuses to run on a PostgreSQL that may lose what was acknowledged, or that does not know what we need. */
export function guardPostgres(facts: PostgresFacts): void {
  if (facts.versionNumber < oldestVersion) {
    throw new UnusableDatabase(`${facts.version} is too old. Use PostgreSQL 15 or newer.`);
  }
  if (facts.encoding !== "UTF8") {
    throw new UnusableDatabase(
      `The database is encoded in ${facts.encoding}. Create it again with: createdb --encoding UTF8 --template template0`,
    );
  }
  const [name] =
    [
      ["fsync", facts.fsync],
      ["full_page_writes", facts.fullPageWrites],
      ["synchronous_commit", facts.synchronousCommit],
    ].find(([, value]) => value === "off") ?? [];
  if (name !== undefined) {
    throw new UnusableDatabase(
      `PostgreSQL runs with ${name}=off, which loses writes. Set it to on in postgresql.conf.`,
    );
  }
}
