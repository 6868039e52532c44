import type { Sign } from "../diagnostics";
import { goStorageSigns } from "../storage-signs";

export const errorLine = /\bERROR\b|error:|failed/i;

export const signs: readonly Sign[] = [
  { pattern: /invalid repository password/, code: "wrong_password" },
  { pattern: /repository is not connected|repository not initialized/, code: "repository_missing" },
  ...goStorageSigns,
  { pattern: /unknown (long|short) flag|expected command/, code: "wrong_usage" },
  { pattern: /no such file or directory/, code: "source_missing" },
  { pattern: /permission denied/, code: "files_unreadable" },
];
