import type { FieldKind } from "../conventions/filter";

/** Comparisons of a filter for each kind of field, in words. */
export const comparisons: Record<FieldKind, string> = {
  word: "as it is written",
  id: "a UUID in any letter case",
  text: "`$eq` as it is written, `$contains` in any letter case",
  name: "in any letter case",
  timestamp: "RFC 3339, with `Z` or an offset",
  flag: "`true` or `false`, without quotes",
};
