import type { OutboundOptions } from "../../src/outbound/outbound";
import type { RawSettings } from "../../src/settings/settings";
import { startWebhookDeliveries, type WebhookDeliveries } from "../../src/workers/deliver-webhooks";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { type Answered, type Ask, openPlane, type Plane, root } from "../harness";
import { type Receiver, startReceiver } from "./receiver";

/** A plane with a receiver on this machine, and with workers that do something only when a test says so. */
export interface WebhookPlane extends Plane {
  receiver: Receiver;
  owner: string;
  runner: string;
  deliveries: WebhookDeliveries;
  /** Makes a webhook that sends signed JSON to the receiver, unless something else is said. */
  addWebhook(body?: object, ask?: Ask): Promise<Answered>;
  report(body: object, ask?: Ask): Promise<Answered>;
  update(id: string, body: object, ask?: Ask): Promise<Answered>;
  /** Reports a task that has failed. */
  fail(body?: object): Promise<Answered>;
  listDeliveries(filter?: object): Promise<Answered["body"][]>;
  /** Lets so many seconds pass on both clocks, with one sweep in each. */
  pass(seconds: number): Promise<void>;
}

const error = { code: "disk_full", message: "No space left on device", remedy: "Free some space." };
/** Nothing is done by itself: it is done when a test asks for it. */
const never = 1_000_000_000;
const tokenLife = 60 * 86_400_000;

export async function openWebhookPlane(
  flags: RawSettings = {},
  outboundOptions: Partial<OutboundOptions> = {},
): Promise<WebhookPlane> {
  const receiver = await startReceiver();
  const plane = await openPlane(
    { webhook_allowed_targets: "127.0.0.0/8", ...flags },
    undefined,
    {},
    { timeouts: { connect: 5_000, answer: 2_500 }, ...outboundOptions },
  );
  const { token: owner } = await plane.serviceToken("owner", root, tokenLife);
  const { token: runner } = await plane.serviceToken("reporter", root, tokenLife);
  const deliveries = startWebhookDeliveries({ ...plane.service, every: never, stopTimeoutMs: 200 });
  let monotonic = 0;
  const sweeper = startLeaseSweep({ ...plane.service, monotonic: () => monotonic });
  await sweeper.sweep();
  const report = (body: object, ask: Ask = {}) =>
    plane.ask("/tasks", {
      method: "POST",
      token: runner,
      ...ask,
      body: { category: "backup", type: "restic_backup", ...body },
    });
  return {
    ...plane,
    receiver,
    owner,
    runner,
    deliveries,
    addWebhook: (body = {}, ask = {}) =>
      plane.ask("/webhooks", {
        method: "POST",
        token: owner,
        ...ask,
        body: { name: "Ours", kind: "standard", url: `${receiver.url}/hook`, events: ["task.failed"], ...body },
      }),
    report,
    update: (id, body, ask = {}) => plane.ask(`/tasks/${id}`, { method: "PATCH", token: runner, ...ask, body }),
    fail: (body = {}) => report({ status: "failed", error, ...body }),
    async listDeliveries(filter = {}) {
      const path = `/webhook-deliveries?filter=${encodeURIComponent(JSON.stringify(filter))}`;
      return (await plane.ask(path, { token: owner })).body._embedded.items;
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        monotonic += 1000;
        plane.clock.now += 1000;
        await sweeper.sweep();
      }
    },
    async close() {
      await deliveries.stop();
      await sweeper.stop();
      await receiver.close();
      await plane.close();
    },
  };
}
