import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { Generated } from "kysely";

/** The tables, as queries see them. Times are milliseconds since 1970; flags are 0 or 1, which both databases have. */
export interface Schema {
  installation: InstallationTable;
  organizational_units: OrganizationalUnitTable;
  organizational_unit_paths: OrganizationalUnitPathTable;
  roles: RoleTable;
  users: UserTable;
  role_grants: RoleGrantTable;
  api_tokens: ApiTokenTable;
  signing_keys: SigningKeyTable;
  entities: EntityTable;
  tasks: TaskTable;
  protected_entities: ProtectedEntityTable;
  task_totals: TaskTotalTable;
  task_days: TaskDayTable;
  task_day_versions: TaskDayVersionTable;
  task_quarters: TaskQuarterTable;
  entity_weeks: EntityWeekTable;
  task_leases: TaskLeaseTable;
  task_logs: TaskLogTable;
  task_log_pieces: TaskLogPieceTable;
  task_changes: TaskChangeTable;
  monitors: MonitorTable;
  ping_keys: PingKeyTable;
  ping_runs: PingRunTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  saved_views: SavedViewTable;
  one_time_links: OneTimeLinkTable;
  sessions: SessionTable;
  sign_in_failures: SignInFailureTable;
  sign_in_addresses: SignInAddressTable;
  identities: IdentityTable;
  idempotency_keys: IdempotencyKeyTable;
  audit_events: AuditEventTable;
  audit_head: AuditHeadTable;
  serving_processes: ServingProcessTable;
  listening: ListeningTable;
  unwatched_times: UnwatchedTimeTable;
}

/** One row about this control plane itself. */
export interface InstallationTable {
  id: number;
  base_url: string | null;
  /** 1 if it was set; 0 if it is derived from host and port. */
  base_url_is_set: number;
  /** The aliases that the service was last started with, with commas; null for none. */
  base_url_aliases: Generated<string | null>;
  /** A known text, sealed: opening it checks the secret. */
  secret_check: string;
  sealed_cursor_key: string;
  created_at: number;
}

export interface OrganizationalUnitTable {
  seq: Generated<number>;
  id: string;
  parent_id: string | null;
  name: string;
  name_lower: string;
  name_folded: string;
  created_at: number;
  /** After how many days without a good backup what nothing watches is stale; null for what the unit above has. */
  stale_after_days: Generated<number | null>;
}

/** Every unit with each unit above it and with itself: "in this unit or below it" is one lookup. */
export interface OrganizationalUnitPathTable {
  ancestor_id: string;
  unit_id: string;
}

export interface RoleTable {
  seq: Generated<number>;
  id: string;
  name: string;
  name_lower: string;
  name_folded: string;
  description: string;
  /** A JSON array. */
  permissions: string;
  /** Where it was made: it can be held there and below. The default roles' is the root. */
  organizational_unit_id: string;
  is_default: number;
  /** Null for a default role. */
  created_at: number | null;
}

export interface UserTable {
  seq: Generated<number>;
  id: string;
  email: string;
  full_name: string;
  is_confirmed: number;
  is_enabled: number;
  inviter_id: string | null;
  created_at: number;
  last_active_at: number | null;
  /** Columns that are sorted and compared are stored, so that no database's collation decides. */
  name_lower: string;
  name_folded: string;
  email_folded: string;
  /** Null for who has not set a password: invited, or signing in elsewhere. */
  password_hash: string | null;
  sealed_totp_secret: string | null;
  /** When the first one-time code was right; before that, none is asked for. */
  totp_confirmed_at: number | null;
  /** The time step of the last code that was taken: none is good twice. */
  totp_last_step: number | null;
  /** A JSON array of hashes. */
  recovery_codes: string | null;
  /** The zone of the times in mail to this person, such as Europe/Berlin. */
  time_zone: Generated<string>;
}

export interface RoleGrantTable {
  user_id: string;
  role_id: string;
  organizational_unit_id: string;
}

