// Generated from the comments in packages/client/src by `npm run docs`. Change those, not this file.
import { HoldfastError, connect, etagOf, type Answer, type BodyOf, type CallOptions, type ChangeOptions, type Client, type ConnectOptions, type CreateOptions, type CreatedTask, type DiscoveredResource, type DiscoveryIndex, type Fault, type Fetch, type FilterOf, type ItemOf, type ListOptions, type OperationDescriptor, type Page, type RequestOptions, type Resources, type SortOf, type Task, type TaskCount, type WatchEvent, type WatchOptions } from "../src/index";
import { reportTask, type ReportTaskOptions, type ReportedTask, type TaskError } from "../src/report/index";

/** Values that examples use without declaring them. */
export interface Given {
  holdfast: Client;
  signedIn: Client;
  token: string;
  invitedUserId: string;
  unitId: string;
  emptyUnitId: string;
  reporterRoleId: string;
  oldKeyId: string;
  ownEmail: string;
  ownPassword: string;
  userId: string;
  taskId: string;
  monitorId: string;
  pingKeyId: string;
  entityId: string;
  organizationalUnitId: string;
  roleId: string;
  apiTokenId: string;
  keyId: string;
  auditEventId: string;
  webhookId: string;
  webhookDeliveryId: string;
  viewId: string;
}

