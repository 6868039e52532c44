import { sql } from "kysely";
import type { Queries } from "../database/database";

/** A unit that is directly below another one. */
export interface UnitBelow {
  id: string;
  parentId: string;
}

/** Units that come to be above a unit which moves, and those that no longer are. */
export interface UnitMove {
  gained: string[];
  lost: string[];
}

/**
 * Rows of a table in organizational units, and what becomes of them when a unit moves, is emptied or is deleted. Each of these is
 * one transaction.
 */
export interface UnitContents {
  /** Name of them in messages: "There are monitors in this organizational unit." */
  noun: string;
  /** Blocks everyone who adds to them, until the transaction ends. Called on PostgreSQL, after the row of the unit was locked. */
  lock?(db: Queries, unitId: string): Promise<void>;
  /** True if a unit has any that prevent its deletion. By default any row does. */
  areIn?(db: Queries, unitId: string, now: number): Promise<boolean>;
  /** Follows a unit that comes to lie elsewhere with everything below it, or refuses that. */
  followUnit?(db: Queries, unitId: string, passage: UnitMove, now: number): Promise<void>;
  /** Refuses to move them to another unit. Called for everything in the unit before anything of it moves. */
  refuseMove?(db: Queries, from: string, to: string): Promise<void>;
  /** Moves all of them to another unit. By default changes their column `organizational_unit_id`. */
  move?(db: Queries, from: string, to: string, now: number): Promise<void>;
  /** Removes those that did not prevent the deletion of their unit. */
  forget?(db: Queries, unit: UnitBelow, now: number): Promise<void>;
}

/** Contents of units with the defaults filled in. */
export type KnownContents = UnitContents & Required<Pick<UnitContents, "areIn" | "move">>;

/** Fills in what contents do by default, from the table that they are in. */
export function contentsIn(table: string, contents: UnitContents): KnownContents {
  return {
    areIn: async (db, unitId) => {
      const { rows } = await sql`
        select 1 from ${sql.table(table)} where organizational_unit_id = ${unitId} limit 1`.execute(db);
      return rows.length > 0;
    },
    move: async (db, from, to) => {
      await sql`
        update ${sql.table(table)} set organizational_unit_id = ${to} where organizational_unit_id = ${from}`.execute(
        db,
      );
    },
    ...contents,
  };
}