export interface ApiTokenTable {
  seq: Generated<number>;
  /** The token's `jti`. */
  id: string;
  name: string;
  name_folded: string;
  kind: "personal" | "service";
  organizational_unit_id: string;
  /** Of a personal token: whose it is. */
  user_id: string | null;
  /** Of a service token: what it may do. Null once it is revoked and the role is gone. */
  role_id: string | null;
  /** Null for a token that was made on the command line. */
  created_by: string | null;
  /** The key that signed it. When that is retired, so is the token. */
  kid: string;
  created_at: number;
  expires_at: number;
  /** Set by a rotation: the old token is good until then. Null for one that was never rotated. */
  ends_at: number | null;
  /** Null unless it was revoked, which holds at once, whatever a clock says. */
  revoked_at: number | null;
  last_used_at: number | null;
  last_used_address: string | null;
  last_used_client: string | null;
  /** Of a token that came of a rotation: the one that was rotated first. Null for any other. */
  first_id: Generated<string | null>;
  /** The address that it was issued for, its `iss`. Null if it was made before any service had started. */
  base_url: Generated<string | null>;
  /** Of a token that came of a renewal: when its right was last given by somebody else. Null for any other. */
  granted_at: Generated<number | null>;
  /** Days before its expiry of the last announcement; null if there was none. */
  expiry_announced_days: Generated<number | null>;
}

export interface SigningKeyTable {
  seq: Generated<number>;
  kid: string;
  /** A JSON Web Key. */
  public_key: string;
  sealed_private_key: string;
  created_at: number;
  /** When another key took over signing; null for the one that signs. */
  replaced_at: number | null;
  /** When the last token that it signed dies; null while it signs. */
  expires_at: number | null;
}

/** Entities that tasks protect. Many tasks share few of these, so filtering by name looks here first. */
export interface EntityTable {
  key: Generated<number>;
  id: string;
  type: string;
  value: string;
  id_folded: string;
  value_folded: string;
}

export interface TaskTable {
  /** Order of arrival. A walk over pages keeps to what had arrived when it began. */
  seq: Generated<number>;
  id: string;
  organizational_unit_id: string;
  category: string;
  type: string;
  status: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  entity_key: number | null;
  /** Outcome; empty until the end. */
  outcome: string;
  /** Code of the error; null if there is none. */
  error_code: string | null;
  /** The monitor that it is a run of; null for any other task. The monitor may be gone. */
  monitor_id: string | null;
  /** The recurring piece of work that it is a run of; null for its type. */
  operation: string | null;
  /** The whole task as JSON, written once and read by many lists. The columns beside it are what lists search by. */
  document: string;
  /** The transaction that added it; 0 if it was added before a restore. SQLite has no such column: there `seq` is in the order of commits. */
  xid: Generated<number>;
}

/** State of a primary entity in a unit, kept in step with its tasks and with the monitors that expect it. */
export interface ProtectedEntityTable {
  seq: Generated<number>;
  id: string;
  organizational_unit_id: string;
  /** SHA-256 of type and id, which may be longer than an index takes. */
  entity_hash: string;
  entity_type: string;
  entity_id: string;
  entity_id_folded: string;
  /** Its name in the newest task, and which task that is. */
  value: string;
  value_folded: string;
  value_at: number;
  value_task_id: string;
  /** The beginning of the folded name: what is sorted by. */
  sort_name: string;
  /** JSON: the ended tasks that its facts come from. They stay here when retention removes the tasks. */
  evidence: string;
  /** JSON: which of its operations are retired, and which monitors watch each of them. */
  operations: string;
  state: EntityState;
  /** The place of the state among all states when entities are sorted by it. */
  state_rank: number;
  last_good_at: number | null;
  first_seen_at: number;
  /** JSON: the ids of the monitors that watch it. */
  monitor_ids: string;
  /** The monitor that the newest backups of its operations are runs of; `several` if there are more of them. */
  run_monitor_id: string | null;
  expected_period_seconds: number | null;
  /** End of the last good backup of the operation that turns stale next; null if none can. */
  silent_since_at: number | null;
  /** An unwatched operation is stale if its last good backup ended before this. */
  stale_before_at: number;
  muted_until: number | null;
  is_retired: number;
  /** Time at which reminders noted that it is down; null while it is not. */
  down_since_at: number | null;
}

