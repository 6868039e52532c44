import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, root } from "../harness";
import { startProcess } from "../process";
import { size } from "../runs";
import { startReceiver } from "../webhooks/receiver";

const day = 86_400_000;
const maxWaitMs = 180_000;
/** Factor by which the workers run more often. In their own time, the test takes a minute. */
const speed = size({ default: 10, long: 1 });

/** Shortens the pauses of workers. What is less than 10 s may be a time limit. */
function hurry() {
  const preload = join(makeFolder(), "hurry.ts");
  const hurried = `(act, delay, ...more) => wait(act, delay < 10_000 ? delay : delay / ${speed}, ...more)`;
  writeFileSync(
    preload,
    `const wait = globalThis.setTimeout;\nglobalThis.setTimeout = Object.assign(${hurried}, wait);`,
  );
  return { BUN_OPTIONS: `--preload=${preload}` };
}

test("a service that runs notices by itself what is stale, what stays down and which token expires", async () => {
  const receiver = await startReceiver();
  const server = await startProcess({
    flags: { webhook_allowed_targets: "127.0.0.0/8" },
    environment: hurry(),
  });
  const beside = await server.openBeside();
  const { id: expiring, token } = await beside.serviceToken("owner", root, 6 * day);
  const post = async (path: string, body: object) => (await server.ask(path, { method: "POST", token, body })).body;
  const events = ["entity.stale", "token.expiring", "monitor.down"];
  await post("/webhooks", { name: "All", kind: "standard", url: receiver.url, events, remind_after: "daily" });
  const error = { code: "disk_full", message: "No space left on device", remedy: "" };
  const { id: monitor_id } = await post("/monitors", { name: "Down since yesterday" });
  await post("/tasks", { category: "backup", type: "restic_backup", status: "failed", error, monitor_id });
  const longAgo = new Date(Date.now() - 10 * day).toISOString();
  const stale = { type: "host", id: "web-1", value: "web-1" };
  await beside.addTasks([{ primary_entity: stale, created_timestamp: longAgo, end_timestamp: longAgo }]);
  const earlier = Date.now() - 2 * day;
  await beside.database.change(async (db) => {
    await db
      .updateTable("api_tokens")
      .set({ created_at: 0, expiry_announced_days: null })
      .where("id", "=", expiring)
      .execute();
    await db.updateTable("monitors").set({ down_since_at: earlier }).execute();
    await db.updateTable("webhooks").set({ reminded_at: earlier }).execute();
  });
  const sent = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  const wanted = ["entity.stale", "monitor.down", "token.expiring", "webhook.reminder"];
  const deadline = performance.now() + maxWaitMs;
  while (sent().length < wanted.length && performance.now() < deadline) await Bun.sleep(200);
  expect(sent().sort()).toEqual(wanted);
  await server.stop();
  await beside.close();
  await receiver.close();
}, 240_000);
