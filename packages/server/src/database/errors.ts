/** The database cannot be used as it is; the message says what to do. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

/** The database does not answer now; the same request may succeed later. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
}

/** The disk under the database failed: nothing that was written since can be trusted to be there. */
export class DatabaseBroken extends Error {
  override readonly name = "DatabaseBroken";
}