/** Number of tasks of each kind: exact totals without counting. The sum over all writers counts, not a single row. */
export interface TaskTotalTable {
  organizational_unit_id: string;
  category: string;
  type: string;
  status: string;
  outcome: string;
  count: number;
  /** The newest task when tasks were last added: a walk over a unit begins with what had arrived by then. */
  last_seq: number;
  /** The transaction that added it; 0 on SQLite. */
  last_xid: Generated<number>;
  /** Reports that are written at the same time add to different rows, so that none waits for the commit of another. */
  writer: Generated<number>;
}

/** Number of tasks for each day (UTC, days since 1970) on which they were created: where a page far down the list begins. */
export interface TaskDayTable extends Omit<TaskTotalTable, "last_seq" | "last_xid"> {
  day: number;
}

/** Changes with the counts of a day, of its quarters of an hour too. The version of the day is the sum of all writers. */
export interface TaskDayVersionTable {
  day: number;
  /** Only ever increases, even if the counts are removed. */
  version: Generated<number>;
  writer: Generated<number>;
}

/**
 * Number of tasks for each quarter of an hour (quarters since 1970), whatever their type. Every time zone begins its days at one of these.
 */
export interface TaskQuarterTable extends Omit<TaskTotalTable, "type" | "last_seq" | "last_xid"> {
  quarter: number;
}

/** The number of tasks of an entity in a unit that were created in a week (UTC, weeks since 1970, which begin on Thursdays). */
export interface EntityWeekTable {
  entity_key: number;
  week: number;
  organizational_unit_id: string;
  count: number;
}

/**
 * Who runs a task, and what is known of that: one narrow row per task that is reported. A heartbeat changes `renewals` alone,
 * which no index has. The row stays for some time after the end, to recognise reports that come again or late.
 */
export interface TaskLeaseTable {
  task_id: string;
  /** Of the task: finds its partition. */
  created_at: number;
  organizational_unit_id: string;
  /** Who may report on it: a user, or a service token with all that it was rotated to. */
  holder: string;
  /** Who held it before it was taken over, as a JSON list. */
  former_holders: string;
  /** Of the run that has claimed it. */
  claim_id: string | null;
  attempt: number;
  /** The last report of the attempt that was applied; 0 before one that has a number. */
  sequence: number;
  state: "queued" | "in_progress" | "aborting" | "lost" | "ended";
  lease_seconds: number;
  /** Counts what is heard of the runner. */
  renewals: number;
  /** Number of seconds of a long lease that are known to have passed since the last renewal. */
  waited_seconds: number;
  liveness: "" | "silent" | "overdue" | "stalled";
  can_abort: number;
  abort_grace_seconds: number;
  abort_requested_at: number | null;
  abort_reason: string | null;
  start_by_seconds: number;
  /** Null where there is no limit. */
  max_duration_seconds: number | null;
  stall_seconds: number | null;
  /** When it came into being here, when it began, and when it last came further, by the service's clock. */
  received_at: number;
  started_at: number | null;
  progressed_at: number;
  log_size: number;
  /** When it ended or was lost, by the service's clock; null until then. */
  ended_at: number | null;
}

/** That a task has a log, and how many bytes were written to it, those included that are not kept. */
export interface TaskLogTable {
  task_id: string;
  /** Of the task: finds its partition. */
  created_at: number;
  size: number;
}

/** A piece of a log. Positions are bytes of UTF-8; what no piece has is not kept. */
export interface TaskLogPieceTable {
  task_id: string;
  starts_at: number;
  ends_at: number;
  text: string;
}

/** A change of a task, which streams follow. Read in the order of transactions, below the oldest open one. Kept for some minutes. */
export interface TaskChangeTable {
  /** In the order of changes of the same task. */
  number: Generated<number>;
  /** The transaction that made it; SQLite has no such column: there numbers are in the order of commits. */
  xid: Generated<number>;
  /** Null for a change of so many tasks that streams have to begin again. */
  task_id: string | null;
  /** Of the task: finds its partition. */
  created_at: number;
  /** Fields that filters use, as they were before, as JSON; null for a new task. */
  before: string | null;
  changed_at: number;
}

