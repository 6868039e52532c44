import type { Sign } from "../diagnostics";

export const errorLine = /^pg_\w+: (error|fatal|warning|detail)|^(ERROR|FATAL): /;

export const signs: readonly Sign[] = [
  { pattern: /errors ignored on restore/, code: "restore_incomplete" },
  { pattern: /database "[^"]*" does not exist/, code: "database_missing" },
  { pattern: /no password supplied|password authentication failed/, code: "password_missing" },
  {
    pattern: /connection to server .* failed|could not connect to (server|database)|could not translate host name/,
    code: "database_unreachable",
  },
  { pattern: /server closed the connection unexpectedly|SSL connection has been closed/, code: "connection_closed" },
  { pattern: /exists but is not empty/, code: "target_not_empty" },
  { pattern: /No space left on device/, code: "repository_full" },
  { pattern: /server version mismatch/, code: "version_unsupported" },
  { pattern: /terminated by user|canceling statement due to user request/, code: "interrupted" },
  {
    pattern: /unrecognized option|invalid option|Try "pg_\w+ --help"|must be specified|too many command-line/,
    code: "wrong_usage",
  },
  { pattern: /permission denied for/, code: "files_unreadable" },
  { pattern: /could not open input file/, code: "source_missing" },
];
