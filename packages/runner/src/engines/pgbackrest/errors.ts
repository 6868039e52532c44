import { exitCodes } from "@holdfast/api/engines/exit-statuses";
import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../diagnostics";

export const errorLine = /ERROR: \[\d+\]/;

/** The number of the error decides; these are words that say more than it. */
export const signs: readonly Sign[] = [
  { pattern: /No space left on device|\[28\]/, code: "repository_full" },
  { pattern: /has a stanza-create been performed/, code: "repository_missing" },
];

/** The exit code is the number of the error. */
export const codes: Readonly<Record<number, ErrorCode>> = exitCodes.pgbackrest;
