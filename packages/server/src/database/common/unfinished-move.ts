import { type Kysely, sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import { UnusableDatabase } from "../errors";
import type { Schema } from "../schema";

/** Progress of a move. It stands in the database that is moved into for as long as that one is not whole. */
export interface UnfinishedMove {
  /** Identifies the installation that is moved. */
  source: string;
  /** Where it is, as it may be shown. */
  source_name: string;
  /** Name of what is being copied. */
  step: string;
  /** The key of the row that was copied last, as JSON; null before the first one. */
  last_key: string | null;
  /** Number of rows that have been copied. */
  copied: number;
  /** Number of times that this was written: a process that finds an unexpected number is not the only one that moves. */
  writes: number;
  /** 1 where both sides were found to differ in the end, so that only a new beginning helps. */
  is_spoilt: number;
}

type MoveSchema = { database_move: UnfinishedMove & { id: number } };

/** Gives how far a move into this database has come, where there is one that has not ended. */
export async function findUnfinishedMove(db: Queries): Promise<UnfinishedMove | undefined> {
  if (!(await hasMoveTable(db))) return undefined;
  return inMove(db).selectFrom("database_move").selectAll().where("id", "=", 1).executeTakeFirst();
}

/** Refuses a database into which a move has not ended: some of its rows are missing. */
export async function refuseUnfinishedMove(db: Queries): Promise<void> {
  const move = await findUnfinishedMove(db);
  if (move) {
    throw new UnusableDatabase(
      `The move from ${move.source_name} into this database has not ended, so rows are missing. Run it again with the same addresses: holdfast database move --from … --to …`,
    );
  }
}

/** Notes that a move begins. */
export async function noteBeginning(db: Queries, move: UnfinishedMove): Promise<void> {
  await inMove(db)
    .schema.createTable("database_move")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("source_name", "text", (c) => c.notNull())
    .addColumn("step", "text", (c) => c.notNull())
    .addColumn("last_key", "text")
    .addColumn("copied", "bigint", (c) => c.notNull())
    .addColumn("writes", "bigint", (c) => c.notNull())
    .addColumn("is_spoilt", "integer", (c) => c.notNull())
    .execute();
  await inMove(db)
    .insertInto("database_move")
    .values({ id: 1, ...move })
    .execute();
}

/** Notes how far a move has come. Gives false if another process has done so since it was read. */
export async function noteProgress(db: Queries, { writes, ...move }: UnfinishedMove): Promise<boolean> {
  const { numUpdatedRows } = await inMove(db)
    .updateTable("database_move")
    .set({ ...move, writes: writes + 1 })
    .where("id", "=", 1)
    .where("writes", "=", writes)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes that a move has ended: the database is whole. */
export async function noteEnd(db: Queries): Promise<void> {
  await inMove(db).schema.dropTable("database_move").execute();
}

async function hasMoveTable(db: Queries): Promise<boolean> {
  const { rows } = await (isPostgres(db)
    ? sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = 'database_move'`
    : sql`select 1 from sqlite_schema where type = 'table' and name = 'database_move'`
  ).execute(db);
  return rows.length > 0;
}

function inMove(db: Queries): Kysely<Schema & MoveSchema> {
  return db.withTables<MoveSchema>();
}
