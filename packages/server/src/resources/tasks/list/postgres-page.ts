import { type RawBuilder, sql } from "kysely";
import { hasPartitions } from "../../../database/adapter";
import type { Queries } from "../../../database/database";

/** The place of a task, and how many bytes it takes. */
export type Entry = readonly [createdAt: number, id: string, bytes: number];

/** How many tasks were read, and of these the first two and the last two. */
type Summary = readonly [count: number, first: Entry, second: Entry, lastButOne: Entry, last: Entry];

/**
 * Writes a page on PostgreSQL from its tasks, newest first: one text, and the few places that are needed, because writing the
 * places of all tasks takes longer than finding them. PostgreSQL aggregates in the order of the rows; others have to sort again.
 */
export function writeOnPostgres<Row>(db: Queries, newestFirst: RawBuilder<unknown>): RawBuilder<Row> {
  const order = hasPartitions(db) ? sql`` : sql`order by created_at desc, id desc`;
  const entry = (index: string) => sql.raw(`json_build_array(times[${index}], ids[${index}], sizes[${index}])`);
  const entries = sql.join(["1", "2", "cardinality(ids) - 1", "cardinality(ids)"].map(entry));
  return sql<Row>`
    select items, json_build_array(cardinality(ids), ${entries})::text as tasks from (
      select string_agg(document, ',' ${order}) as items, array_agg(created_at ${order}) as times,
        array_agg(id ${order}) as ids, array_agg(octet_length(document) ${order}) as sizes
      from (${newestFirst}) as page
    ) as written`;
}

/** The tasks of a page that PostgreSQL has written, with those left out that no end of a page can lie at. */
export function readSummary(text: string): (Entry | undefined)[] {
  const [count, first, second, lastButOne, last]: Summary = JSON.parse(text);
  const entries = Array<Entry | undefined>(count);
  entries.splice(0, 2, first, second);
  entries.splice(-2, 2, lastButOne, last);
  return count === 1 ? [first] : entries;
}
