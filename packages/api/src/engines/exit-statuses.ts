// Verdicts on exit statuses alone, for those who see nothing else of a run. The runner also reads the output.

/** Meaning of the exit statuses of each engine, if they have exactly one. */
export const exitCodes = {
  /** From 0.17. */
  restic: { 10: "repository_missing", 11: "repository_locked", 12: "wrong_password" },
  /** With BORG_EXIT_CODES=modern, from 1.4. */
  borg: {
    ...sameFor("wrong_usage", [4]),
    ...sameFor("pack_damaged", [12, 90, 91, 92, 95, 96, 97, 98, 99]),
    ...sameFor("repository_missing", [13, 15]),
    ...sameFor("repository_full", [14, 20]),
    ...sameFor("index_missing", [17]),
    ...sameFor("bucket_forbidden", [21, 83]),
    ...sameFor("version_unsupported", [25, 26, 27, 84]),
    ...sameFor("archive_exists", [30]),
    ...sameFor("archive_missing", [31]),
    ...sameFor("password_missing", [50, 51]),
    ...sameFor("wrong_password", [52]),
    ...sameFor("repository_locked", [70, 71, 72, 73, 74, 75]),
    ...sameFor("connection_closed", [80, 81, 87]),
    ...sameFor("files_changed", [100, 103]),
    ...sameFor("files_unreadable", [104, 105, 106, 107]),
  },
  /** The exit status is the number of the error. */
  pgbackrest: {
    ...sameFor("pack_damaged", [26, 28, 29]),
    ...sameFor("wrong_usage", [30, 31, 32, 37]),
    ...sameFor("target_not_empty", [38, 40]),
    ...sameFor("connection_closed", [39]),
    ...sameFor("version_unsupported", [46]),
    ...sameFor("host_unreachable", [49]),
    ...sameFor("stanza_busy", [50]),
    ...sameFor("repository_missing", [103]),
    ...sameFor("database_unreachable", [56, 57]),
    ...sameFor("interrupted", [63]),
    ...sameFor("archive_missing", [75]),
    ...sameFor("wal_not_archived", [68, 82, 87]),
    ...sameFor("wrong_password", [95]),
    ...sameFor("bucket_forbidden", [105]),
  },
  rclone: {
    2: "wrong_usage",
    3: "source_missing",
    4: "source_missing",
    5: "host_unreachable",
    7: "bucket_forbidden",
  },
  rsync: {
    1: "wrong_usage",
    2: "version_unsupported",
    10: "host_unreachable",
    12: "connection_closed",
    20: "interrupted",
    30: "connection_closed",
    35: "host_unreachable",
    255: "host_unreachable",
  },
} as const satisfies Record<string, Readonly<Record<number, string>>>;

/** Meaning that shells give to the exit statuses of any command. */
const commonCodes: Readonly<Record<number, string>> = {
  126: "tool_not_executable",
  127: "tool_missing",
  137: "killed",
  ...sameFor("interrupted", [129, 130, 131, 143]),
};

/** Statuses with which the work was done, but for something: by the beginning of the type of a task. */
const warnings: readonly { type: RegExp; codes: Readonly<Record<number, string>> }[] = [
  { type: /^restic_(?!forget$)/, codes: { 3: "files_unreadable" } },
  {
    type: /^borg_/,
    codes: { ...sameFor("command_failed", [1, 100, 101, 102, 103, 104, 105, 106, 107]), ...softBorgCodes() },
  },
  { type: /^rclone_/, codes: { 9: "nothing_transferred" } },
  { type: /^rsync_/, codes: { 23: "files_unreadable", 24: "files_changed" } },
  { type: /^tar_create$/, codes: { 1: "files_changed" } },
];

/** Outcome of a run, as far as its exit status says. */
export interface ExitVerdict {
  outcome: "success" | "warning" | "error";
  /** A program was stopped from outside, on its host. */
  isInterrupted: boolean;
  code: string;
}

/** Judges the exit status of a task of a type. An unknown one is never a success. */
export function judgeExitStatus(type: string, status: number): ExitVerdict {
  if (status === 0) return { outcome: "success", isInterrupted: false, code: "" };
  const warning = warnings.find((one) => one.type.test(type))?.codes[status];
  if (warning !== undefined) return { outcome: "warning", isInterrupted: false, code: warning };
  const code = codesOf(type)[status] ?? commonCodes[status] ?? "command_failed";
  return { outcome: "error", isInterrupted: code === "interrupted", code };
}

function codesOf(type: string): Readonly<Record<number, string>> {
  const [engine = ""] = type.split("_");
  const known: Readonly<Record<string, Readonly<Record<number, string>>>> = exitCodes;
  return Object.hasOwn(known, engine) ? (known[engine] ?? {}) : {};
}

function softBorgCodes(): Readonly<Record<number, string>> {
  return { ...sameFor("files_changed", [100, 103]), ...sameFor("files_unreadable", [104, 105, 106, 107]) };
}

function sameFor<Code extends string>(code: Code, statuses: readonly number[]): Readonly<Record<number, Code>> {
  return Object.fromEntries(statuses.map((status) => [status, code]));
}
