import { exitCodes } from "@holdfast/api/engines/exit-statuses";
import type { ErrorCode } from "../../error-codes";
import type { Sign } from "../diagnostics";

export const errorLine = /error|exception|denied|failed|does not exist|already exists|\[Errno \d+\]/i;

/** Words, for runs whose messages carry no `msgid`. */
export const signs: readonly Sign[] = [
  // A signal that comes before borg is ready ends it with a traceback.
  {
    pattern: /Got Ctrl-C|Received SIGTERM|Received SIGHUP|\bSigTerm\b|\bSigHup\b|^KeyboardInterrupt/,
    code: "interrupted",
  },
  { pattern: /\[Errno 28\]|No space left on device|Insufficient free space|storage quota/i, code: "repository_full" },
  { pattern: /Failed to create\/acquire the lock|LockTimeout|LockError|LockFailed/, code: "repository_locked" },
  { pattern: /passphrase supplied in .* is incorrect|PassphraseWrong/i, code: "wrong_password" },
  { pattern: /can not acquire a passphrase|passcommand supplied/i, code: "password_missing" },
  { pattern: /^Repository .* does not exist|is not a valid repository/, code: "repository_missing" },
  { pattern: /^Archive .* already exists/, code: "archive_exists" },
  { pattern: /^Archive .* does not exist/, code: "archive_missing" },
  { pattern: /errors found|Data integrity error|IntegrityError|needs (a )?check/i, code: "pack_damaged" },
  { pattern: /ObjectNotFound|not found in repository/, code: "index_missing" },
  {
    pattern: /Could not resolve hostname|No route to host|Connection refused|Network is unreachable/,
    code: "host_unreachable",
  },
  { pattern: /Connection closed by remote host/, code: "connection_closed" },
  { pattern: /^borg( \S+)?: error: |^usage: borg/, code: "wrong_usage" },
  { pattern: /file changed while/, code: "files_changed" },
  { pattern: /^Traceback \(most recent call last\)/, code: "command_failed" },
  { pattern: /\[Errno 13\]|\[Errno 1\]|\[Errno 5\]/, code: "files_unreadable" },
];

/** The engine's own names of its errors. */
export const messageIds: Readonly<Record<string, ErrorCode>> = {
  LockTimeout: "repository_locked",
  LockError: "repository_locked",
  LockErrorT: "repository_locked",
  LockFailed: "repository_locked",
  PassphraseWrong: "wrong_password",
  NoPassphraseFailure: "password_missing",
  PasscommandFailure: "password_missing",
  PasswordRetriesExceeded: "password_missing",
  "Repository.DoesNotExist": "repository_missing",
  "Repository.InvalidRepository": "repository_missing",
  "Repository.ParentPathDoesNotExist": "repository_missing",
  "Repository.InsufficientFreeSpaceError": "repository_full",
  "Repository.StorageQuotaExceeded": "repository_full",
  "Repository.CheckNeeded": "pack_damaged",
  IntegrityError: "pack_damaged",
  FileIntegrityError: "pack_damaged",
  DecompressionError: "pack_damaged",
  "Repository.ObjectNotFound": "index_missing",
  "Archive.DoesNotExist": "archive_missing",
  "Archive.AlreadyExists": "archive_exists",
  ConnectionClosed: "connection_closed",
  ConnectionClosedWithHint: "connection_closed",
  "RemoteRepository.RPCServerOutdated": "version_unsupported",
  PathNotAllowed: "bucket_forbidden",
  "Repository.PathPermissionDenied": "bucket_forbidden",
  CommandError: "wrong_usage",
  "Signal.SIGTERM": "interrupted",
  "Signal.SIGHUP": "interrupted",
  "Signal.SIGINT": "interrupted",
};

/** With BORG_EXIT_CODES=modern, from 1.4. */
export const codes: Readonly<Record<number, ErrorCode>> = exitCodes.borg;
