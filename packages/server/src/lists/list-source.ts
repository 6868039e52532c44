import type { Filter } from "@holdfast/api/conventions/filter";
import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Sort } from "@holdfast/api/conventions/sort";
import type { Caller } from "../access/caller";
import type { DataVersions, Queries } from "../database/database";
import type { ListPlace } from "./keyset";
import type { Work } from "./work";

/** Whose list it is, and of which unit. */
export interface ListScope {
  caller: Caller;
  unitId: string;
  /** The permission of the operation; null where it needs none. */
  permission: Permission | null;
}

/** One moment of the database, its stamps, and the work that reading it is a part of. */
export interface Snapshot {
  db: Queries;
  dataVersions: DataVersions;
  work: Work;
}

/** Snapshot of a list at the moment at which a walk over it begins. The walk keeps to it until its end. */
export interface ListSnapshot {
  /** Number of items. */
  total: number;
  /**
   * An arrival number that no item of the unit is newer than yet: what arrives later is not seen. It changes only when
   * something in the unit does, because cursors hold it and the page's ETag speaks of them.
   */
  watermark: number;
  /** If transactions add items at the same time: the newest one that added any, then those below it that are still open. */
  transactions?: readonly number[] | undefined;
  /** No item lies beyond this, in the list's order, so that nothing has to be looked for there; null where it is unknown. */
  furthest: number | null;
}

/** A part of a list: what lies beyond a place, or after so many items from the front. */
export interface Slice {
  listSnapshot: ListSnapshot;
  /** Number of items to read. */
  count: number;
  from: { skip: number } | { after: ListPlace } | { before: ListPlace };
  /** The order that was asked for; a list with one order gets none. */
  sort?: Sort | undefined;
}

/** Sort values of a row, so that a walk can go on from it. */
export interface Placed {
  place: ListPlace;
}

/** Source of the items of a resource. Every query keeps to the scope by itself. */
export interface ListSource<Row extends Placed, Field extends string> {
  listSnapshot(snapshot: Snapshot, scope: ListScope, filter: Filter<Field>): Promise<ListSnapshot>;
  /** The rows of a slice in the list's order; those before a place come nearest first. */
  read(snapshot: Snapshot, scope: ListScope, filter: Filter<Field>, slice: Slice): Promise<Row[]>;
}
