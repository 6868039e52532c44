import { exitCodes } from "@holdfast/api/engines/exit-statuses";
import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../diagnostics";
import { goStorageSigns } from "../storage-signs";

/** Lines that say why restic gave up. */
export const errorLine = /^(Fatal|Error|error|unable|invalid)\b|^\w+ error:|"message_type":"exit_error"/;

/** Before 0.17 nearly every failure is exit code 1, so the words decide. */
export const signs: readonly Sign[] = [
  { pattern: /already locked/, code: "repository_locked" },
  { pattern: /wrong password or no key/, code: "wrong_password" },
  {
    pattern: /an empty password|Resolving password failed|unable to read password/,
    code: "password_missing",
  },
  {
    pattern: /unable to open config file|Is there a repository at|repository does not exist/,
    code: "repository_missing",
  },
  { pattern: /unsupported repository version/, code: "version_unsupported" },
  ...goStorageSigns,
  { pattern: /not found in index/, code: "index_missing" },
  { pattern: /repository contains errors|hash does not match|ciphertext verification failed/, code: "pack_damaged" },
  { pattern: /no matching ID found|no snapshot found|not found in snapshot/, code: "archive_missing" },
  { pattern: /all target directories\/files do not exist/, code: "source_missing" },
  {
    pattern: /unknown (shorthand )?flag|unknown command|nothing to backup|Please specify repository/,
    code: "wrong_usage",
  },
  { pattern: /does not exist, skipping/, code: "source_missing" },
  { pattern: /permission denied|source file could not be read/, code: "files_unreadable" },
  { pattern: /signal interrupt received/, code: "interrupted" },
];

/** From 0.17. */
export const codes: Readonly<Record<number, ErrorCode>> = exitCodes.restic;
