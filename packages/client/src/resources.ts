// Generated from the declarations in packages/api/src/resources by `npm run docs`. Change those, not this file.
import type {
  BodyOf,
  DefaultVersion,
  FilterOf,
  ItemOf,
  ParameterOf,
  SortOf,
  VersionIn,
  VersionOf,
  WantedVersions,
} from "./declared";
import type { ListOptions } from "./list-items";
import type { Listing } from "./listing";
import type { ChangeOptions, CreateOptions } from "./options";
import type { CallOptions } from "./transport";
import type { WatchEvent, WatchOptions } from "./watch-items";

/**
 * Resources of the API and their operations.
 * @example
 * import { type Resources } from "@holdfast/client";
 *
 * const nameOf = async ({ roles }: Pick<Resources, "roles">) => (await roles.read(roleId)).name;
 * console.log(await nameOf(holdfast));
 */
export interface Resources<Versions extends WantedVersions = Record<never, never>> {
  /** People, and the roles that they hold in organizational units. */
  users: Users<VersionIn<Versions, "users">>;
  /** Backups, restores, snapshots and everything else that runs: what ran, when, on what and how it ended. */
  tasks: Tasks;
  /** Work that is expected to run, how it is heard of, and how its last runs went. */
  monitors: Monitors;
  /** Keys that ping the monitors of an organizational unit by their slugs. A key itself is shown once. */
  pingKeys: PingKeys;
  /** Protected items: one for each primary entity of tasks in an organizational unit, with what is known of its backups. */
  entities: Entities;
  /** The one tree of units in which tasks belong and roles are held. */
  organizationalUnits: OrganizationalUnits;
  /** Sets of permissions that users and service tokens hold in organizational units. */
  roles: Roles;
  /** Credentials with which programs and people call the API. A token itself is shown once, when it is made. */
  apiTokens: ApiTokens;
  /** The keys that tokens are signed with. */
  keys: Keys;
  /** Who did or tried what, when and to what, in a chain that shows any tampering. */
  auditEvents: AuditEvents;
  /** Notifications of what becomes of tasks: to programs, chats, phones, and people by mail. */
  webhooks: Webhooks;
  /** Messages that webhooks have sent and are going to send. Each is kept for 30 days. */
  webhookDeliveries: WebhookDeliveries;
  /** Saved views of the lists of the console: a name for a query, private or shared in an organizational unit. */
  views: Views;
  /** Who makes the request, and what they may do. */
  caller: Caller;
}

