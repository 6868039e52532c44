import {
  type DatabaseMetadataOptions,
  type Kysely,
  PostgresIntrospector,
  SqliteIntrospector,
  sql,
  type TableMetadata,
} from "kysely";

/*
 * Kysely's migrations ask for all tables, with all columns, only to see whether their own two tables are there. That takes
 * longer than the rest of opening a database, so here they are given the names alone.
 */

const ofMigrations = sql.join(["kysely_migration", "kysely_migration_lock"]);

/** Tells Kysely which tables an SQLite file has. */
export class QuickSqliteIntrospector extends SqliteIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    if (!options?.withInternalKyselyTables) return super.getTables(options);
    const names = sql<Named>`select name from sqlite_schema where type = 'table' and name in (${ofMigrations})`;
    return withoutColumns(await names.execute(this.#db));
  }
}

/** Tells Kysely which tables a PostgreSQL database has. */
export class QuickPostgresIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    if (!options?.withInternalKyselyTables) return super.getTables(options);
    const names = sql<Named>`
      select relname as name from pg_catalog.pg_class join pg_catalog.pg_namespace as schema on schema.oid = relnamespace
      where relkind in ('r', 'p') and relname in (${ofMigrations}) and has_schema_privilege(schema.nspname, 'USAGE')`;
    return withoutColumns(await names.execute(this.#db));
  }
}

interface Named {
  name: string;
}

function withoutColumns({ rows }: { rows: Named[] }): TableMetadata[] {
  return rows.map(({ name }) => ({ name, isView: false, columns: [] }));
}
