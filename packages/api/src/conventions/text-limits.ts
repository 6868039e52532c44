/** Maximum lengths of texts in the API, each in the unit that its rule counts. */
export const textLimits = {
  /** The name of a user, an organizational unit or a token, in characters. */
  name: 200,
  operation: 200,
  /** The name of a role, in characters. */
  roleName: 100,
  roleDescription: 1000,
  email: 254,
  /** Minimum length of a new password, in characters of the composed form. */
  passwordCharacters: 12,
  /** In bytes of the composed form that is hashed: hashing costs time. */
  passwordBytes: 1024,
  /** An id of any kind; those that are made here are UUIDs. */
  id: 128,
  /** A timestamp with a generous number of decimals. */
  timestamp: 64,
  permission: 100,
  /** Specific type of a task: `restic_backup`. */
  taskType: 128,
  entityType: 128,
  entity: 1024,
  progressMessage: 200,
  abortReason: 200,
  runnerHost: 255,
  runnerVersion: 64,
  errorCode: 64,
  /** Text of an error and its remedy, as an engine prints it, over several lines. */
  errorText: 8192,
  signal: 32,
  /** A piece of a log, in bytes. */
  log: 262_144,
  /** The name of a monitor in the URLs of pings. */
  slug: 100,
  /** A cron expression. */
  cron: 200,
  timeZone: 64,
  /** A text that is searched for in the body of a ping. */
  bodyRule: 200,
  /** The address that events are sent to. */
  webhookUrl: 2048,
  /** The value of the header that a receiver asks for. */
  webhookAuthorization: 1024,
  /** The name of a saved view, in characters. */
  viewName: 100,
  /** The query of a saved view. */
  viewQuery: 4000,
  /** A task filter, as JSON. */
  filter: 8192,
  filterField: 64,
  filterOperator: 32,
  /** Where to go after signing in. It is kept in a cookie meanwhile, which browsers cut off at 4 KiB. */
  returnTo: 2000,
  /** A token, a one-time code or what stands behind the # of a link: one that is given for another is refused as wrong. */
  secret: 4096,
} as const;

/** Maximum number of elements in the lists of the API. */
export const listLimits = {
  permissions: 100,
  /** Roles in units that one user holds. */
  grants: 1000,
  /** Reports in one request. */
  reports: 500,
  /** Monitors that are created in one request. */
  monitors: 500,
  /** Signals that were sent to stop a run. */
  signals: 8,
  /** Texts of one kind that are searched for in the body of a ping. */
  bodyRules: 5,
  webhookEvents: 50,
  /** Users who get the mail of one webhook. */
  webhookRecipients: 20,
  filterValues: 200,
} as const;

/**
 * Maximum length of a line of so many characters before it is composed and trimmed. One character may have been written as
 * several: with its marks apart, and each of them in two halves.
 */
export function rawLineLength(characters: number): number {
  return 8 * characters;
}

/** Maximum length of a password before it is composed. No two bytes of the composed form are made of more than three. */
export const rawPasswordLength = 2 * textLimits.passwordBytes;