/** Every example of the client, by what it is an example of. */
export const examples: Record<string, (given: Given) => Promise<void>> = {
  "Client.in": async ({ holdfast, unitId }) => {
    const failed = await holdfast.in(unitId).tasks.list({ filter: { status: "failed" } }).first(10);
  },
  "Client.discover": async ({ holdfast }) => {
    const mayAbort = "update-task" in ((await holdfast.discover()).tasks?.v1 ?? {});
  },
  "Client.request": async ({ holdfast }) => {
    const { text } = await holdfast.request("/healthz");
  },
  "ConnectOptions": async ({ token }) => {
    const options: ConnectOptions = { token, timeoutMs: 5_000, retries: 2 };
    const impatient = connect(options);
    await impatient.caller.read();
  },
  "connect": async ({ token }) => {
    const client = connect({ token });
    for (const task of await client.tasks.list().first(3)) console.log(task.type, task.status);
  },
  "RequestOptions": async ({ holdfast }) => {
    const options: RequestOptions = { headers: { Accept: "application/json" }, retries: 0 };
    await holdfast.request("/readyz", options);
  },
  "BodyOf": async ({ holdfast }) => {
    const body: BodyOf<"tasks", "create-task"> = { category: "backup", type: "tar_create", status: "completed" };
    await holdfast.tasks.create(body);
  },
  "FilterOf": async ({ holdfast }) => {
    const filter: FilterOf<"tasks", "list-tasks"> = { outcome: { $in: ["error", "lost"] } };
    await holdfast.tasks.list({ filter }).first(1);
  },
  "ItemOf": async ({ holdfast }) => {
    const caller: ItemOf<"caller", "read-caller"> = await holdfast.caller.read();
    console.log(caller.kind);
  },
  "OperationDescriptor": async ({ holdfast }) => {
    const list: OperationDescriptor | undefined = (await holdfast.discover()).tasks?.v1?.["list-tasks"];
    console.log(list?.href);
  },
  "SortOf": async ({ holdfast }) => {
    const sort: SortOf<"api-tokens", "list-api-tokens"> = "-expires_timestamp";
    await holdfast.apiTokens.list({ sort }).first(1);
  },
  "DiscoveredResource": async ({ holdfast }) => {
    const tasks: DiscoveredResource | undefined = (await holdfast.discover()).tasks;
    console.log(tasks?.supported_versions);
  },
  "DiscoveryIndex": async ({ holdfast }) => {
    const index: DiscoveryIndex = await holdfast.discover();
    console.log(Object.keys(index));
  },
  "Fault": async ({ holdfast }) => {
    const reasons = (error: HoldfastError) => error.faults.map((fault: Fault) => `${fault.field}: ${fault.error_message}`);
    await holdfast.tasks.read("no-such-task").catch((error) => console.log(reasons(error)));
  },
  "HoldfastError": async ({ holdfast }) => {
    try {
      await holdfast.tasks.read("no-such-task");
    } catch (error) {
      if (error instanceof HoldfastError && error.status === 404) console.log(error.codes, error.requestId);
    }
  },
  "etagOf": async ({ holdfast, userId }) => {
    const user = await holdfast.users.read(userId);
    await holdfast.users.update(user.id, { full_name: "Ada Lovelace" }, { ifMatch: etagOf(user) });
  },
  "ListOptions": async ({ holdfast }) => {
    const options: ListOptions<FilterOf<"users", "list-users">> = { limit: 10, filter: { name: { $begins_with: "a" } } };
    await holdfast.users.list(options).page();
  },
  "Listing": async ({ holdfast }) => {
    for await (const task of holdfast.tasks.list({ filter: { outcome: "error" } })) {
      console.log(task.created_timestamp, task.type, task.error?.message);
    }
  },
  "Listing.pages": async ({ holdfast }) => {
    for await (const page of holdfast.users.list({ limit: 500 }).pages()) console.log(page.start, page.current_count);
  },
  "Listing.page": async ({ holdfast }) => {
    const failed = holdfast.tasks.list({ filter: { status: "failed" }, limit: 1 });
    const { total_count, _links } = await failed.page();
    const second = _links.next && (await failed.page(_links.next));
    console.log(total_count, second?.items[0]?.type);
  },
  "Listing.first": async ({ holdfast }) => {
    const newest = await holdfast.tasks.list().first(5);
  },
  "Page": async ({ holdfast }) => {
    const page: Page<Task> = await holdfast.tasks.list().page();
    console.log(`${page.current_count} of ${page.total_count}`);
  },
  "ChangeOptions": async ({ holdfast, unitId }) => {
    const unit = await holdfast.organizationalUnits.read(unitId);
    const options: ChangeOptions = { ifMatch: etagOf(unit) };
    await holdfast.organizationalUnits.update(unit.id, { name: unit.name }, options);
  },
  "CreateOptions": async ({ holdfast }) => {
    const options: CreateOptions = { idempotencyKey: crypto.randomUUID() };
    await holdfast.roles.create({ name: "task reader", permissions: ["tasks:read"] }, options);
  },
  "Session.signInOptions": async ({ holdfast }) => {
    const { password, openid } = await holdfast.session.signInOptions();
  },
  "Session.signIn": async ({ signedIn, ownEmail, ownPassword }) => {
    const { user } = await signedIn.session.signIn({ email: ownEmail, password: ownPassword });
  },
  "Session.read": async ({ signedIn }) => {
    const { user, organizational_units } = await signedIn.session.read();
  },
  "Session.signOut": async ({ signedIn }) => {
    await signedIn.session.signOut();
  },
  "Session.list": async ({ signedIn }) => {
    const { _embedded } = await signedIn.session.list();
    for (const { client, address, is_current } of _embedded.items) console.log(client, address, is_current);
  },
  "Session.end": async ({ signedIn }) => {
    const { _embedded } = await signedIn.session.list();
    for (const { id, is_current } of _embedded.items) if (!is_current) await signedIn.session.end(id);
  },
  "Session.endAll": async ({ signedIn }) => {
    await signedIn.session.endAll();
  },
  "Session.updateAccount": async ({ signedIn }) => {
    const { user } = await signedIn.session.updateAccount({ full_name: "Ida Berg" });
  },
  "Resources": async ({ holdfast, roleId }) => {
    const nameOf = async ({ roles }: Pick<Resources, "roles">) => (await roles.read(roleId)).name;
    console.log(await nameOf(holdfast));
  },
  "Users.list": async ({ holdfast }) => {
    for await (const user of holdfast.users.list({ filter: { name: { $contains: "ada" } } })) console.log(user.email);
  },
  "Users.read": async ({ holdfast, userId }) => {
    const { full_name } = await holdfast.users.read(userId);
  },
  "Users.create": async ({ holdfast }) => {
    const { invitation_link } = await holdfast.users.create({ email: "ada@example.com", full_name: "Ada Lovelace" });
  },
  "Users.invite": async ({ holdfast, invitedUserId }) => {
    const { invitation_link } = await holdfast.users.invite(invitedUserId);
  },
  "Users.update": async ({ holdfast, userId }) => {
    await holdfast.users.update(userId, { is_enabled: false });
  },
  "Users.delete": async ({ holdfast, invitedUserId }) => {
    await holdfast.users.delete(invitedUserId);
  },
  "Tasks.list": async ({ holdfast }) => {
    const since = new Date(Date.now() - 7 * 86_400_000);
    for await (const task of holdfast.tasks.list({ filter: { status: "failed", created_timestamp: { $gte: since } } })) {
      console.log(task.primary_entity?.value, task.error?.message);
    }
  },
  "Tasks.counts": async ({ holdfast }) => {
    const lastDays = holdfast.tasks.counts({ interval: "day", timeZone: "Europe/Berlin", groupBy: ["outcome"] });
    for (const { start_timestamp, outcome, count } of await lastDays.first(30)) console.log(start_timestamp, outcome, count);
  },
  "Tasks.watch": async ({ holdfast }) => {
    for await (const event of holdfast.tasks.watch({ filter: { status: { $in: ["in_progress", "aborting"] } } })) {
      if (event.event === "snapshot") console.log(event.page.total_count, "running");
      if (event.event === "match" || event.event === "task") console.log(event.item.type, event.item.progress_percentage);
      break;
    }
  },
  "Tasks.read": async ({ holdfast, taskId }) => {
    const { status, outcome } = await holdfast.tasks.read(taskId);
  },
  "Tasks.create": async ({ holdfast }) => {
    await holdfast.tasks.create({
      category: "backup",
      type: "restic_backup",
      status: "completed",
      duration_ms: 720_000,
      primary_entity: { type: "host", value: "web-01" },
    });
  },
  "Tasks.update": async ({ holdfast, taskId }) => {
    await holdfast.tasks.update(taskId, { progress_percentage: 60, progress_message: "packing" });
  },
  "Tasks.appendLog": async ({ holdfast, taskId }) => {
    const { log_size } = await holdfast.tasks.appendLog(taskId, { offset: 0, text: "scan finished in 1.2 s\n" });
  },
  "Tasks.readLog": async ({ holdfast, taskId }) => {
    const { text, next_offset, is_complete } = await holdfast.tasks.readLog(taskId, { tail: 4096 });
  },
  "Tasks.downloadLog": async ({ holdfast, taskId }) => {
    const text = await holdfast.tasks.downloadLog(taskId);
  },
  "Tasks.report": async ({ holdfast, taskId }) => {
    const { results } = await holdfast.tasks.report({
      reports: [{ operation: "update", task_id: taskId, body: { status: "completed" } }],
    });
  },
  "Tasks.abort": async ({ holdfast, taskId }) => {
    await holdfast.tasks.abort(taskId, "the disk is needed");
  },
  "Monitors.list": async ({ holdfast }) => {
    for await (const monitor of holdfast.monitors.list({ sort: "state", filter: { state: { $neq: "ok" } } })) {
      console.log(monitor.name, monitor.state, monitor.next_expected_timestamp);
    }
  },
  "Monitors.previewSchedule": async ({ holdfast }) => {
    const { runs } = await holdfast.monitors.previewSchedule({ cron: "30 2 * * *", timeZone: "Europe/Berlin" });
  },
  "Monitors.suggestions": async ({ holdfast }) => {
    const trusted = { confidence: { $in: ["high", "medium"] } };
    for await (const { monitor, reason } of holdfast.monitors.suggestions({ timeZone: "Europe/Berlin", filter: trusted })) {
      console.log(monitor.name, reason);
      await holdfast.monitors.create(monitor);
    }
  },
  "Monitors.read": async ({ holdfast, monitorId }) => {
    const { recent_outcomes } = await holdfast.monitors.read(monitorId);
  },
  "Monitors.create": async ({ holdfast }) => {
    const schedule = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
    const { ping_url } = await holdfast.monitors.create({ name: "Photos", type: "restic_backup", schedule });
  },
  "Monitors.createAll": async ({ holdfast }) => {
    const wanted = ["web-1", "web-2"].map((host) => ({ name: host, schedule: { period_seconds: 86_400 } }));
    const { results } = await holdfast.monitors.createAll({ monitors: wanted });
    console.log(results.map(({ status, monitor, errors }) => monitor?.slug ?? errors?.[0]?.error_message ?? status));
  },
  "Monitors.update": async ({ holdfast, monitorId }) => {
    await holdfast.monitors.update(monitorId, { paused_until: new Date(Date.now() + 3_600_000).toISOString() });
    await holdfast.monitors.update(monitorId, { paused_until: null });
  },
  "Monitors.rotateUrl": async ({ holdfast, monitorId }) => {
    const { ping_url } = await holdfast.monitors.rotateUrl(monitorId, { overlap_seconds: 86_400 });
  },
  "Monitors.delete": async ({ holdfast, monitorId }) => {
    await holdfast.monitors.delete(monitorId);
  },
  "PingKeys.list": async ({ holdfast }) => {
    for await (const key of holdfast.pingKeys.list()) console.log(key.name, key.may_create);
  },
  "PingKeys.read": async ({ holdfast, pingKeyId }) => {
    const { default_period_seconds } = await holdfast.pingKeys.read(pingKeyId);
  },
  "PingKeys.create": async ({ holdfast }) => {
    const { key } = await holdfast.pingKeys.create({ name: "Backrest hosts", may_create: true });
  },
  "PingKeys.delete": async ({ holdfast, pingKeyId }) => {
    await holdfast.pingKeys.delete(pingKeyId);
  },
  "Entities.list": async ({ holdfast }) => {
    const state = { $in: ["never", "failing", "missed", "stale"] };
    for await (const entity of holdfast.entities.list({ filter: { state, is_retired: false, is_muted: false } })) {
      console.log(entity.primary_entity.value, entity.state, entity.last_good_backup?.end_timestamp ?? "never");
    }
  },
  "Entities.counts": async ({ holdfast }) => {
    for await (const { state, count } of holdfast.entities.counts()) console.log(state, count);
  },
  "Entities.read": async ({ holdfast, entityId }) => {
    const { last_good_backup, last_restore } = await holdfast.entities.read(entityId);
  },
  "Entities.update": async ({ holdfast, entityId }) => {
    await holdfast.entities.update(entityId, { muted_until: new Date(Date.now() + 86_400_000).toISOString() });
    await holdfast.entities.update(entityId, { is_retired: true });
  },
  "OrganizationalUnits.list": async ({ holdfast, unitId }) => {
    const { total_count } = await holdfast.organizationalUnits.list({ filter: { parent_id: unitId } }).page();
  },
  "OrganizationalUnits.read": async ({ holdfast, unitId }) => {
    const { name, ancestors } = await holdfast.organizationalUnits.read(unitId);
    console.log([...ancestors.map((above) => above.name), name].join(" / "));
  },
  "OrganizationalUnits.create": async ({ holdfast, unitId }) => {
    const berlin = await holdfast.organizationalUnits.create({ name: "Berlin", parent_id: unitId });
  },
  "OrganizationalUnits.update": async ({ holdfast, unitId }) => {
    await holdfast.organizationalUnits.update(unitId, { name: "Lyon" });
  },
  "OrganizationalUnits.delete": async ({ holdfast, unitId, emptyUnitId }) => {
    await holdfast.organizationalUnits.delete(emptyUnitId, { moveTo: unitId });
  },
  "Roles.list": async ({ holdfast }) => {
    const [viewer] = await holdfast.roles.list({ filter: { name: "viewer" } }).first(1);
  },
  "Roles.read": async ({ holdfast, roleId }) => {
    const { permissions } = await holdfast.roles.read(roleId);
  },
  "Roles.create": async ({ holdfast }) => {
    const auditor = await holdfast.roles.create({ name: "auditor", permissions: ["tasks:read", "audit-events:read"] });
  },
  "Roles.update": async ({ holdfast, roleId }) => {
    await holdfast.roles.update(roleId, { description: "Reads tasks, and nothing else." });
  },
  "Roles.delete": async ({ holdfast, roleId }) => {
    await holdfast.roles.delete(roleId);
  },
  "ApiTokens.list": async ({ holdfast }) => {
    for await (const token of holdfast.apiTokens.list({ filter: { kind: "service", is_revoked: false } })) {
      console.log(token.name, token.last_used_timestamp);
    }
    const [soonest] = await holdfast.apiTokens.list({ sort: "expires_timestamp" }).first(1);
  },
  "ApiTokens.read": async ({ holdfast, apiTokenId }) => {
    const { expires_timestamp } = await holdfast.apiTokens.read(apiTokenId);
  },
  "ApiTokens.create": async ({ holdfast, reporterRoleId }) => {
    const { token } = await holdfast.apiTokens.create({ name: "nightly", kind: "service", role_id: reporterRoleId });
  },
  "ApiTokens.update": async ({ holdfast, apiTokenId }) => {
    await holdfast.apiTokens.update(apiTokenId, { name: "nightly-report" });
  },
  "ApiTokens.rotate": async ({ holdfast, apiTokenId }) => {
    const { token } = await holdfast.apiTokens.rotate(apiTokenId, { overlap_seconds: 3600 });
  },
  "ApiTokens.renew": async ({ holdfast }) => {
    const { token } = await holdfast.apiTokens.renew();
  },
  "ApiTokens.revoke": async ({ holdfast, apiTokenId }) => {
    await holdfast.apiTokens.revoke(apiTokenId);
  },
  "Keys.list": async ({ holdfast }) => {
    const [signing] = await holdfast.keys.list().first(1);
  },
  "Keys.read": async ({ holdfast, keyId }) => {
    const { expires_timestamp } = await holdfast.keys.read(keyId);
  },
  "Keys.rotate": async ({ holdfast }) => {
    await holdfast.keys.rotate();
  },
  "Keys.retire": async ({ holdfast, oldKeyId }) => {
    await holdfast.keys.retire(oldKeyId);
  },
  "AuditEvents.list": async ({ holdfast }) => {
    const refused = await holdfast.auditEvents.list({ filter: { result: "refused" } }).first(20);
  },
  "AuditEvents.read": async ({ holdfast, auditEventId }) => {
    const { actor, operation } = await holdfast.auditEvents.read(auditEventId);
  },
  "Webhooks.list": async ({ holdfast }) => {
    for await (const webhook of holdfast.webhooks.list()) console.log(webhook.name, webhook.failures_in_a_row);
  },
  "Webhooks.read": async ({ holdfast, webhookId }) => {
    const { disabled_reason } = await holdfast.webhooks.read(webhookId);
  },
  "Webhooks.create": async ({ holdfast }) => {
    const { secret } = await holdfast.webhooks.create({
      name: "Failures",
      kind: "standard",
      url: "https://hooks.example.org/holdfast",
      events: ["task.failed", "task.lost"],
      filter: { category: "backup" },
    });
  },
  "Webhooks.update": async ({ holdfast, webhookId }) => {
    await holdfast.webhooks.update(webhookId, { is_enabled: false });
  },
  "Webhooks.delete": async ({ holdfast, webhookId }) => {
    await holdfast.webhooks.delete(webhookId);
  },
  "Webhooks.rotateSecret": async ({ holdfast, webhookId }) => {
    const { secret } = await holdfast.webhooks.rotateSecret(webhookId);
  },
  "Webhooks.test": async ({ holdfast, webhookId }) => {
    const { state, attempts } = await holdfast.webhooks.test(webhookId);
  },
  "WebhookDeliveries.list": async ({ holdfast }) => {
    for await (const delivery of holdfast.webhookDeliveries.list({ filter: { state: "failed" } })) {
      console.log(delivery.event, delivery.attempts.at(-1)?.reason);
    }
  },
  "WebhookDeliveries.read": async ({ holdfast, webhookDeliveryId }) => {
    const { state, next_attempt_timestamp } = await holdfast.webhookDeliveries.read(webhookDeliveryId);
  },
  "WebhookDeliveries.retry": async ({ holdfast, webhookDeliveryId }) => {
    await holdfast.webhookDeliveries.retry(webhookDeliveryId);
  },
  "Views.list": async ({ holdfast }) => {
    for await (const view of holdfast.views.list({ filter: { page: "tasks" } })) console.log(view.name, view.query);
  },
  "Views.read": async ({ holdfast, viewId }) => {
    const { page, query } = await holdfast.views.read(viewId);
  },
  "Views.create": async ({ holdfast }) => {
    await holdfast.views.create({
      name: "Failures of the week",
      page: "tasks",
      query: "outcome=error,lost&since=7d",
      is_shared: true,
    });
  },
  "Views.update": async ({ holdfast, viewId }) => {
    await holdfast.views.update(viewId, { query: "outcome=error,lost&since=30d" });
  },
  "Views.delete": async ({ holdfast, viewId }) => {
    await holdfast.views.delete(viewId);
  },
  "Caller.read": async ({ holdfast }) => {
    const { kind, permissions } = await holdfast.caller.read();
  },
  "CreatedTask": async ({ holdfast }) => {
    const task: CreatedTask = await holdfast.tasks.create({ category: "system", type: "disk_check" });
    console.log(task.lease?.next_report_seconds);
  },
  "Task": async ({ holdfast }) => {
    const describe = (task: Task) => `${task.type}: ${task.outcome ?? task.status}`;
    for (const task of await holdfast.tasks.list().first(3)) console.log(describe(task));
  },
  "TaskCount": async ({ holdfast }) => {
    const days: TaskCount[] = await holdfast.tasks.counts().first(7);
    console.log(days.map(({ count }) => count));
  },
  "Answer": async ({ holdfast }) => {
    const answer: Answer = await holdfast.request("/healthz");
    console.log(answer.response.status, answer.text);
  },
  "CallOptions": async ({ holdfast }) => {
    const options: CallOptions = { signal: AbortSignal.timeout(10_000), retries: 0 };
    await holdfast.caller.read(options);
  },
  "Fetch": async ({ token }) => {
    const loggingFetch: Fetch = (url, init) => {
      console.log(init.method, url);
      return fetch(url, init);
    };
    await connect({ token, fetch: loggingFetch }).caller.read();
  },
  "WatchEvent": async ({ holdfast }) => {
    const describe = (event: WatchEvent<Task>) => (event.event === "match" ? event.item.type : event.event);
    for await (const event of holdfast.tasks.watch()) {
      console.log(describe(event));
      break;
    }
  },
  "WatchOptions": async ({ holdfast }) => {
    const options: WatchOptions<FilterOf<"tasks", "list-tasks">> = { filter: { category: "backup" }, limit: 10 };
    for await (const event of holdfast.tasks.watch(options)) {
      console.log(event.event);
      break;
    }
  },
  "ReportedTask": async ({ holdfast }) => {
    async function work(task: ReportedTask) {
      task.progress(50, "half of it");
      task.log("half of it is done\n");
    }
    await reportTask(holdfast, { category: "system", type: "nightly_cleanup" }, work);
  },
  "ReportTaskOptions": async ({ holdfast }) => {
    const options: ReportTaskOptions = { category: "system", type: "nightly_cleanup", lingerMs: 5_000 };
    await reportTask(holdfast, options, () => console.log("cleaned up"));
  },
  "reportTask": async ({ holdfast }) => {
    const options = { category: "backup", type: "copy_photos", primary_entity: { type: "folder", value: "/srv/photos" } } as const;
    const albums = ["2024", "2025", "2026"];
    await reportTask(holdfast, options, async (task) => {
      for (const [index, album] of albums.entries()) {
        task.signal.throwIfAborted();
        task.progress((100 * index) / albums.length, album);
        task.log(`copied ${album}\n`);
      }
    });
  },
  "TaskError": async ({ holdfast }) => {
    const skipped: TaskError = { code: "files_unreadable", message: "2 files were left out", remedy: "Run it as root." };
    await reportTask(holdfast, { category: "backup", type: "copy_photos" }, (task) => task.warn(skipped));
  },
};
