import { afterEach, expect, test } from "bun:test";
import { headerText } from "../../src/resources/webhooks/write-message";
import { root } from "../harness";
import { startMailServer } from "./mail-server";
import type { ReceivedMessage } from "./receiver";
import { openWebhookPlane, type WebhookPlane } from "./webhook-plane";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(...given: Parameters<typeof openWebhookPlane>): Promise<WebhookPlane> {
  const plane = await openWebhookPlane(...given);
  closing.push(plane.close);
  return plane;
}

const hostile = { type: "host", value: "<!channel> <https://evil.example|web> & @everyone" };
const failure = {
  name: "Nächtliche Sicherung 😀",
  primary_entity: hostile,
  runner: { host: "web-1", version: "1" },
  error: { code: "repository_full", message: "no space\nleft <b>", remedy: "Prune, or give it more room." },
};

test("a chat is told in plain text what failed, where, why and what to do, and nothing in it is a link or a mention", async () => {
  const plane = await open();
  const made = await plane.addWebhook({ kind: "slack" });
  expect([made.status, made.body.secret]).toEqual([201, undefined]);
  const { body: task } = await plane.fail(failure);
  await plane.deliveries.deliver();
  const { headers = {}, body = "" } = plane.receiver.received[0] ?? {};
  const { text } = JSON.parse(body);
  const link = `http://holdfast.test/console/tasks/${task.id}`;
  expect(text.split("\n")).toEqual([
    "*Nächtliche Sicherung 😀 of &lt;!channel&gt; &lt;https://evil.example|web&gt; &amp; @\u200beveryone has failed*",
    "Cause: no space left &lt;b&gt; (repository_full)",
    "What to do: Prune, or give it more room.",
    "Task: restic_backup of &lt;!channel&gt; &lt;https://evil.example|web&gt; &amp; @\u200beveryone",
    "Host: web-1",
    "Organizational unit: Root",
    "When: 2026-11-15 12:00:00 UTC",
    link,
  ]);
  expect(Object.keys(headers).filter((name) => name.startsWith("webhook-"))).toEqual([]);
});

test("ntfy gets a title, a priority and tags, in headers that are ASCII, and the authorization", async () => {
  const plane = await open();
  await plane.addWebhook({ kind: "ntfy", authorization: "Bearer tk_0123456789" });
  await plane.fail(failure);
  await plane.deliveries.deliver();
  const { headers = {}, body = "" } = plane.receiver.received[0] ?? {};
  expect(headers).toMatchObject({ priority: "4", tags: "rotating_light", authorization: "Bearer tk_0123456789" });
  expect(headers.title).toMatch(/^[ -~]+$/);
  expect(decodeWords(headers.title ?? "")).toStartWith("Nächtliche Sicherung 😀 of <!channel>");
  expect(body).toContain("Cause: no space left <b> (repository_full)");
});

test("a title says what happened, however long the names are", async () => {
  const plane = await open();
  await plane.addWebhook({ kind: "ntfy" });
  await plane.fail({ ...failure, primary_entity: { type: "folder", value: `/srv/${"界".repeat(200)}` } });
  await plane.deliveries.deliver();
  const title = decodeWords(plane.receiver.received[0]?.headers.title ?? "");
  expect([title.length <= 150, title.startsWith("Nächtliche Sicherung 😀 of /srv/界")]).toEqual([true, true]);
  expect(title).toEndWith("界… has failed");
});

test.each(["plain", "Grüße", "界".repeat(100), "a=?b", "😀".repeat(40)])("a header says %s", (text) => {
  const header = headerText(text);
  expect(header).toMatch(/^[ -~]*$/);
  expect(decodeWords(header)).toBe(text);
  expect(header.split(" ").every((word) => word.length <= 75)).toBe(true);
});

function decodeWords(header: string): string {
  return header.replace(/=\?UTF-8\?B\?([^?]*)\?=(?: (?==\?))?/g, (_, word) => Buffer.from(word, "base64").toString());
}

