import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../seen";

export const errorLine = /ERROR: \[\d+\]/;

/** The number of the error decides; these are words that say more than it. */
export const signs: readonly Sign[] = [
  { pattern: /No space left on device|\[28\]/, code: "repository_full" },
  { pattern: /has a stanza-create been performed/, code: "repository_missing" },
];

const numbers: readonly (readonly [ErrorCode, readonly number[]])[] = [
  ["pack_damaged", [26, 28, 29]],
  ["wrong_usage", [30, 31, 32, 37]],
  ["target_not_empty", [38, 40]],
  ["connection_closed", [39]],
  ["version_unsupported", [46]],
  ["host_unreachable", [49]],
  ["stanza_busy", [50]],
  ["repository_missing", [103]],
  ["database_unreachable", [56, 57]],
  ["interrupted", [63]],
  ["archive_missing", [75]],
  ["wal_not_archived", [68, 82, 87]],
  ["wrong_password", [95]],
  ["bucket_forbidden", [105]],
];

/** The exit code is the number of the error. */
export const codes: ReadonlyMap<number, ErrorCode> = new Map(
  numbers.flatMap(([code, all]) => all.map((number) => [number, code] as const)),
);
