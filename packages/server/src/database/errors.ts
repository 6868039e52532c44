/** The database cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

/** The database does not answer now; the same request may succeed later. */
export class DatabaseAway extends Error {
  override readonly name: string = "DatabaseAway";
}

/** The disk under the database is full: nothing can be changed, but everything can be read. */
export class DiskFull extends DatabaseAway {
  override readonly name = "DiskFull";
  constructor(cause: unknown) {
    super("The disk of the database is full, so nothing can be changed. Make room on it.", { cause });
  }
}

/** The disk under the database failed: nothing that was written since can be trusted to be there. */
export class DatabaseBroken extends Error {
  override readonly name = "DatabaseBroken";
}