/** Expectation of runs, and the history of them. */
export interface MonitorTable {
  seq: Generated<number>;
  id: string;
  organizational_unit_id: string;
  name: string;
  name_lower: string;
  name_folded: string;
  /** Unique in the unit. */
  slug: string;
  /** Category of its tasks. */
  category: string;
  type: string;
  /** JSON: `{id, type, value}`. */
  primary_entity: string;
  /** The operation of its entity whose tasks are its runs without naming it; null if it follows none. */
  operation: string | null;
  /** JSON: `{cron, time_zone}` or `{period_seconds}`; null where nothing is expected. */
  schedule: string | null;
  grace_seconds: number;
  run_limit_seconds: number;
  /** JSON: `{failure: [], warning: []}`. */
  body_rules: string | null;
  paused_until: number | null;
  state: "waiting" | "ok" | "late" | "missed" | "failed" | "paused";
  /** The place of the state among all states when monitors are sorted by it. */
  state_rank: number;
  /** 1 from the first miss, failure or loss until the first good run after it. */
  is_down: number;
  /** Time at which it went down; null while it is not. */
  down_since_at: number | null;
  /** Number of its tasks that are under way. */
  open_runs: number;
  /** From when on runs are expected: since it was made, its schedule was changed or its pause has ended. */
  watched_from_at: number;
  /** The run that is waited for; null where nothing is expected. */
  next_expected_at: number | null;
  /** From when on the grace of that run counts: after the end of daylight saving time later than it is expected. */
  grace_counts_from_at: number | null;
  /** When the service has to look at it next; null where time alone changes nothing. */
  next_check_at: number | null;
  /** When its last run began. */
  last_begun_at: number | null;
  last_ping_at: number | null;
  last_task_id: string | null;
  missed_in_a_row: number;
  /** The last expected run of which cannot be said whether it came, because the service was not listening. */
  last_unwatched_at: number | null;
  /** JSON: at most 30 of `{task_id, outcome, created_timestamp}`, oldest first. */
  recent_outcomes: string;
  /** SHA-256 of the UUID in its ping URL, to find it by, and that UUID sealed, to show it. */
  url_hash: string;
  sealed_url: string;
  /** The URL before a rotation, and until when it is good. */
  previous_url_hash: string | null;
  previous_url_ends_at: number | null;
  created_at: number;
}

/** A key with which all monitors of a unit can be pinged by their slugs. */
export interface PingKeyTable {
  seq: Generated<number>;
  id: string;
  organizational_unit_id: string;
  name: string;
  name_folded: string;
  /** SHA-256 of the key. */
  key_hash: string;
  /** Of monitors that it makes. */
  category: string;
  type: string;
  may_create: number;
  default_period_seconds: number | null;
  created_at: number;
}

/** A run that pings have reported: what the next ping is compared with. Kept as long as the lease of its task. */
export interface PingRunTable {
  task_id: string;
  monitor_id: string;
  /** The UUID that its sender gave it. */
  rid: string | null;
  begun_at: number;
  /** When a ping ended it, and what that said: `success`, `fail` or an exit status. Its lease says whether it is open. */
  ended_at: number | null;
  end_signal: string | null;
  /** Length and SHA-256 of the body of its last ping: a longer one that begins with it adds only the rest to the log. */
  body_bytes: number;
  body_hash: string | null;
}

/** Where events of tasks and monitors are sent. */
export interface WebhookTable {
  seq: Generated<number>;
  id: string;
  name: string;
  name_lower: string;
  name_folded: string;
  /** It hears of the tasks of this unit and of those below it. */
  organizational_unit_id: string;
  kind: "standard" | "slack" | "ntfy" | "mail";
  /** Null for `mail`. */
  url: string | null;
  sealed_authorization: string | null;
  /** Of `standard` alone: what messages are signed with. */
  sealed_secret: string | null;
  /** Older secret with which deliveries are signed as well until a moment, after a rotation. */
  sealed_old_secret: string | null;
  old_secret_until: number | null;
  /** A JSON array; empty but for `mail`. */
  recipient_user_ids: string;
  /** A JSON array. */
  events: string;
  /** A filter of tasks, as JSON; null for none. */
  filter: string | null;
  /** Interval at which it reminds of what stays down. */
  remind_after: "never" | "daily" | "weekly";
  /** Time of the last reminder, or from which reminders count; null for a webhook of an earlier version. */
  reminded_at: number | null;
  is_enabled: number;
  /** Why the service has switched it off. */
  disabled_reason: string | null;
  last_success_at: number | null;
  failures_in_a_row: number;
  /** When the first attempt after the last success failed; null after a success. */
  failing_since: number | null;
  created_at: number;
}