/** People, and the roles that they hold in organizational units. */
export interface Users<Default extends VersionOf<"users"> = DefaultVersion<"users">> {
  /**
   * List the users who hold a role in the organizational unit or below it.
   * @example
   * for await (const user of holdfast.users.list({ filter: { name: { $contains: "ada" } } })) console.log(user.email);
   */
  list<Version extends VersionOf<"users"> = Default>(
    options?: ListOptions<FilterOf<"users", "list-users", Version>> & { version?: Version | undefined },
  ): Listing<ItemOf<"users", "list-users", Version>>;
  /**
   * Read one user.
   * @example
   * const { full_name } = await holdfast.users.read(userId);
   */
  read<Version extends VersionOf<"users"> = Default>(
    id: string,
    options?: CallOptions & { version?: Version | undefined },
  ): Promise<ItemOf<"users", "read-user", Version>>;
  /**
   * Invite a user. The response has a link with which the person sets a password.
   * @example
   * const { invitation_link } = await holdfast.users.create({ email: "ada@example.com", full_name: "Ada Lovelace" });
   */
  create(body: BodyOf<"users", "create-user">, options?: CreateOptions): Promise<ItemOf<"users", "create-user">>;
  /**
   * Create a new invitation link for a user who has not confirmed yet; older ones become void.
   * @example
   * const { invitation_link } = await holdfast.users.invite(invitedUserId);
   */
  invite(id: string, options?: CreateOptions): Promise<ItemOf<"users", "invite-user">>;
  /**
   * Change a user's name, time zone or roles, or enable or disable the user.
   * @example
   * await holdfast.users.update(userId, { is_enabled: false });
   */
  update(
    id: string,
    body: BodyOf<"users", "update-user">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"users", "update-user">>;
  /**
   * Delete a user, with their sessions and personal tokens.
   * @example
   * await holdfast.users.delete(invitedUserId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Backups, restores, snapshots and everything else that runs: what ran, when, on what and how it ended. */
export interface Tasks {
  /**
   * List the tasks of the organizational unit and of those below it, newest first.
   * @example
   * const since = new Date(Date.now() - 7 * 86_400_000);
   * for await (const task of holdfast.tasks.list({ filter: { status: "failed", created_timestamp: { $gte: since } } })) {
   *   console.log(task.primary_entity?.value, task.error?.message);
   * }
   */
  list(options?: ListOptions<FilterOf<"tasks", "list-tasks">>): Listing<ItemOf<"tasks", "list-tasks">>;
  /**
   * Count the tasks of the organizational unit and of those below it by when they were created, newest first, then
   * in code-point order of what they are grouped by, null first.
   * @example
   * const lastDays = holdfast.tasks.counts({ interval: "day", timeZone: "Europe/Berlin", groupBy: ["outcome"] });
   * for (const { start_timestamp, outcome, count } of await lastDays.first(30)) console.log(start_timestamp, outcome, count);
   */
  counts(
    options?: ListOptions<FilterOf<"tasks", "list-task-counts">> & {
      /** The stretches of time that tasks are counted by, `day` where it is left out. `hour` counts at most 31 days and `day` at most 400: the newest, unless the filter says otherwise. A week begins on Monday. */
      interval?: ParameterOf<"tasks", "list-task-counts", "interval"> | undefined;
      /** The zone in which hours, days, weeks and months begin, such as `Europe/Berlin`. `UTC` by default. */
      timeZone?: ParameterOf<"tasks", "list-task-counts", "time_zone"> | undefined;
      /** Fields that are counted apart: at most 2 of `outcome`, `status`, `category`, `type`, `organizational_unit_id`, `error.code`, with a comma between them. `outcome` where it is left out. `error.code` counts at most 31 days. */
      groupBy?: ParameterOf<"tasks", "list-task-counts", "group_by"> | undefined;
    },
  ): Listing<ItemOf<"tasks", "list-task-counts">>;
  /**
   * Watch the tasks of the organizational unit and of those below it: a stream of events.
   * @example
   * for await (const event of holdfast.tasks.watch({ filter: { status: { $in: ["in_progress", "aborting"] } } })) {
   *   if (event.event === "snapshot") console.log(event.page.total_count, "running");
   *   if (event.event === "match" || event.event === "task") console.log(event.item.type, event.item.progress_percentage);
   *   break;
   * }
   */
  watch(
    options?: WatchOptions<FilterOf<"tasks", "watch-tasks">>,
  ): AsyncGenerator<WatchEvent<ItemOf<"tasks", "watch-tasks">>, void, undefined>;
  /**
   * Read one task.
   * @example
   * const { status, outcome } = await holdfast.tasks.read(taskId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"tasks", "read-task">>;
  /**
   * Report a task that begins, waits to be begun, or has ended already.
   * @example
   * await holdfast.tasks.create({
   *   category: "backup",
   *   type: "restic_backup",
   *   status: "completed",
   *   duration_ms: 720_000,
   *   primary_entity: { type: "host", value: "web-01" },
   * });
   */
  create(body: BodyOf<"tasks", "create-task">, options?: CallOptions): Promise<ItemOf<"tasks", "create-task">>;
  /**
   * Report how a task goes on or ends, claim it, or take it over. An empty body is a heartbeat. Asking for an
   * abort needs `tasks:abort` instead.
   * @example
   * await holdfast.tasks.update(taskId, { progress_percentage: 60, progress_message: "packing" });
   */
  update(
    id: string,
    body: BodyOf<"tasks", "update-task">,
    options?: CallOptions,
  ): Promise<ItemOf<"tasks", "update-task">>;
  /**
   * Add to the log of a task.
   * @example
   * const { log_size } = await holdfast.tasks.appendLog(taskId, { offset: 0, text: "scan finished in 1.2 s\n" });
   */
  appendLog(
    id: string,
    body: BodyOf<"tasks", "append-task-log">,
    options?: CallOptions,
  ): Promise<ItemOf<"tasks", "append-task-log">>;
  /**
   * Read a part of the log of a task, or download all of it as text.
   * @example
   * const { text, next_offset, is_complete } = await holdfast.tasks.readLog(taskId, { tail: 4096 });
   */
  readLog(
    id: string,
    options?: CallOptions & {
      /** The byte to begin at. 0 where it is left out. */
      offset?: ParameterOf<"tasks", "read-task-log", "offset"> | undefined;
      /** Number of bytes to read: 65536 by default, at most 1048576. */
      limit?: ParameterOf<"tasks", "read-task-log", "limit"> | undefined;
      /** Number of the last bytes to read, instead of `offset` and `limit`. If some of them are missing, those behind the last gap. */
      tail?: ParameterOf<"tasks", "read-task-log", "tail"> | undefined;
    },
  ): Promise<ItemOf<"tasks", "read-task-log">>;
  /**
   * Read all of it as text, to the end.
   * @example
   * const text = await holdfast.tasks.downloadLog(taskId);
   */
  downloadLog(id: string, options?: CallOptions): Promise<string>;
  /**
   * Send several reports at once. They are applied in order; each is accepted or refused by itself.
   * @example
   * const { results } = await holdfast.tasks.report({
   *   reports: [{ operation: "update", task_id: taskId, body: { status: "completed" } }],
   * });
   */
  report(body: BodyOf<"tasks", "report-tasks">, options?: CallOptions): Promise<ItemOf<"tasks", "report-tasks">>;
}

/** Work that is expected to run, how it is heard of, and how its last runs went. */
export interface Monitors {
  /**
   * List the monitors of the organizational unit and of those below it.
   * @example
   * for await (const monitor of holdfast.monitors.list({ sort: "state", filter: { state: { $neq: "ok" } } })) {
   *   console.log(monitor.name, monitor.state, monitor.next_expected_timestamp);
   * }
   */
  list(
    options?: ListOptions<FilterOf<"monitors", "list-monitors">, SortOf<"monitors", "list-monitors">>,
  ): Listing<ItemOf<"monitors", "list-monitors">>;
  /**
   * Show when a cron expression runs next in a time zone.
   * @example
   * const { runs } = await holdfast.monitors.previewSchedule({ cron: "30 2 * * *", timeZone: "Europe/Berlin" });
   */
  previewSchedule(
    options: CallOptions & {
      /** Required. Five fields: minute, hour, day of month, month, day of week. */
      cron: ParameterOf<"monitors", "preview-schedule", "cron">;
      /** The time zone that it is meant in, an IANA name such as `Europe/Berlin`. `UTC` by default. */
      timeZone?: ParameterOf<"monitors", "preview-schedule", "time_zone"> | undefined;
    },
  ): Promise<ItemOf<"monitors", "preview-schedule">>;
  /**
   * Suggest monitors for operations that nothing watches and that have run at least 5 times, by the name of what
   * they protect. None of their last 30 runs would have been missed. The first 2000 protected entities that are
   * not good are looked at.
   * @example
   * const trusted = { confidence: { $in: ["high", "medium"] } };
   * for await (const { monitor, reason } of holdfast.monitors.suggestions({ timeZone: "Europe/Berlin", filter: trusted })) {
   *   console.log(monitor.name, reason);
   *   await holdfast.monitors.create(monitor);
   * }
   */
  suggestions(
    options?: ListOptions<FilterOf<"monitors", "list-monitor-suggestions">> & {
      /** The zone in which times of day and days of the week are suggested, such as `Europe/Berlin`. `UTC` by default, and if it fits better. */
      timeZone?: ParameterOf<"monitors", "list-monitor-suggestions", "time_zone"> | undefined;
    },
  ): Listing<ItemOf<"monitors", "list-monitor-suggestions">>;
  /**
   * Read one monitor.
   * @example
   * const { recent_outcomes } = await holdfast.monitors.read(monitorId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"monitors", "read-monitor">>;
  /**
   * Create a monitor. The answer shows its ping URL.
   * @example
   * const schedule = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
   * const { ping_url } = await holdfast.monitors.create({ name: "Photos", type: "restic_backup", schedule });
   */
  create(
    body: BodyOf<"monitors", "create-monitor">,
    options?: CreateOptions,
  ): Promise<ItemOf<"monitors", "create-monitor">>;
  /**
   * Create several monitors. Each is created or refused by itself.
   * @example
   * const wanted = ["web-1", "web-2"].map((host) => ({ name: host, schedule: { period_seconds: 86_400 } }));
   * const { results } = await holdfast.monitors.createAll({ monitors: wanted });
   * console.log(results.map(({ status, monitor, errors }) => monitor?.slug ?? errors?.[0]?.error_message ?? status));
   */
  createAll(
    body: BodyOf<"monitors", "create-monitors">,
    options?: CreateOptions,
  ): Promise<ItemOf<"monitors", "create-monitors">>;
  /**
   * Change, pause or resume a monitor.
   * @example
   * await holdfast.monitors.update(monitorId, { paused_until: new Date(Date.now() + 3_600_000).toISOString() });
   * await holdfast.monitors.update(monitorId, { paused_until: null });
   */
  update(
    id: string,
    body: BodyOf<"monitors", "update-monitor">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"monitors", "update-monitor">>;
  /**
   * Give a monitor a new ping URL, and end the old one at once or after an overlap.
   * @example
   * const { ping_url } = await holdfast.monitors.rotateUrl(monitorId, { overlap_seconds: 86_400 });
   */
  rotateUrl(
    id: string,
    body?: BodyOf<"monitors", "rotate-monitor-url">,
    options?: CreateOptions,
  ): Promise<ItemOf<"monitors", "rotate-monitor-url">>;
  /**
   * Delete a monitor. Its tasks stay.
   * @example
   * await holdfast.monitors.delete(monitorId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Keys that ping the monitors of an organizational unit by their slugs. A key itself is shown once. */
export interface PingKeys {
  /**
   * List the ping keys of the organizational unit and of those below it, newest first.
   * @example
   * for await (const key of holdfast.pingKeys.list()) console.log(key.name, key.may_create);
   */
  list(options?: ListOptions<FilterOf<"ping-keys", "list-ping-keys">>): Listing<ItemOf<"ping-keys", "list-ping-keys">>;
  /**
   * Read one ping key, without the key itself.
   * @example
   * const { default_period_seconds } = await holdfast.pingKeys.read(pingKeyId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"ping-keys", "read-ping-key">>;
  /**
   * Create a ping key. The answer shows it, this once.
   * @example
   * const { key } = await holdfast.pingKeys.create({ name: "Backrest hosts", may_create: true });
   */
  create(
    body: BodyOf<"ping-keys", "create-ping-key">,
    options?: CreateOptions,
  ): Promise<ItemOf<"ping-keys", "create-ping-key">>;
  /**
   * Delete a ping key: pings with it are refused at once. Monitors that it made stay.
   * @example
   * await holdfast.pingKeys.delete(pingKeyId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Protected items: one for each primary entity of tasks in an organizational unit, with what is known of its backups. */
export interface Entities {
  /**
   * List the protected entities of the organizational unit and of those below it.
   * @example
   * const state = { $in: ["never", "failing", "missed", "stale"] };
   * for await (const entity of holdfast.entities.list({ filter: { state, is_retired: false, is_muted: false } })) {
   *   console.log(entity.primary_entity.value, entity.state, entity.last_good_backup?.end_timestamp ?? "never");
   * }
   */
  list(
    options?: ListOptions<FilterOf<"entities", "list-entities">, SortOf<"entities", "list-entities">>,
  ): Listing<ItemOf<"entities", "list-entities">>;
  /**
   * Count the protected entities of the organizational unit and of those below it by state, what needs attention
   * first.
   * @example
   * for await (const { state, count } of holdfast.entities.counts()) console.log(state, count);
   */
  counts(
    options?: ListOptions<FilterOf<"entities", "list-entity-counts">>,
  ): Listing<ItemOf<"entities", "list-entity-counts">>;
  /**
   * Read one protected entity.
   * @example
   * const { last_good_backup, last_restore } = await holdfast.entities.read(entityId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"entities", "read-entity">>;
  /**
   * Mute a protected entity until a moment, or retire it or some of its operations: they need no attention then.
   * @example
   * await holdfast.entities.update(entityId, { muted_until: new Date(Date.now() + 86_400_000).toISOString() });
   * await holdfast.entities.update(entityId, { is_retired: true });
   */
  update(
    id: string,
    body: BodyOf<"entities", "update-entity">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"entities", "update-entity">>;
}

/** The one tree of units in which tasks belong and roles are held. */
export interface OrganizationalUnits {
  /**
   * List the organizational unit and those below it.
   * @example
   * const { total_count } = await holdfast.organizationalUnits.list({ filter: { parent_id: unitId } }).page();
   */
  list(
    options?: ListOptions<FilterOf<"organizational-units", "list-organizational-units">>,
  ): Listing<ItemOf<"organizational-units", "list-organizational-units">>;
  /**
   * Read one organizational unit.
   * @example
   * const { name, ancestors } = await holdfast.organizationalUnits.read(unitId);
   * console.log([...ancestors.map((above) => above.name), name].join(" / "));
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"organizational-units", "read-organizational-unit">>;
  /**
   * Create an organizational unit below another; without parent_id, below the one that is acted in.
   * @example
   * const berlin = await holdfast.organizationalUnits.create({ name: "Berlin", parent_id: unitId });
   */
  create(
    body: BodyOf<"organizational-units", "create-organizational-unit">,
    options?: CreateOptions,
  ): Promise<ItemOf<"organizational-units", "create-organizational-unit">>;
  /**
   * Rename an organizational unit, move it with everything below it, or say when items in it are stale.
   * @example
   * await holdfast.organizationalUnits.update(unitId, { name: "Lyon" });
   */
  update(
    id: string,
    body: BodyOf<"organizational-units", "update-organizational-unit">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"organizational-units", "update-organizational-unit">>;
  /**
   * Delete an empty organizational unit, or one whose contents are moved to another.
   * @example
   * await holdfast.organizationalUnits.delete(emptyUnitId, { moveTo: unitId });
   */
  delete(
    id: string,
    options?: ChangeOptions & {
      /** The unit that everything in it is moved to. Without it, the unit has to be empty. */
      moveTo?: ParameterOf<"organizational-units", "delete-organizational-unit", "move_to"> | undefined;
    },
  ): Promise<void>;
}

/** Sets of permissions that users and service tokens hold in organizational units. */
export interface Roles {
  /**
   * List the roles that can be held in the organizational unit or below it: the default ones, those of units
   * above, its own, and those made below.
   * @example
   * const [viewer] = await holdfast.roles.list({ filter: { name: "viewer" } }).first(1);
   */
  list(options?: ListOptions<FilterOf<"roles", "list-roles">>): Listing<ItemOf<"roles", "list-roles">>;
  /**
   * Read one role.
   * @example
   * const { permissions } = await holdfast.roles.read(roleId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"roles", "read-role">>;
  /**
   * Create a role in the organizational unit.
   * @example
   * const auditor = await holdfast.roles.create({ name: "auditor", permissions: ["tasks:read", "audit-events:read"] });
   */
  create(body: BodyOf<"roles", "create-role">, options?: CreateOptions): Promise<ItemOf<"roles", "create-role">>;
  /**
   * Change a role of the organizational unit, for all of its holders.
   * @example
   * await holdfast.roles.update(roleId, { description: "Reads tasks, and nothing else." });
   */
  update(
    id: string,
    body: BodyOf<"roles", "update-role">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"roles", "update-role">>;
  /**
   * Delete a role of the organizational unit that has no holders.
   * @example
   * await holdfast.roles.delete(roleId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Credentials with which programs and people call the API. A token itself is shown once, when it is made. */
export interface ApiTokens {
  /**
   * List the API tokens of the organizational unit and below it, and one's own.
   * @example
   * for await (const token of holdfast.apiTokens.list({ filter: { kind: "service", is_revoked: false } })) {
   *   console.log(token.name, token.last_used_timestamp);
   * }
   * const [soonest] = await holdfast.apiTokens.list({ sort: "expires_timestamp" }).first(1);
   */
  list(
    options?: ListOptions<FilterOf<"api-tokens", "list-api-tokens">, SortOf<"api-tokens", "list-api-tokens">>,
  ): Listing<ItemOf<"api-tokens", "list-api-tokens">>;
  /**
   * Read one API token, without the token itself.
   * @example
   * const { expires_timestamp } = await holdfast.apiTokens.read(apiTokenId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"api-tokens", "read-api-token">>;
  /**
   * Create an API token: a personal one for oneself, or a service token with a role.
   * @example
   * const { token } = await holdfast.apiTokens.create({ name: "nightly", kind: "service", role_id: reporterRoleId });
   */
  create(
    body: BodyOf<"api-tokens", "create-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<"api-tokens", "create-api-token">>;
  /**
   * Rename an API token.
   * @example
   * await holdfast.apiTokens.update(apiTokenId, { name: "nightly-report" });
   */
  update(
    id: string,
    body: BodyOf<"api-tokens", "update-api-token">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"api-tokens", "update-api-token">>;
  /**
   * Rotate a token: create a new one, and end the old one at once or after an overlap.
   * @example
   * const { token } = await holdfast.apiTokens.rotate(apiTokenId, { overlap_seconds: 3600 });
   */
  rotate(
    id: string,
    body?: BodyOf<"api-tokens", "rotate-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<"api-tokens", "rotate-api-token">>;
  /**
   * Renew the service token of the request: create one with the same role and unit that lives as long.
   * @example
   * const { token } = await holdfast.apiTokens.renew();
   */
  renew(
    body?: BodyOf<"api-tokens", "renew-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<"api-tokens", "renew-api-token">>;
  /**
   * Revoke an API token at once.
   * @example
   * await holdfast.apiTokens.revoke(apiTokenId);
   */
  revoke(id: string, options?: ChangeOptions): Promise<void>;
}

/** The keys that tokens are signed with. */
export interface Keys {
  /**
   * List the signing keys, the one that signs first.
   * @example
   * const [signing] = await holdfast.keys.list().first(1);
   */
  list(options?: Omit<ListOptions<never>, "filter">): Listing<ItemOf<"keys", "list-keys">>;
  /**
   * Read one signing key, its public half.
   * @example
   * const { expires_timestamp } = await holdfast.keys.read(keyId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"keys", "read-key">>;
  /**
   * Sign with a new key from now on. Tokens that exist stay good.
   * @example
   * await holdfast.keys.rotate();
   */
  rotate(options?: CreateOptions): Promise<ItemOf<"keys", "rotate-key">>;
  /**
   * Retire a key: every token that it signed is refused at once.
   * @example
   * await holdfast.keys.retire(oldKeyId);
   */
  retire(id: string, options?: ChangeOptions): Promise<void>;
}

/** Who did or tried what, when and to what, in a chain that shows any tampering. */
export interface AuditEvents {
  /**
   * List the audit events of the organizational unit and below it, newest first.
   * @example
   * const refused = await holdfast.auditEvents.list({ filter: { result: "refused" } }).first(20);
   */
  list(
    options?: ListOptions<FilterOf<"audit-events", "list-audit-events">>,
  ): Listing<ItemOf<"audit-events", "list-audit-events">>;
  /**
   * Read one audit event.
   * @example
   * const { actor, operation } = await holdfast.auditEvents.read(auditEventId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"audit-events", "read-audit-event">>;
}

/** Notifications of what becomes of tasks: to programs, chats, phones, and people by mail. */
export interface Webhooks {
  /**
   * List the webhooks of the organizational unit and of those below it, by name.
   * @example
   * for await (const webhook of holdfast.webhooks.list()) console.log(webhook.name, webhook.failures_in_a_row);
   */
  list(options?: ListOptions<FilterOf<"webhooks", "list-webhooks">>): Listing<ItemOf<"webhooks", "list-webhooks">>;
  /**
   * Read one webhook, without its secrets.
   * @example
   * const { disabled_reason } = await holdfast.webhooks.read(webhookId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"webhooks", "read-webhook">>;
  /**
   * Create a webhook. The secret that signs its messages is in this answer alone.
   * @example
   * const { secret } = await holdfast.webhooks.create({
   *   name: "Failures",
   *   kind: "standard",
   *   url: "https://hooks.example.org/holdfast",
   *   events: ["task.failed", "task.lost"],
   *   filter: { category: "backup" },
   * });
   */
  create(
    body: BodyOf<"webhooks", "create-webhook">,
    options?: CreateOptions,
  ): Promise<ItemOf<"webhooks", "create-webhook">>;
  /**
   * Change a webhook, or switch it off or on.
   * @example
   * await holdfast.webhooks.update(webhookId, { is_enabled: false });
   */
  update(
    id: string,
    body: BodyOf<"webhooks", "update-webhook">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"webhooks", "update-webhook">>;
  /**
   * Delete a webhook, with what waits to be sent.
   * @example
   * await holdfast.webhooks.delete(webhookId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /**
   * Give a webhook a new secret. For 24 hours messages are signed with the old one as well.
   * @example
   * const { secret } = await holdfast.webhooks.rotateSecret(webhookId);
   */
  rotateSecret(id: string, options?: CreateOptions): Promise<ItemOf<"webhooks", "rotate-webhook-secret">>;
  /**
   * Send a test message now, once, and answer with how that went.
   * @example
   * const { state, attempts } = await holdfast.webhooks.test(webhookId);
   */
  test(id: string, options?: CreateOptions): Promise<ItemOf<"webhooks", "test-webhook">>;
}

/** Messages that webhooks have sent and are going to send. Each is kept for 30 days. */
export interface WebhookDeliveries {
  /**
   * List what the webhooks of the organizational unit and of those below it send, newest first.
   * @example
   * for await (const delivery of holdfast.webhookDeliveries.list({ filter: { state: "failed" } })) {
   *   console.log(delivery.event, delivery.attempts.at(-1)?.reason);
   * }
   */
  list(
    options?: ListOptions<FilterOf<"webhook-deliveries", "list-webhook-deliveries">>,
  ): Listing<ItemOf<"webhook-deliveries", "list-webhook-deliveries">>;
  /**
   * Read one delivery.
   * @example
   * const { state, next_attempt_timestamp } = await holdfast.webhookDeliveries.read(webhookDeliveryId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"webhook-deliveries", "read-webhook-delivery">>;
  /**
   * Send a delivery again as soon as possible, with the same id.
   * @example
   * await holdfast.webhookDeliveries.retry(webhookDeliveryId);
   */
  retry(id: string, options?: CreateOptions): Promise<ItemOf<"webhook-deliveries", "retry-webhook-delivery">>;
}

/** Saved views of the lists of the console: a name for a query, private or shared in an organizational unit. */
export interface Views {
  /**
   * List the views that are shared in the organizational unit and in those below it, and the caller's private
   * ones, by name.
   * @example
   * for await (const view of holdfast.views.list({ filter: { page: "tasks" } })) console.log(view.name, view.query);
   */
  list(options?: ListOptions<FilterOf<"views", "list-views">>): Listing<ItemOf<"views", "list-views">>;
  /**
   * Read one view.
   * @example
   * const { page, query } = await holdfast.views.read(viewId);
   */
  read(id: string, options?: CallOptions): Promise<ItemOf<"views", "read-view">>;
  /**
   * Save a view of a list, for oneself or shared in the organizational unit.
   * @example
   * await holdfast.views.create({
   *   name: "Failures of the week",
   *   page: "tasks",
   *   query: "outcome=error,lost&since=7d",
   *   is_shared: true,
   * });
   */
  create(body: BodyOf<"views", "create-view">, options?: CreateOptions): Promise<ItemOf<"views", "create-view">>;
  /**
   * Rename a view, change its query, share it in the organizational unit, or make it private to the caller.
   * @example
   * await holdfast.views.update(viewId, { query: "outcome=error,lost&since=30d" });
   */
  update(
    id: string,
    body: BodyOf<"views", "update-view">,
    options?: ChangeOptions,
  ): Promise<ItemOf<"views", "update-view">>;
  /**
   * Delete a view.
   * @example
   * await holdfast.views.delete(viewId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Who makes the request, and what they may do. */
export interface Caller {
  /**
   * Read who is calling, and what they may do in the organizational unit of the request.
   * @example
   * const { kind, permissions } = await holdfast.caller.read();
   */
  read(options?: CallOptions): Promise<ItemOf<"caller", "read-caller">>;
}

/**
 * The operations of all resources, by the names that they have in the client: the version that the types describe, and for each
 * method the kind of call and the operation's id. Words behind them say more: `body` that it takes a body, `id` that what is
 * created gets a random id unless it has one, and `?time_zone` that the option `timeZone` is a query parameter.
 */
export const callTable: Readonly<Record<string, readonly [number, Readonly<Record<string, string>>]>> = {
  users: [
    2,
    {
      list: "list list-users",
      read: "read read-user",
      create: "write create-user body",
      invite: "write invite-user",
      update: "write update-user body",
      delete: "write delete-user",
    },
  ],
  tasks: [
    1,
    {
      list: "list list-tasks",
      counts: "list list-task-counts ?interval ?time_zone ?group_by",
      watch: "watch watch-tasks",
      read: "read read-task",
      create: "report create-task body id",
      update: "report update-task body",
      appendLog: "report append-task-log body",
      readLog: "read read-task-log ?offset ?limit ?tail",
      downloadLog: "text read-task-log",
      report: "report report-tasks body",
    },
  ],
  monitors: [
    1,
    {
      list: "list list-monitors",
      previewSchedule: "read preview-schedule ?cron ?time_zone",
      suggestions: "list list-monitor-suggestions ?time_zone",
      read: "read read-monitor",
      create: "write create-monitor body",
      createAll: "write create-monitors body",
      update: "write update-monitor body",
      rotateUrl: "write rotate-monitor-url body",
      delete: "write delete-monitor",
    },
  ],
  pingKeys: [
    1,
    {
      list: "list list-ping-keys",
      read: "read read-ping-key",
      create: "write create-ping-key body",
      delete: "write delete-ping-key",
    },
  ],
  entities: [
    1,
    {
      list: "list list-entities",
      counts: "list list-entity-counts",
      read: "read read-entity",
      update: "write update-entity body",
    },
  ],
  organizationalUnits: [
    1,
    {
      list: "list list-organizational-units",
      read: "read read-organizational-unit",
      create: "write create-organizational-unit body",
      update: "write update-organizational-unit body",
      delete: "write delete-organizational-unit ?move_to",
    },
  ],
  roles: [
    1,
    {
      list: "list list-roles",
      read: "read read-role",
      create: "write create-role body",
      update: "write update-role body",
      delete: "write delete-role",
    },
  ],
  apiTokens: [
    1,
    {
      list: "list list-api-tokens",
      read: "read read-api-token",
      create: "write create-api-token body",
      update: "write update-api-token body",
      rotate: "write rotate-api-token body",
      renew: "write renew-api-token body",
      revoke: "write revoke-api-token",
    },
  ],
  keys: [
    1,
    {
      list: "list list-keys",
      read: "read read-key",
      rotate: "write rotate-key",
      retire: "write retire-key",
    },
  ],
  auditEvents: [
    1,
    {
      list: "list list-audit-events",
      read: "read read-audit-event",
    },
  ],
  webhooks: [
    1,
    {
      list: "list list-webhooks",
      read: "read read-webhook",
      create: "write create-webhook body",
      update: "write update-webhook body",
      delete: "write delete-webhook",
      rotateSecret: "write rotate-webhook-secret",
      test: "write test-webhook",
    },
  ],
  webhookDeliveries: [
    1,
    {
      list: "list list-webhook-deliveries",
      read: "read read-webhook-delivery",
      retry: "write retry-webhook-delivery",
    },
  ],
  views: [
    1,
    {
      list: "list list-views",
      read: "read read-view",
      create: "write create-view body",
      update: "write update-view body",
      delete: "write delete-view",
    },
  ],
  caller: [
    1,
    {
      read: "read read-caller",
    },
  ],
};
