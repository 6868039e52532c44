import { exitCodes } from "@holdfast/api/engines/exit-statuses";
import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../diagnostics";

export const errorLine = /^rsync( error)?:|failed|denied|^ssh:|^@ERROR/;

export const signs: readonly Sign[] = [
  { pattern: /No space left on device|Disk quota exceeded/, code: "repository_full" },
  {
    pattern:
      /Could not resolve|No route to host|Connection refused|Network is unreachable|Connection timed out|getaddrinfo:/,
    code: "host_unreachable",
  },
  { pattern: /auth failed on module|Permission denied \(publickey/, code: "bucket_forbidden" },
  {
    pattern: /(?:\[sender\] |^rsync: )(?:change_dir|link_stat) ".*" (?:\(in .*\) )?failed: No such file/,
    code: "source_missing",
  },
  { pattern: /file has vanished|code 24\b/, code: "files_changed" },
  { pattern: /Permission denied \(13\)/, code: "files_unreadable" },
  { pattern: /connection unexpectedly closed|Connection reset by peer|Broken pipe/, code: "connection_closed" },
];

export const codes: Readonly<Record<number, ErrorCode>> = exitCodes.rsync;