test("mail goes to the named users who may see the unit's tasks at that moment, and to no other", async () => {
  const server = await startMailServer();
  closing.push(server.close);
  const plane = await open({ smtp_url: server.url, mail_from: "Holdfast <holdfast@example.org>" });
  const unit = await plane.addUnit("Berlin");
  const inUnit = [{ role: "viewer", unitId: unit }] as const;
  const ada = await plane.addUser({ email: "ada@example.org", roles: [...inUnit] });
  const bob = await plane.addUser({ email: "bob@example.org", roles: [...inUnit] });
  const eve = await plane.addUser({ email: "eve@example.org", roles: [...inUnit] });
  const made = await plane.addWebhook({
    kind: "mail",
    url: undefined,
    organizational_unit_id: unit,
    recipient_user_ids: [ada, bob, eve],
  });
  expect([made.status, made.body.url, made.body.secret]).toEqual([201, null, undefined]);
  await plane.database.change(async (db) => {
    await db.updateTable("users").set({ is_enabled: 0 }).where("id", "=", bob).execute();
    await db.deleteFrom("role_grants").where("user_id", "=", eve).execute();
  });
  await plane.fail({ organizational_unit_id: unit, ...failure });
  await plane.deliveries.deliver();
  expect(server.handed.map(({ to }) => to)).toEqual(["ada@example.org"]);
  const message = (server.handed[0]?.message ?? "").replace(/=\r\n/g, "");
  expect(message).toContain("Auto-Submitted: auto-generated");
  expect(message).toContain("Cause: no space left <b> (repository_full)");
  expect(message).toContain("/console/tasks/");
  expect(await plane.listDeliveries()).toMatchObject([{ state: "delivered", attempts: [{ status: null }] }]);
});

test("a mail that reaches some of its recipients is sent again to the others alone", async () => {
  let refuses = true;
  const server = await startMailServer({
    onRcptTo({ address }, _, done) {
      done(refuses && address === "bob@example.org" ? new Error("try later") : undefined);
    },
  });
  closing.push(server.close);
  const plane = await open({ smtp_url: server.url, mail_from: "holdfast@example.org" });
  const roles = [{ role: "viewer" }] as const;
  const people = ["ada@example.org", "bob@example.org"];
  const ids = await Promise.all(people.map((email) => plane.addUser({ email, roles: [...roles] })));
  await plane.addWebhook({ kind: "mail", url: undefined, recipient_user_ids: ids });
  await plane.fail();
  await plane.deliveries.deliver();
  expect(await plane.listDeliveries()).toMatchObject([
    { state: "waiting", attempts: [{ reason: expect.any(String) }] },
  ]);
  refuses = false;
  plane.clock.now += 7_000;
  await plane.deliveries.deliver();
  expect(server.handed.map(({ to }) => to).sort()).toEqual(people);
  expect(await plane.listDeliveries()).toMatchObject([{ state: "delivered" }]);
});

test("no free addresses: recipients are users of the unit, confirmed and enabled, and mail needs a server", async () => {
  const server = await startMailServer();
  closing.push(server.close);
  const plane = await open({ smtp_url: server.url, mail_from: "holdfast@example.org" });
  const unit = await plane.addUnit("Berlin");
  const viewer = [{ role: "viewer", unitId: unit }] as const;
  const elsewhere = await plane.addUser({ roles: [{ role: "viewer", unitId: await plane.addUnit("Paris") }] });
  const reporter = await plane.addUser({ roles: [{ role: "reporter", unitId: unit }] });
  const invited = await plane.addUser({ isConfirmed: false, roles: [...viewer] });
  const disabled = await plane.addUser({ isEnabled: false, roles: [...viewer] });
  const above = await plane.addUser({ roles: [{ role: "admin", unitId: root }] });
  const statusFor = async (recipient_user_ids: unknown, more: object = {}) =>
    (
      await plane.addWebhook({
        kind: "mail",
        url: undefined,
        organizational_unit_id: unit,
        recipient_user_ids,
        ...more,
      })
    ).status;
  const refused = [[elsewhere], [reporter], [invited], [disabled], ["eve@example.org"], [], undefined];
  for (const ids of refused) expect(await statusFor(ids)).toBe(422);
  expect(await statusFor(Array.from({ length: 21 }, () => above))).toBe(422);
  expect(await statusFor([above], { url: `${plane.receiver.url}/hook` })).toBe(422);
  expect(await statusFor([above], { authorization: "Bearer x" })).toBe(422);
  expect(await statusFor([above])).toBe(201);
  const without = await open();
  const someone = await without.addUser({ roles: [{ role: "viewer" }] });
  const answered = await without.addWebhook({ kind: "mail", url: undefined, recipient_user_ids: [someone] });
  expect([answered.status, answered.text]).toEqual([422, expect.stringContaining("smtp_url")]);
});

