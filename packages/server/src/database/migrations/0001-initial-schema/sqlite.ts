/** The tables of SQLite. Text is compared by its bytes. */
export const sqlite = `
-- This control plane.
create table installation (
  id integer primary key check (id = 1),
  base_url text,
  base_url_is_set integer not null,
  base_url_aliases text,
  secret_check text not null,
  sealed_cursor_key text not null,
  created_at bigint not null
);

-- How often each domain was changed: triggers at the end count it. See database/domains.ts.
create table domain_versions (
  domain text primary key,
  version bigint not null
);
insert into domain_versions (domain, version) values ('units', 0), ('access', 0), ('sessions', 0), ('tasks', 0), ('entities', 0);

-- Organizational units.
create table organizational_units (
  seq integer primary key autoincrement,
  id text not null unique,
  parent_id text references organizational_units (id),
  name text not null,
  name_lower text not null,
  name_folded text not null,
  created_at bigint not null,
  stale_after_days integer,
  constraint organizational_units_name unique (parent_id, name_folded)
);
create table organizational_unit_paths (
  ancestor_id text not null references organizational_units (id),
  unit_id text not null references organizational_units (id),
  constraint organizational_unit_paths_key primary key (ancestor_id, unit_id)
);
create index organizational_unit_paths_by_unit on organizational_unit_paths (unit_id, ancestor_id);

-- Roles and users.
create table roles (
  seq integer primary key autoincrement,
  id text not null unique,
  name text not null,
  name_lower text not null,
  name_folded text not null,
  description text not null,
  permissions text not null,
  organizational_unit_id text not null references organizational_units (id),
  is_default integer not null,
  created_at bigint,
  constraint roles_name unique (organizational_unit_id, name_folded)
);
create table users (
  seq integer primary key autoincrement,
  id text not null unique,
  email text not null,
  full_name text not null,
  is_confirmed integer not null,
  is_enabled integer not null,
  inviter_id text references users (id) on delete set null,
  created_at bigint not null,
  last_active_at bigint,
  name_lower text not null,
  name_folded text not null,
  email_folded text not null unique,
  password_hash text,
  sealed_totp_secret text,
  totp_confirmed_at bigint,
  totp_last_step bigint,
  recovery_codes text,
  time_zone text not null default 'UTC'
);
create index users_in_order on users (name_lower, id);
create table role_grants (
  user_id text not null references users (id) on delete cascade,
  role_id text not null references roles (id),
  organizational_unit_id text not null references organizational_units (id),
  constraint role_grants_key primary key (user_id, organizational_unit_id, role_id)
);
create index role_grants_by_unit on role_grants (organizational_unit_id, user_id);

-- Tokens of the API, and the keys that sign them.
create table api_tokens (
  seq integer primary key autoincrement,
  id text not null unique,
  name text not null,
  name_folded text not null,
  kind text not null,
  organizational_unit_id text not null references organizational_units (id),
  user_id text references users (id) on delete cascade,
  role_id text references roles (id),
  created_by text references users (id) on delete set null,
  kid text not null,
  created_at bigint not null,
  expires_at bigint not null,
  ends_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  last_used_address text,
  last_used_client text,
  first_id text,
  base_url text,
  granted_at bigint,
  expiry_announced_days integer,
  constraint api_tokens_kind check (
    (kind = 'personal' and user_id is not null and role_id is null)
    or (kind = 'service' and (role_id is not null or revoked_at is not null) and user_id is null)
  )
);
create index api_tokens_by_expiry on api_tokens (expires_at, id);
create index api_tokens_by_name on api_tokens (name_folded, id);
create index api_tokens_by_user on api_tokens (user_id);
create index api_tokens_in_order on api_tokens (created_at, id);
create table signing_keys (
  seq integer primary key autoincrement,
  kid text not null unique,
  public_key text not null,
  sealed_private_key text not null,
  created_at bigint not null,
  replaced_at bigint,
  expires_at bigint
);

-- Signing in.
create table one_time_links (
  hash text primary key,
  purpose text not null,
  user_id text references users (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null
);
create table sessions (
  hash text primary key,
  user_id text not null references users (id) on delete cascade,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null,
  address text,
  client text
);
create index sessions_by_user on sessions (user_id);
create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  created_at bigint not null,
  constraint identities_key primary key (issuer, subject)
);
create table sign_in_failures (
  key text primary key,
  failures integer not null,
  last_at bigint not null
);
create table sign_in_addresses (
  user_id text not null references users (id) on delete cascade,
  network text not null,
  last_at bigint not null,
  constraint sign_in_addresses_key primary key (user_id, network)
);
create index sign_in_addresses_by_age on sign_in_addresses (last_at);

-- Requests that may be repeated.
create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash text not null,
  answer text not null,
  created_at bigint not null,
  constraint idempotency_keys_key primary key (caller, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The audit trail.
create table audit_events (
  number bigint primary key,
  id text not null unique,
  created_at bigint not null,
  operation text not null,
  result text not null,
  actor_user_id text,
  actor_token_id text,
  object_type text,
  object_id text,
  organizational_unit_id text,
  document text not null,
  hash text not null
);
create index audit_events_by_actor_token_id on audit_events (actor_token_id, number);
create index audit_events_by_actor_user_id on audit_events (actor_user_id, number);
create index audit_events_by_created_at on audit_events (created_at, number);
create index audit_events_by_object_id on audit_events (object_id, number);
create index audit_events_by_organizational_unit_id on audit_events (organizational_unit_id, number);
create table audit_head (
  id integer primary key check (id = 1),
  sealed text not null
);

-- Tasks. The indexes that a large load does without are built by database/tasks/indexes.ts.
create table entities (
  key integer primary key autoincrement,
  id text not null,
  type text not null,
  value text not null,
  id_folded text not null,
  value_folded text not null,
  constraint entities_identity unique (id, type, value)
);
create index entities_by_value on entities (value);
create table tasks (
  seq integer primary key autoincrement,
  id text not null,
  organizational_unit_id text not null,
  category text not null,
  type text not null,
  status text not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  entity_key bigint,
  outcome text not null,
  error_code text,
  monitor_id text,
  operation text,
  document text not null,
  constraint tasks_id unique (id)
);
create index tasks_by_ended_at on tasks (ended_at, created_at) where ended_at is not null;
create index tasks_by_started_at on tasks (started_at, created_at);
create index tasks_in_order on tasks (created_at, id, entity_key);

-- Counts of tasks.
create table task_totals (
  organizational_unit_id text not null references organizational_units (id),
  category text not null,
  type text not null,
  status text not null,
  outcome text not null,
  count bigint not null,
  last_seq bigint not null,
  last_xid bigint not null default 0,
  writer smallint not null default 0,
  constraint task_totals_key primary key (organizational_unit_id, category, type, status, outcome, writer)
) without rowid;
create table task_days (
  day integer not null,
  organizational_unit_id text not null references organizational_units (id),
  category text not null,
  type text not null,
  status text not null,
  outcome text not null,
  count bigint not null,
  writer smallint not null default 0,
  constraint task_days_key primary key (day, outcome, status, type, category, organizational_unit_id, writer)
) without rowid;
create table task_day_versions (
  day integer not null,
  version bigint not null default 1,
  writer smallint not null default 0,
  constraint task_day_versions_key primary key (day, writer)
) without rowid;
create table task_quarters (
  quarter integer not null,
  organizational_unit_id text not null references organizational_units (id),
  category text not null,
  status text not null,
  outcome text not null,
  count bigint not null,
  writer smallint not null default 0,
  constraint task_quarters_key primary key (quarter, outcome, status, category, organizational_unit_id, writer)
) without rowid;
create table entity_weeks (
  entity_key bigint not null,
  week integer not null,
  organizational_unit_id text not null references organizational_units (id),
  count bigint not null,
  constraint entity_weeks_key primary key (entity_key, week, organizational_unit_id)
) without rowid;

-- Reported tasks: who runs them, their logs, and what streams follow.
create table task_leases (
  task_id text primary key,
  created_at bigint not null,
  organizational_unit_id text not null,
  holder text not null,
  former_holders text not null,
  claim_id text,
  attempt integer not null,
  sequence bigint not null,
  state text not null,
  lease_seconds integer not null,
  renewals bigint not null,
  waited_seconds integer not null,
  liveness text not null,
  can_abort integer not null,
  abort_grace_seconds integer not null,
  abort_requested_at bigint,
  abort_reason text,
  start_by_seconds integer not null,
  max_duration_seconds integer,
  stall_seconds integer,
  received_at bigint not null,
  started_at bigint,
  progressed_at bigint not null,
  log_size bigint not null,
  ended_at bigint
) without rowid;
create index task_leases_ended on task_leases (ended_at) where ended_at is not null;
create index task_leases_open on task_leases (task_id) where ended_at is null;
create table task_logs (
  task_id text primary key,
  created_at bigint not null,
  size bigint not null
);
create index task_logs_by_created_at on task_logs (created_at, task_id);
create table task_log_pieces (
  task_id text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  text text not null,
  constraint task_log_pieces_key primary key (task_id, starts_at)
);
create table task_changes (
  number integer primary key autoincrement,
  task_id text,
  created_at bigint not null,
  before text,
  changed_at bigint not null
);
create index task_changes_by_changed_at on task_changes (changed_at);

-- How protected entities stand.
create table protected_entities (
  seq integer primary key autoincrement,
  id text not null unique,
  organizational_unit_id text not null references organizational_units (id),
  entity_hash text not null,
  entity_type text not null,
  entity_id text not null,
  entity_id_folded text not null,
  value text not null,
  value_folded text not null,
  value_at bigint not null,
  value_task_id text not null,
  sort_name text not null,
  evidence text not null,
  operations text not null,
  state text not null,
  state_rank integer not null,
  last_good_at bigint,
  first_seen_at bigint not null,
  monitor_ids text not null,
  run_monitor_id text,
  expected_period_seconds integer,
  silent_since_at bigint,
  stale_before_at bigint not null,
  muted_until bigint,
  is_retired integer not null,
  down_since_at bigint,
  constraint protected_entities_place unique (organizational_unit_id, entity_hash)
);
-- A row is as large as a page, and SQLite would read all of them to count some.
create index protected_entities_arrived on protected_entities
  (seq, organizational_unit_id, entity_type, state, muted_until, is_retired);
create index protected_entities_by_entity_id on protected_entities (entity_id);
create index protected_entities_by_last_good_in_order on protected_entities (coalesce(last_good_at, -1), id);
create index protected_entities_by_name_in_order on protected_entities (sort_name, id);
create index protected_entities_by_run_monitor on protected_entities (run_monitor_id) where run_monitor_id is not null;
create index protected_entities_by_silence on protected_entities (silent_since_at, organizational_unit_id, id)
  where silent_since_at is not null;
create index protected_entities_by_staleness on protected_entities (stale_before_at, organizational_unit_id, id)
  where stale_before_at > 0;
create index protected_entities_by_state_in_order on protected_entities (state_rank, sort_name, id);
create index protected_entities_by_value on protected_entities (value);
create index protected_entities_counted_in_order on protected_entities
  (state_rank, organizational_unit_id, entity_type, is_retired, muted_until);
create index protected_entities_muted on protected_entities (muted_until) where muted_until is not null;

-- Monitors and pings.
create table monitors (
  seq integer primary key autoincrement,
  id text not null unique,
  organizational_unit_id text not null references organizational_units (id),
  name text not null,
  name_lower text not null,
  name_folded text not null,
  slug text not null,
  category text not null,
  type text not null,
  primary_entity text not null,
  operation text,
  schedule text,
  grace_seconds integer not null,
  run_limit_seconds integer not null,
  body_rules text,
  paused_until bigint,
  state text not null,
  state_rank integer not null,
  is_down integer not null,
  down_since_at bigint,
  open_runs integer not null,
  watched_from_at bigint not null,
  next_expected_at bigint,
  grace_counts_from_at bigint,
  next_check_at bigint,
  last_begun_at bigint,
  last_ping_at bigint,
  last_task_id text,
  missed_in_a_row integer not null,
  last_unwatched_at bigint,
  recent_outcomes text not null,
  url_hash text not null unique,
  sealed_url text not null,
  previous_url_hash text,
  previous_url_ends_at bigint,
  created_at bigint not null,
  constraint monitors_slug unique (organizational_unit_id, slug)
);
create index monitors_by_next_check on monitors (next_check_at, id) where next_check_at is not null;
create index monitors_by_operation on monitors (organizational_unit_id, operation) where operation is not null;
create index monitors_by_previous_url on monitors (previous_url_hash) where previous_url_hash is not null;
create index monitors_by_state on monitors (state_rank, name_lower, id);
create index monitors_in_order on monitors (name_lower, id);
create table ping_keys (
  seq integer primary key autoincrement,
  id text not null unique,
  organizational_unit_id text not null references organizational_units (id),
  name text not null,
  name_folded text not null,
  key_hash text not null unique,
  category text not null,
  type text not null,
  may_create integer not null,
  default_period_seconds integer,
  created_at bigint not null
);
create index ping_keys_by_unit on ping_keys (organizational_unit_id, id);
create index ping_keys_in_order on ping_keys (created_at, id);
create table ping_runs (
  task_id text primary key,
  monitor_id text not null references monitors (id) on delete cascade,
  rid text,
  begun_at bigint not null,
  ended_at bigint,
  end_signal text,
  body_bytes integer not null,
  body_hash text
);
create index ping_runs_by_monitor on ping_runs (monitor_id, begun_at);
create index ping_runs_by_rid on ping_runs (monitor_id, rid) where rid is not null;

-- Webhooks and mail.
create table webhooks (
  seq integer primary key autoincrement,
  id text not null unique,
  name text not null,
  name_lower text not null,
  name_folded text not null,
  organizational_unit_id text not null references organizational_units (id),
  kind text not null,
  url text,
  sealed_authorization text,
  sealed_secret text,
  sealed_old_secret text,
  old_secret_until bigint,
  recipient_user_ids text not null,
  events text not null,
  filter text,
  remind_after text not null default 'never',
  reminded_at bigint,
  is_enabled integer not null,
  disabled_reason text,
  last_success_at bigint,
  failures_in_a_row integer not null,
  failing_since bigint,
  created_at bigint not null
);
create index webhooks_by_unit on webhooks (organizational_unit_id);
create index webhooks_in_order on webhooks (name_lower, id);
create table webhook_deliveries (
  seq integer primary key autoincrement,
  id text not null unique,
  webhook_id text not null,
  event text not null,
  task_id text,
  subject text,
  event_count integer not null,
  payload text not null,
  state text not null,
  due_at bigint,
  claimed_by text,
  is_first integer not null,
  failures integer not null,
  attempt_count integer not null,
  attempts text not null,
  reached_user_ids text not null,
  created_at bigint not null
);
create index webhook_deliveries_by_task on webhook_deliveries (task_id);
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, event, created_at);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_first on webhook_deliveries (webhook_id, is_first, seq) where due_at is not null;

-- Saved views: each is shared in a unit, or private to a user.
create table saved_views (
  seq integer primary key autoincrement,
  id text not null unique,
  organizational_unit_id text references organizational_units (id),
  user_id text references users (id) on delete cascade,
  name text not null,
  name_lower text not null,
  name_folded text not null,
  page text not null,
  query text not null,
  created_at bigint not null,
  constraint saved_views_owner check ((organizational_unit_id is null) <> (user_id is null)),
  constraint saved_views_of_unit unique (organizational_unit_id, page, name_folded),
  constraint saved_views_of_user unique (user_id, page, name_folded)
);
create index saved_views_in_order on saved_views (name_lower, id);

-- The processes that serve, and when nobody listened.
create table serving_processes (
  id text primary key,
  base_url text not null,
  host text not null,
  pid_namespace text not null,
  pid bigint not null,
  seen_at bigint not null
);
create table listening (
  id integer primary key,
  noted_at bigint not null
);
create table unwatched_times (
  until_at bigint not null,
  from_at bigint not null,
  constraint unwatched_times_key primary key (until_at, from_at)
);

-- Count the changes of each domain. Adding and removing tasks and entities always changes a count.
create trigger organizational_units_count_insert after insert on organizational_units
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger organizational_units_count_update after update on organizational_units
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger organizational_units_count_delete after delete on organizational_units
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger organizational_unit_paths_count_insert after insert on organizational_unit_paths
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger organizational_unit_paths_count_update after update on organizational_unit_paths
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger organizational_unit_paths_count_delete after delete on organizational_unit_paths
  begin update domain_versions set version = version + 1 where domain = 'units'; end;
create trigger roles_count_insert after insert on roles
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger roles_count_update after update on roles
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger roles_count_delete after delete on roles
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger role_grants_count_insert after insert on role_grants
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger role_grants_count_update after update on role_grants
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger role_grants_count_delete after delete on role_grants
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger users_count_insert after insert on users
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger users_count_update after update of
  seq, id, email, full_name, is_confirmed, is_enabled, inviter_id, created_at, name_lower, name_folded, email_folded,
  password_hash, sealed_totp_secret, totp_confirmed_at, totp_last_step, recovery_codes, time_zone
  on users begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger users_count_delete after delete on users
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger api_tokens_count_insert after insert on api_tokens
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger api_tokens_count_update after update of
  seq, id, name, name_folded, kind, organizational_unit_id, user_id, role_id, created_by, kid, created_at, expires_at,
  ends_at, revoked_at, first_id, base_url, granted_at, expiry_announced_days
  on api_tokens begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger api_tokens_count_delete after delete on api_tokens
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger signing_keys_count_insert after insert on signing_keys
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger signing_keys_count_update after update on signing_keys
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger signing_keys_count_delete after delete on signing_keys
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
create trigger sessions_count_insert after insert on sessions
  begin update domain_versions set version = version + 1 where domain = 'sessions'; end;
create trigger sessions_count_update after update on sessions
  begin update domain_versions set version = version + 1 where domain = 'sessions'; end;
create trigger sessions_count_delete after delete on sessions
  begin update domain_versions set version = version + 1 where domain = 'sessions'; end;
create trigger task_totals_count_insert after insert on task_totals
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_totals_count_update after update on task_totals
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_totals_count_delete after delete on task_totals
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_days_count_insert after insert on task_days
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_days_count_update after update on task_days
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_days_count_delete after delete on task_days
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_quarters_count_insert after insert on task_quarters
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_quarters_count_update after update on task_quarters
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger task_quarters_count_delete after delete on task_quarters
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger tasks_count_update after update on tasks
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger entities_count_update after update on entities
  begin update domain_versions set version = version + 1 where domain = 'tasks'; end;
create trigger protected_entities_count_insert after insert on protected_entities
  begin update domain_versions set version = version + 1 where domain = 'entities'; end;
-- Which task has named an entity last is shown nowhere.
create trigger protected_entities_count_update after update of
  seq, id, organizational_unit_id, entity_hash, entity_type, entity_id, entity_id_folded, value, value_folded, sort_name,
  evidence, operations, state, state_rank, last_good_at, first_seen_at, monitor_ids, run_monitor_id,
  expected_period_seconds, silent_since_at, stale_before_at, muted_until, is_retired, down_since_at
  on protected_entities begin update domain_versions set version = version + 1 where domain = 'entities'; end;
create trigger protected_entities_count_delete after delete on protected_entities
  begin update domain_versions set version = version + 1 where domain = 'entities'; end;
`;
