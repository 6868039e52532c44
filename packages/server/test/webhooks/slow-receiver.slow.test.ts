import { expect, test } from "bun:test";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { openWebhookPlane } from "./webhook-plane";

test("whoever tests a webhook gets the answer although the receiver takes longer than a connection may be idle", async () => {
  const plane = await openWebhookPlane({}, { timeouts: { connect: 5_000, answer: 15_000 } });
  const app = createApp(plane.service);
  const listener = listen({ host: "127.0.0.1", port: 0, answer: (...given) => app.fetch(...given), idleSeconds: 1 });
  const { body: webhook } = await plane.addWebhook();
  plane.receiver.answer((response) => setTimeout(() => response.writeHead(204).end(), 5_000));
  const answered = await fetch(`http://127.0.0.1:${listener.port}/webhooks/${webhook.id}/test`, {
    method: "POST",
    headers: { Authorization: `Bearer ${plane.owner}` },
  });
  expect([answered.status, await answered.json()]).toMatchObject([200, { state: "delivered" }]);
  await listener.stop();
  await plane.close();
});