/** The titles of chat messages, in the order in which they came. */
function titlesOf(received: readonly ReceivedMessage[]): string[] {
  return received.map(({ body }) => JSON.parse(body).text.split("\n")[0]);
}

test("one run of a monitor is one message to people, which says how it ended; programs get each event that they name", async () => {
  const plane = await open();
  const events = ["task.failed", "task.completed", "task.warning", "task.started", "monitor.down", "monitor.up"];
  await plane.addWebhook({ kind: "slack", events });
  await plane.addWebhook({ name: "program", events, url: `${plane.receiver.url}/program` });
  const monitor = await plane.ask("/monitors", { method: "POST", token: plane.owner, body: { name: "Cron job" } });
  const path = new URL(monitor.body.ping_url).pathname;
  for (const end of ["/fail", "/fail", "", "/fail"]) {
    await plane.ask(`${path}${end}`, { method: "POST", body: "done" });
    plane.clock.now += 60_000;
    await plane.deliveries.deliver();
  }
  const { body: warned } = await plane.report({ monitor_id: monitor.body.id });
  await plane.update(warned.id, { status: "completed", outcome: "warning", error: failure.error });
  await plane.deliveries.deliver();
  const { received } = plane.receiver;
  const program = received.filter(({ path: to }) => to === "/program");
  const people = received.filter(({ path: to }) => to !== "/program");
  expect(titlesOf(people)).toEqual([
    "*Cron job is down: its run has failed*",
    "*Cron job has failed*",
    "*Cron job is up again*",
    "*Cron job is down: its run has failed*",
    "*restic backup of Cron job has begun*",
    "*Cron job is up again, with a warning*",
  ]);
  expect(program.map(({ body }) => JSON.parse(body).type)).toEqual([
    ...["task.failed", "monitor.down", "task.failed", "task.completed", "monitor.up"],
    ...["task.failed", "monitor.down", "task.started", "task.warning", "monitor.up"],
  ]);
});

test("people who named only the run or only the monitor get that", async () => {
  const plane = await open();
  await plane.addWebhook({ name: "runs", kind: "slack", events: ["task.failed"] });
  await plane.addWebhook({ name: "monitors", kind: "slack", events: ["monitor.down"] });
  const monitor = await plane.ask("/monitors", { method: "POST", token: plane.owner, body: { name: "Nightly" } });
  await plane.fail({ monitor_id: monitor.body.id, name: "Files", primary_entity: { type: "host", value: "web-1" } });
  await plane.deliveries.deliver();
  expect(titlesOf(plane.receiver.received).sort()).toEqual([
    "*Files of web-1 has failed*",
    "*Nightly is down: its run has failed*",
  ]);
});

test.each([
  ["restic_backup", undefined, "web-1", "restic backup of web-1 has failed"],
  ["restic_backup", "Backup of WEB-1 at night", "web-1", "Backup of WEB-1 at night has failed"],
  ["restic_backup", "web-10", "web-1", "web-10 of web-1 has failed"],
  ["script", "Cron job", "Cron job", "Cron job has failed"],
])("a title names what is protected once: %s, %s, %s", async (type, name, value, title) => {
  const plane = await open();
  await plane.addWebhook({ kind: "slack" });
  await plane.fail({ type, ...(name === undefined ? {} : { name }), primary_entity: { type: "host", value } });
  await plane.deliveries.deliver();
  expect(titlesOf(plane.receiver.received)).toEqual([`*${title}*`]);
});

