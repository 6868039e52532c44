import { sql } from "kysely";
import { hasPartitions } from "../adapter";
import type { Queries } from "../database";

/** What `publish_first_change` locks: see `database/migrations/0015-lanes.ts`. Its number is in the lower 48 bits. */
const published = sql<{ number: number | null }>`
  select min(((classid::bigint & 65535) << 32) | objid::bigint) as number from pg_locks
  where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = 4835
    and database = (select oid from pg_database where datname = current_database())`;
const given = sql<{ number: number | null }>`
  select pg_sequence_last_value(pg_get_serial_sequence('task_changes', 'number')::regclass) as number`;

/**
 * Up to which number changes of tasks are settled: committed, or undone for good. All of them are in a snapshot that is taken
 * afterwards. Changes are numbered while they are written, and several transactions write at once. Each publishes, before it
 * gets a number, which ones it cannot get. So of the numbers that are given by now, those are settled that no transaction
 * could still have: the order of the two questions matters. Where there is one writer, all are.
 */
export async function readSettled(db: Queries): Promise<number> {
  if (!hasPartitions(db)) return Number.MAX_SAFE_INTEGER;
  const newest = (await given.execute(db)).rows[0]?.number ?? 0;
  const first = (await published.execute(db)).rows[0]?.number;
  return Math.min(newest, first ?? newest);
}
