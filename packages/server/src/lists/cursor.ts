import { refuseField } from "@holdfast/api/conventions/api-error";
import { z } from "zod";
import type { Sealer } from "../secrets/seal";
import type { Place } from "./keyset";
import type { Survey } from "./list-source";

/** Where a walk goes on, and what it has to keep to so that it never repeats and never skips. */
export interface Cursor {
  direction: "next" | "prev";
  place: Place;
  survey: Survey;
  /** How far the database's log had come; a replica that is not there yet cannot go on. Null where there is none. */
  position: string | null;
}

/** What a cursor is good for: it is refused for anything else. */
export interface CursorPurpose {
  resource: string;
  version: number;
  unitId: string;
  filter: string | null;
  limit: number;
  /** Which list it is and what else was asked of it, where its resource has several lists. */
  list?: string | undefined;
  /** What the list is sorted by, where it can be sorted in several ways. */
  sort?: string | undefined;
}

const content = z.tuple(
  [
    z.enum(["next", "prev"]),
    z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
    z.string(),
    z.int(),
    z.int(),
    z.number().nullable(),
    z.string().nullable(),
  ],
  z.int(),
);

/** Writes a cursor that only this control plane can read. */
export function sealCursor(sealer: Sealer, cursor: Cursor, purpose: CursorPurpose): string {
  const { direction, place, survey, position } = cursor;
  const { total, horizon, laneHorizons = [], furthest } = survey;
  const written = [direction, place.key, place.id, total, horizon, furthest, position, ...laneHorizons];
  return sealer.seal(JSON.stringify(written), purposeText(purpose));
}

/** Reads a cursor, or refuses one that was altered or made for another list. */
export function openCursor(sealer: Sealer, text: string, purpose: CursorPurpose): Cursor {
  const opened = sealer.open(text, purposeText(purpose));
  if (opened === undefined) {
    throw refuseField(
      "cursorInvalid",
      "cursor",
      "This cursor was altered, or made for another filter, sort, limit, version or organizational unit. Take links as they are, or start over with start=1.",
    );
  }
  const [direction, key, id, total, horizon, furthest, position, ...laneHorizons] = content.parse(JSON.parse(opened));
  const ofLanes = laneHorizons.length > 0 ? { laneHorizons } : {};
  return { direction, place: { key, id }, survey: { total, horizon, ...ofLanes, furthest }, position };
}

function purposeText({ resource, version, unitId, filter, limit, list, sort }: CursorPurpose): string {
  const further = [...(list === undefined ? [] : [list]), ...(sort === undefined ? [] : [{ sort }])];
  return JSON.stringify(["cursor", resource, version, unitId, filter, limit, ...further]);
}
