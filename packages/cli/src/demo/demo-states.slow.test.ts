import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { entityStates } from "@holdfast/api/resources/entity-words";
import { monitorStates } from "@holdfast/api/resources/monitor-words";
import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { webhookKinds } from "@holdfast/api/resources/webhook-words";
import { startWebhookDeliveries } from "../../../server/src/workers/deliver-webhooks";
import { startMissedRunDetector } from "../../../server/src/workers/missed-run-detector";
import { openPlane, type Plane, root } from "../../../server/test/harness";
import { fillWithDemoData } from "./fill-with-demo-data";
import { liveSlug } from "./plots";

const until = Date.parse("2026-11-15T12:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const never = 1_000_000_000;

/** A plane with demonstration data, and workers that do something when a test says so. */
async function openDemo(seed: number, tasks: number) {
  const askedNames: string[] = [];
  const resolve = async (name: string) => {
    askedNames.push(name);
    return ["198.51.100.7"];
  };
  const plane = await openPlane({}, undefined, {}, { resolve });
  const { sealer } = plane.controlPlane;
  await fillWithDemoData(plane.database, { users: 20, tasks, seed, until, sealer }, () => {});
  // The service is started a while after the data was made.
  plane.clock.now = until + 40 * minute;
  const { token } = await plane.serviceToken("owner", root, 30 * 24 * hour);
  let monotonic = 0;
  const expecting = startMissedRunDetector({ ...plane.service, monotonic: () => monotonic, onBroken: () => {} });
  const sending = startWebhookDeliveries({ ...plane.service, every: never, stopTimeoutMs: 200 });
  return {
    plane,
    askedNames,
    sending,
    list: (path: string) => listAll(plane, token, path),
    change: (path: string, method: string, body: object) => plane.ask(path, { token, method, body }),
    async pass(milliseconds: number) {
      for (let left = milliseconds; left >= 0; left -= minute) {
        await expecting.sweep();
        plane.clock.now += minute;
        monotonic += minute;
      }
      await sending.deliver();
    },
    async close() {
      await expecting.stop();
      await sending.stop();
      await plane.close();
    },
  };
}

async function listAll(plane: Plane, token: string, path: string) {
  const { body } = await plane.ask(`${path}?limit=200`, { token });
  return body._embedded.items;
}

type Item = Record<string, unknown>;
const values = (items: Item[], name: string) => new Set(items.map((item) => item[name]));

describe("a service on the smallest demonstration", () => {
  let demo: Awaited<ReturnType<typeof openDemo>>;

  beforeAll(async () => {
    demo = await openDemo(1, 50);
    await demo.pass(2 * hour);
  });
  afterAll(() => demo.close());

  test("has tasks of every category, status and outcome", async () => {
    const tasks = await demo.list("/tasks");
    expect(tasks).toHaveLength(50);
    expect(values(tasks, "category")).toEqual(new Set(taskCategories));
    expect(values(tasks, "status")).toEqual(new Set(taskStatuses));
    expect(values(tasks, "outcome")).toEqual(new Set([null, ...taskOutcomes]));
  });

  test("has monitors in every state for hours, and one with a run under way", async () => {
    const monitors = await demo.list("/monitors");
    expect(values(monitors, "state")).toEqual(new Set(monitorStates));
    expect(monitors.filter(({ is_running }: Item) => is_running)).toHaveLength(1);
    expect(monitors.map(({ slug }: Item) => slug)).toContain(liveSlug);
    expect(await demo.list("/ping-keys")).toHaveLength(2);
  });

  test("has protected entities in every state, one muted and one retired", async () => {
    const entities = await demo.list("/entities");
    expect(values(entities, "state")).toEqual(new Set(entityStates));
    expect(entities.filter(({ muted_until }: Item) => muted_until !== null)).toHaveLength(1);
    expect(entities.filter(({ is_retired }: Item) => is_retired)).toHaveLength(1);
    const states = entities.map(({ state }: Item) => state);
    expect(states.filter((state: unknown) => state === "never").length).toBeWithin(1, 5);
  });

  test("has webhooks of every kind, one that the service has switched off after its attempts", async () => {
    const webhooks = await demo.list("/webhooks");
    expect(values(webhooks, "kind")).toEqual(new Set(webhookKinds));
    const [off] = webhooks.filter(({ disabled_reason }: Item) => disabled_reason !== null);
    expect(off).toMatchObject({ is_enabled: false, last_success_timestamp: null });
    expect(off.disabled_reason).toStartWith("Nothing was delivered for 5 days");
    expect(off.failures_in_a_row).toBeGreaterThanOrEqual(20);
    const deliveries = await demo.list("/webhook-deliveries");
    expect(values(deliveries, "state")).toEqual(new Set(["delivered", "failed", "dropped"]));
    const given = deliveries.find(({ state }: Item) => state === "failed");
    expect(given).toMatchObject({ webhook_id: off.id, attempt_count: 10, attempts: { length: 10 } });
    const times = deliveries.map(({ created_timestamp }: Item) => created_timestamp);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("sends nothing, whatever its tasks do and whatever is switched on: no name is even asked for", async () => {
    const before = await demo.list("/webhook-deliveries");
    const webhooks = await demo.list("/webhooks");
    // All of them hear of what happens in the lowest of their units.
    const { organizational_unit_id } = webhooks.find((webhook: Item) => webhook.organizational_unit_id !== root);
    const failed = { category: "backup", type: "restic_backup", status: "failed", organizational_unit_id };
    const error = { code: "wrong_password", message: "Wrong password.", remedy: "Use the right one." };
    expect((await demo.change("/tasks", "POST", { ...failed, error })).status).toBe(201);
    await demo.sending.deliver();
    expect(await demo.list("/webhook-deliveries")).toEqual(before);
    for (const { id, kind } of webhooks) {
      const patched = await demo.change(`/webhooks/${id}`, "PATCH", {
        is_enabled: true,
        events: ["task.failed"],
        filter: null,
      });
      expect([kind, patched.status]).toEqual([kind, 200]);
    }
    expect((await demo.change("/tasks", "POST", { ...failed, error })).status).toBe(201);
    await demo.sending.deliver();
    const after = await demo.list("/webhook-deliveries");
    const added = after.slice(0, after.length - before.length);
    expect(values(added, "webhook_id")).toEqual(values(webhooks, "id"));
    expect(values(added, "state")).toEqual(new Set(["waiting"]));
    expect(demo.askedNames).toEqual([]);
  });
});

test.each([2, 3, 4])("all of it is there whatever the seed: %d", async (seed) => {
  const demo = await openDemo(seed, 50);
  await demo.pass(0);
  expect(values(await demo.list("/monitors"), "state")).toEqual(new Set(monitorStates));
  expect(values(await demo.list("/entities"), "state")).toEqual(new Set(entityStates));
  expect(values(await demo.list("/tasks"), "outcome")).toEqual(new Set([null, ...taskOutcomes]));
  const reasons = values(await demo.list("/webhooks"), "disabled_reason");
  expect([...reasons].filter((reason) => reason !== null)).toHaveLength(1);
  await demo.close();
});

test("what was to run while nothing listened is not called missed", async () => {
  const demo = await openDemo(1, 50);
  const misses = (tasks: Item[]) => tasks.filter(({ outcome }) => outcome === "missed").length;
  const before = misses(await demo.list("/tasks"));
  demo.plane.clock.now = until + 3 * 24 * hour;
  await demo.pass(0);
  const monitors = await demo.list("/monitors");
  expect(monitors.filter(({ last_unwatched_timestamp }: Item) => last_unwatched_timestamp !== null)).not.toEqual([]);
  expect(misses(await demo.list("/tasks"))).toBe(before);
  await demo.close();
});
