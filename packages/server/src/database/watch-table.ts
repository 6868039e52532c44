import { type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "./adapter";
import { type Domain, domainOfTable } from "./domains";
import type { Schema } from "./schema";

const events = ["insert", "update", "delete"] as const;

/**
 * Makes the table in which each domain is counted. Distributed databases know no triggers, and none of their moments
 * counts as another one, so there is nothing to count.
 */
export async function createDomainVersions(db: Kysely<unknown>, domains: readonly Domain[]): Promise<void> {
  await db.schema
    .createTable("domain_versions")
    .addColumn("domain", "text", (c) => c.primaryKey())
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  for (const domain of domains) {
    await sql`insert into domain_versions (domain, version) values (${domain}, 0)`.execute(db);
  }
  if (!isPostgresql(db)) return;
  // Once for each transaction and domain, however many rows it changes.
  await sql`
    create function count_domain_change() returns trigger language plpgsql as $$
    declare
      counted text := 'holdfast.counted_' || tg_argv[0];
    begin
      if current_setting(counted, true) is distinct from 'on' then
        perform set_config(counted, 'on', true);
        update domain_versions set version = version + 1 where domain = tg_argv[0];
      end if;
      return null;
    end $$`.execute(db);
}

/**
 * Counts the changes of each lane by themselves: two transactions that count in the same row would wait for one another's
 * commit. To be called by the migration that makes lanes.
 */
export async function countInLanes(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domain_versions add column lane smallint not null default 0`.execute(db);
  await sql`
    alter table domain_versions drop constraint domain_versions_pkey, add primary key (domain, lane)`.execute(db);
  await sql`
    create or replace function count_domain_change() returns trigger language plpgsql as $$
    declare
      counted text := 'holdfast.counted_' || tg_argv[0];
    begin
      if current_setting(counted, true) is distinct from 'on' then
        perform set_config(counted, 'on', true);
        insert into domain_versions (domain, lane, version)
          values (tg_argv[0], coalesce(nullif(current_setting('holdfast.lane', true), ''), '0')::smallint, 1)
          on conflict (domain, lane) do update set version = domain_versions.version + 1;
      end if;
      return null;
    end $$`.execute(db);
}

/** Counts changes of a table for its domain, from now on. To be called by the migration that makes the table. */
export async function watchTable(db: Kysely<unknown>, table: keyof Schema): Promise<void> {
  const watched = domainOfTable[table];
  const isSqlite = !(db.getExecutor().adapter instanceof OurPostgresAdapter);
  if (!watched || !(isSqlite || isPostgresql(db))) return;
  const { domain, uncounted = [], onlyUpdates = false } = watched;
  for (const event of events) {
    if (onlyUpdates && event !== "update") continue;
    const name = triggerName(table, event);
    const when = event === "update" && uncounted.length > 0 ? await updateOf(db, table, uncounted) : sql.raw(event);
    await (isSqlite
      ? sql`create trigger ${name} after ${when} on ${sql.table(table)} begin
          update domain_versions set version = version + 1 where domain = ${sql.lit(domain)};
        end`
      : // At the end of the transaction: a changed version holds up others who change it until the commit.
        sql`create constraint trigger ${name} after ${when} on ${sql.table(table)}
          deferrable initially deferred for each row execute function count_domain_change(${sql.lit(domain)})`
    ).execute(db);
  }
}

/** Counts what a migration has changed before the next one begins: PostgreSQL alters no table whose changes are still to be counted. */
export async function countChangesNow(db: Kysely<unknown>): Promise<void> {
  if (!isPostgresql(db)) return;
  await sql`set constraints all immediate`.execute(db);
  await sql`set constraints all deferred`.execute(db);
}

/** Counts changes of new columns, too. To be called by a migration that adds columns to a table that is watched. */
export async function watchNewColumns(db: Kysely<unknown>, table: keyof Schema): Promise<void> {
  const isSqlite = !(db.getExecutor().adapter instanceof OurPostgresAdapter);
  for (const event of events) {
    const name = triggerName(table, event);
    if (isSqlite) await sql`drop trigger if exists ${name}`.execute(db);
    else if (isPostgresql(db)) await sql`drop trigger if exists ${name} on ${sql.table(table)}`.execute(db);
  }
  await watchTable(db, table);
}

function triggerName(table: keyof Schema, event: (typeof events)[number]) {
  return sql.ref(`${table}_count_${event}`);
}

/** An update of any column but some. */
async function updateOf(db: Kysely<unknown>, table: string, uncounted: readonly string[]) {
  const found = (await db.introspection.getTables()).find(({ name }) => name === table);
  const counted = (found?.columns ?? []).map(({ name }) => name).filter((name) => !uncounted.includes(name));
  return sql`update of ${sql.join(counted.map((name) => sql.ref(name)))}`;
}

function isPostgresql(db: Kysely<unknown>): boolean {
  const { adapter } = db.getExecutor();
  return adapter instanceof OurPostgresAdapter && adapter.hasPartitions;
}