test("mail has times in the zone of the person who gets it, with UTC next to them", async () => {
  const server = await startMailServer();
  closing.push(server.close);
  const plane = await open({ smtp_url: server.url, mail_from: "holdfast@example.org" });
  const people = ["ada@example.org", "bob@example.org"];
  const ids = await Promise.all(people.map((email) => plane.addUser({ email, roles: [{ role: "viewer" }] })));
  await plane.addWebhook({ kind: "mail", url: undefined, recipient_user_ids: ids });
  const zoned = await plane.ask(`/users/${ids[0]}`, {
    method: "PATCH",
    token: plane.owner,
    body: { time_zone: "Asia/Kolkata" },
  });
  expect([zoned.status, zoned.body.time_zone]).toEqual([200, "Asia/Kolkata"]);
  const unknown = await plane.ask(`/users/${ids[0]}`, {
    method: "PATCH",
    token: plane.owner,
    body: { time_zone: "x" },
  });
  expect([unknown.status, unknown.body.errors[0].field]).toEqual([422, "/time_zone"]);
  await plane.fail();
  await plane.deliveries.deliver();
  const times = Object.fromEntries(
    server.handed.map(({ to, message }) => [to, /^When: .*$/m.exec(message.replace(/=\r\n/g, ""))?.[0].trim()]),
  );
  expect(times).toEqual({
    "ada@example.org": "When: 2026-11-15 17:30:00 Asia/Kolkata (12:00:00 UTC)",
    "bob@example.org": "When: 2026-11-15 12:00:00 UTC",
  });
});

test("people are notified once when an item without a monitor is good again, as they were of its failure", async () => {
  const plane = await open();
  await plane.addWebhook({ name: "chat", kind: "slack", events: ["task.failed", "task.completed"] });
  await plane.addWebhook({ name: "program", url: `${plane.receiver.url}/program`, events: ["task.failed"] });
  await plane.addWebhook({ name: "named", url: `${plane.receiver.url}/named`, events: ["entity.good"] });
  const primary_entity = { type: "host", value: "web-1" };
  const succeed = (more: object = {}) => plane.report({ status: "completed", name: "Files", primary_entity, ...more });
  await succeed();
  for (const more of [{}, { outcome: "warning", error: failure.error }]) {
    await plane.fail({ name: "Files", primary_entity });
    await plane.fail({ name: "Files", primary_entity });
    // A task that is no backup says nothing about it.
    await succeed({ category: "system" });
    await succeed(more);
    await plane.deliveries.deliver();
    plane.clock.now += 61_000;
  }
  await plane.deliveries.deliver();
  const { received } = plane.receiver;
  expect(titlesOf(received.filter(({ path }) => path === "/hook"))).toEqual([
    "*Files of web-1 has succeeded*",
    "*Files of web-1 has failed*",
    "*Files of web-1 has failed*",
    "*Files of web-1 has succeeded*",
    "*web-1 is good again*",
    "*Files of web-1 has failed*",
    "*Files of web-1 has failed*",
    "*Files of web-1 has succeeded*",
    "*web-1 is good again, with a warning*",
  ]);
  const typesAt = (to: string) => received.filter(({ path }) => path === to).map(({ body }) => JSON.parse(body).type);
  expect(new Set(typesAt("/program"))).toEqual(new Set(["task.failed"]));
  expect(typesAt("/named")).toEqual(["entity.good", "entity.good"]);
});

test("an item with a monitor is good again in the message that its monitor is up", async () => {
  const plane = await open();
  const events = ["task.failed", "monitor.down", "monitor.up"];
  await plane.addWebhook({ kind: "slack", events });
  const primary_entity = { type: "host", value: "web-1" };
  const made = await plane.ask("/monitors", {
    method: "POST",
    token: plane.owner,
    body: { name: "Nightly", primary_entity },
  });
  const monitor_id = made.body.id;
  await plane.report({ monitor_id, status: "completed" });
  await plane.fail({ monitor_id });
  await plane.report({ monitor_id, status: "completed" });
  await plane.deliveries.deliver();
  expect(titlesOf(plane.receiver.received)).toEqual(["*Nightly is down: its run has failed*", "*Nightly is up again*"]);
});
