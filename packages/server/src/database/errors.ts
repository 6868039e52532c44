/** The database cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

/** Why something could not be written. */
export type WriteFailure =
  | "disk_full"
  | "io_error"
  | "database_away"
  | "lock_timeout"
  | "statement_timeout"
  | "conflict"
  | "audit_unwritable";

/** The database does not answer now; the same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = "DatabaseUnavailable";
  readonly failure: WriteFailure;

  constructor(message: string, { cause, failure = "database_away" }: { cause?: unknown; failure?: WriteFailure } = {}) {
    // A cause that is undefined counts as none: then it was known before that the database is away.
    super(message, cause === undefined ? {} : { cause });
    this.failure = failure;
  }
}

/** The disk under the database is full: nothing can be changed, but everything can be read. */
export class DiskFull extends DatabaseUnavailable {
  override readonly name = "DiskFull";
  constructor(cause: unknown) {
    super("The disk of the database is full, so nothing can be changed. Make room on it.", {
      cause,
      failure: "disk_full",
    });
  }
}

/** The disk under the database failed: nothing that was written since can be trusted to be there. */
export class DatabaseBroken extends Error {
  override readonly name = "DatabaseBroken";
}

/** Why a change was not taken; undefined where the database was not the reason. */
export function writeFailureOf(error: unknown): WriteFailure | undefined {
  if (error instanceof DatabaseUnavailable) return error.failure;
  return error instanceof DatabaseBroken ? "io_error" : undefined;
}
