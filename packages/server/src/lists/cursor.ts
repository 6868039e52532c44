import { refuseField } from "@holdfast/api/conventions/api-error";
import type { Sealer } from "../secrets/seal";
import type { ListPlace } from "./keyset";
import type { ListSnapshot } from "./list-source";

/** Where a walk goes on, and what it has to keep to so that it never repeats and never skips. */
export interface Cursor {
  direction: "next" | "prev";
  place: ListPlace;
  listSnapshot: ListSnapshot;
}

/** Purpose of a cursor: it is refused for anything else. */
export interface CursorPurpose {
  resource: string;
  version: number;
  unitId: string;
  filter: string | null;
  limit: number;
  /** Which list it is and what else was asked of it, where its resource has several lists. */
  list?: string | undefined;
  /** Sort order of the list, if it has several. */
  sort?: string | undefined;
}

/** Content of a cursor. A change of this has to change the purpose, too, so that older cursors are refused. */
type Content = readonly [
  direction: Cursor["direction"],
  key: ListPlace["key"],
  id: string,
  total: number,
  watermark: number,
  furthest: number | null,
  ...transactions: number[],
];

/** Writes and reads the cursors of one list. */
export interface Cursors {
  /** Writes a cursor that only this control plane can read. */
  seal(cursor: Cursor): string;
  /** Reads a cursor, or refuses one that was altered or made for another list. */
  open(text: string): Cursor;
}

export function createCursors(sealer: Sealer, purpose: CursorPurpose): Cursors {
  const bound = purposeText(purpose);
  return {
    seal({ direction, place, listSnapshot }) {
      const { total, watermark, transactions = [], furthest } = listSnapshot;
      const written: Content = [direction, place.key, place.id, total, watermark, furthest, ...transactions];
      return sealer.seal(JSON.stringify(written), bound);
    },
    open: (text) => readCursor(sealer.open(text, bound)),
  };
}

function readCursor(opened: string | undefined): Cursor {
  if (opened === undefined) {
    throw refuseField(
      "cursorInvalid",
      "cursor",
      "This cursor was altered, or made for another filter, sort, limit, version or organizational unit. Take links as they are, or start over with start=1.",
    );
  }
  // Nothing but this control plane can have sealed it, so its shape needs no look.
  const [direction, key, id, total, watermark, furthest, ...transactions]: Content = JSON.parse(opened);
  const added = transactions.length > 0 ? { transactions } : {};
  return { direction, place: { key, id }, listSnapshot: { total, watermark, ...added, furthest } };
}

function purposeText({ resource, version, unitId, filter, limit, list, sort }: CursorPurpose): string {
  const further = [...(list === undefined ? [] : [list]), ...(sort === undefined ? [] : [{ sort }])];
  return JSON.stringify(["cursor", resource, version, unitId, filter, limit, ...further]);
}