/** Event that a webhook sends, as it was when it happened. The numbers are in the order of commits. */
export interface WebhookDeliveryTable {
  seq: Generated<number>;
  id: string;
  webhook_id: string;
  event: string;
  /** Null for what is not about a task. */
  task_id: string | null;
  /** Subject of the message: a later message about it waits for the first attempt of this one. `*` is about everything. */
  subject: string | null;
  /** Number of alike events that it stands for. */
  event_count: number;
  /** Payload as JSON, without the base URL. */
  payload: string;
  state: "waiting" | "sending" | "delivered" | "failed" | "dropped";
  /** When it is to be tried; while it is being sent, when another process may try it. Null when there is nothing to do. */
  due_at: number | null;
  /** The process that sends it. */
  claimed_by: string | null;
  /** 1 until its first attempt is over. */
  is_first: number;
  /** Number of failed attempts since it was made or sent again by hand: the place in the schedule. */
  failures: number;
  attempt_count: number;
  /** A JSON array of the last attempts. */
  attempts: string;
  /** A JSON array: whom a mail has reached, so that a further attempt leaves them out. */
  reached_user_ids: string;
  created_at: number;
}

/** A link that is good once, known by its hash. */
export interface OneTimeLinkTable {
  hash: string;
  /** `invitation`: its user sets a password. `first_owner`: its holder becomes the first owner. */
  purpose: "invitation" | "first_owner";
  user_id: string | null;
  created_at: number;
  expires_at: number;
}

/** A signed-in person, known by the hash of the cookie. */
export interface SessionTable {
  hash: string;
  user_id: string;
  created_at: number;
  used_at: number;
  expires_at: number;
  address: string | null;
  client: string | null;
}

/** Number of failed sign-ins, by account and by address. */
export interface SignInFailureTable {
  key: string;
  failures: number;
  last_at: number;
}

/** From where a user has signed in. */
export interface SignInAddressTable {
  user_id: string;
  /** An address of IPv4, or a network of IPv6. */
  network: string;
  last_at: number;
}

/** Who a user is at an OpenID provider. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** Answer to a request with an Idempotency-Key. */
export interface IdempotencyKeyTable {
  caller: string;
  key: string;
  request_hash: string;
  answer: string;
  created_at: number;
}

/** A link of the audit chain: the document is what is hashed, the columns are what is searched by. */
export interface AuditEventTable {
  number: number;
  id: string;
  created_at: number;
  operation: string;
  result: string;
  actor_user_id: string | null;
  actor_token_id: string | null;
  object_type: string | null;
  object_id: string | null;
  organizational_unit_id: string | null;
  document: string;
  hash: string;
}

/** One row: how long the chain is and how it ends, sealed, so that an end that was cut off is found. */
export interface AuditHeadTable {
  id: number;
  sealed: string;
}

/** A process that serves this database, as it noted itself. */
export interface ServingProcessTable {
  id: string;
  base_url: string;
  host: string;
  pid_namespace: string;
  pid: number;
  /** When it was last known to serve, by the clock of the database. */
  seen_at: number;
}

/** One row: until when the service is known to have listened for reports and pings. */
export interface ListeningTable {
  id: number;
  noted_at: number;
}

/** A time in which the service did not listen, or in which the wall clock jumped. */
export interface UnwatchedTimeTable {
  until_at: number;
  from_at: number;
}

/** A saved view of a list: shared in a unit, or private to a user. */
export interface SavedViewTable {
  seq: Generated<number>;
  id: string;
  organizational_unit_id: string | null;
  user_id: string | null;
  name: string;
  name_lower: string;
  name_folded: string;
  page: string;
  query: string;
  created_at: number;
}
