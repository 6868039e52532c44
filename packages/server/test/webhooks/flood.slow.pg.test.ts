import { afterAll, expect, test } from "bun:test";
import { size } from "../runs";
import { startMailServer } from "./mail-server";
import { openWebhookPlane } from "./webhook-plane";

const failures = size({ default: 2_000, long: 10_000 });
const perRequest = 500;

const mail = await startMailServer();
const plane = await openWebhookPlane({ smtp_url: mail.url, mail_from: "holdfast@example.org" });
afterAll(async () => {
  await plane.close();
  await mail.close();
});

const error = { code: "disk_full", message: "No space left on device", remedy: "" };
async function failMany(count: number): Promise<void> {
  for (let done = 0; done < count; done += perRequest) {
    const reports = Array.from({ length: perRequest }, () => {
      const id = crypto.randomUUID();
      return {
        operation: "create",
        task_id: id,
        body: { id, category: "backup", type: "restic_backup", status: "failed", error },
      };
    });
    const { status } = await plane.ask("/task-reports", { method: "POST", token: plane.runner, body: { reports } });
    expect(status).toBe(200);
    plane.clock.now += Math.floor((30_000 * perRequest) / count);
  }
}

test(`T36: ${failures} failures in a minute are a handful of messages to people, which say how many there were`, async () => {
  const user = await plane.addUser({ email: "ada@example.org", roles: [{ role: "viewer" }] });
  await plane.addWebhook({ name: "mail", kind: "mail", url: undefined, recipient_user_ids: [user] });
  await plane.addWebhook({ name: "chat", kind: "slack", url: `${plane.receiver.url}/chat` });
  await failMany(failures);
  await plane.deliveries.deliver();
  plane.clock.now += 60_000;
  await plane.deliveries.deliver();
  expect(mail.handed).toHaveLength(6);
  const chats = plane.receiver.received.filter(({ path }) => path === "/chat");
  expect(chats).toHaveLength(6);
  expect(JSON.parse(chats[5]?.body ?? "").text).toContain(`And ${failures - 6} more like it within a minute.`);
  const counted = (await plane.listDeliveries()).map(({ event_count }) => event_count);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(2 * failures);
}, 120_000);

test("T36: at most 10,000 wait for one webhook, and the oldest are dropped", async () => {
  const { body: webhook } = await plane.addWebhook({ name: "program" });
  await plane.fail({ name: "the oldest" });
  await plane.database.change(async (db) => {
    const row = await db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("webhook_id", "=", webhook.id)
      .executeTakeFirstOrThrow();
    const { seq: _, ...copied } = row;
    for (let from = 0; from < 9_998; from += 100) {
      const count = Math.min(100, 9_998 - from);
      const copies = Array.from({ length: count }, () => ({ ...copied, id: crypto.randomUUID() }));
      await db.insertInto("webhook_deliveries").values(copies).execute();
    }
  });
  await plane.fail();
  const dropped = () => plane.listDeliveries({ webhook_id: webhook.id, state: "dropped" });
  expect(await dropped()).toEqual([]);
  const { body: last } = await plane.fail();
  const [oldest, ...others] = await dropped();
  expect([oldest.created_timestamp <= last.created_timestamp, others]).toEqual([true, []]);
  const [{ count } = { count: 0 }] = await plane.database.snapshot((db) =>
    db
      .selectFrom("webhook_deliveries")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("webhook_id", "=", webhook.id)
      .where("state", "=", "waiting")
      .execute(),
  );
  expect(Number(count)).toBe(10_000);
});
