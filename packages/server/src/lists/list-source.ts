import type { Filter } from "@holdfast/api/conventions/filter";
import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Caller } from "../access/caller";
import type { Queries } from "../database/database";
import type { Place } from "./cursor";

/** Whose list it is, and of which unit. */
export interface ListScope {
  caller: Caller;
  unitId: string;
  permission: Permission;
}

/** One moment of the database, and its stamp. */
export interface Snapshot {
  db: Queries;
  stamp: number;
}

/** A part of a list: what lies beyond a place, or after so many items from the front. */
export interface Slice {
  /** Items that arrived later are not in it. */
  horizon: number;
  /** How many to read. */
  count: number;
  from: { skip: number } | { after: Place } | { before: Place };
}

/** What a row has so that a walk can go on from it. */
export interface Placed {
  place: Place;
}

/** How the items of a resource are found. Every query keeps to the scope by itself. */
export interface ListSource<Row extends Placed, Field extends string> {
  /** The arrival number of the newest item: a walk that begins now keeps to what is not newer. */
  horizon(snapshot: Snapshot): Promise<number>;
  count(snapshot: Snapshot, scope: ListScope, filter: Filter<Field>): Promise<number>;
  /** The rows of a slice in the list's order; those before a place come nearest first. */
  read(snapshot: Snapshot, scope: ListScope, filter: Filter<Field>, slice: Slice): Promise<Row[]>;
}
