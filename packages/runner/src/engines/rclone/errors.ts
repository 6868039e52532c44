import { exitCodes } from "@holdfast/api/engines/exit-statuses";
import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../diagnostics";
import { goStorageSigns } from "../storage-signs";

export const errorLine = /\b(ERROR|CRITICAL)\s*: |Failed to |Fatal error/;

export const signs: readonly Sign[] = [
  { pattern: /unknown (shorthand )?flag|unknown command|Command \S+ needs/, code: "wrong_usage" },
  { pattern: /didn't find section in config file|error reading destination/, code: "repository_missing" },
  ...goStorageSigns,
  { pattern: /error reading source/, code: "source_missing" },
  { pattern: /permission denied/, code: "files_unreadable" },
];

export const codes: Readonly<Record<number, ErrorCode>> = exitCodes.rclone;
