import type { Sign } from "../diagnostics";

export const errorLine = /^(g?tar|bsdtar): (?!Removing leading|Exiting with failure|Error is not recoverable)/;

export const signs: readonly Sign[] = [
  { pattern: /No space left on device|Wrote only \d+ of \d+ bytes|Disk quota exceeded/, code: "repository_full" },
  { pattern: /unrecognized option|invalid option|You must specify one of|Cowardly refusing/, code: "wrong_usage" },
  {
    pattern: /This does not look like a tar archive|Unexpected EOF in archive|not in gzip format/,
    code: "pack_damaged",
  },
  { pattern: /Not found in archive/, code: "archive_missing" },
  { pattern: /Cannot stat: No such file|Cannot open: No such file/, code: "source_missing" },
  { pattern: /Cannot open: Permission denied|Cannot stat: Permission denied/, code: "files_unreadable" },
  { pattern: /file changed as we read it|File removed before we read it/, code: "files_changed" },
];
