import { sql } from "kysely";
import { hasPartitions, isPostgres } from "../adapter";
import type { Queries } from "../database";
import { noteLane } from "../turn";

/**
 * How many reports of different processes can be written at the same time. More of them wait for one another. Each lane that
 * is used adds a row to every count, so the lowest free one is taken.
 */
const lanes = 8;
/** Waits for all other changes, reports included. What it is made of: `database/migrations/0015-lanes.ts`. */
const takeTurn = sql`select take_turn()`;
/** Waits for all changes but reports, and takes a lane in which no other report is written. */
const takeLane = sql`select take_lane(${sql.lit(lanes)})`;
/**
 * A row that all have, where there are no such locks. It is not waited for: what is read after waiting would be older than
 * what the one before has written, and could not be serialized with it.
 */
const changeRow = sql`select id from installation where id = 1 for update nowait`;

/**
 * Waits for other changes, and blocks new ones until the end of the transaction. SQLite does that itself.
 * To be called before writing shared rows: the holder of the lock may be waiting for one of them.
 */
export async function lockChanges(db: Queries): Promise<void> {
  if (isPostgres(db)) await (hasPartitions(db) ? takeTurn : changeRow).execute(db);
}

/** Waits for other changes and blocks new ones, except those that are begun in this way as well. */
export async function lockLane(db: Queries): Promise<void> {
  if (!hasPartitions(db)) return lockChanges(db);
  await takeLane.execute(db);
  noteLane(db);
}
