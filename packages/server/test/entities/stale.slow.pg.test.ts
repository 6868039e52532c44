import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { startStaleMarking } from "../../src/workers/mark-stale";
import { startMissedRunDetector } from "../../src/workers/missed-run-detector";
import type { PeriodicWorker } from "../../src/workers/periodic-worker";
import { root } from "../harness";
import { at, someError } from "../reports/shapes";
import { openWebhookPlane } from "../webhooks/webhook-plane";

const plane = await openWebhookPlane();
afterAll(plane.close);
const clock = () => plane.clock.now;
let monotonic = 0;
const expecting = startMissedRunDetector({ ...plane.service, clock, monotonic: () => monotonic });
afterAll(expecting.stop);
const watches: PeriodicWorker[] = [];
const watchWith = (staleAfterDays: number) => {
  const watch = startStaleMarking({ ...plane.service, clock, staleAfterDays });
  watches.push(watch);
  return watch;
};
afterAll(async () => {
  for (const watch of watches) await watch.stop();
});
const silence = watchWith(7);
const { token: owner } = await plane.serviceToken("owner", root, 700 * 86_400_000);
beforeAll(expecting.sweep);

const hour = 3_600_000;
const day = 24 * hour;

let hosts = 0;
/** A host that no other test has. */
const newHost = () => {
  hosts += 1;
  return { type: "host", id: `host-${hosts}`, value: `Host ${hosts}` };
};
type Host = ReturnType<typeof newHost>;

const good = { status: "completed" };
const warned = { status: "completed", outcome: "warning", error: someError };
const failed = { status: "failed", error: someError };
const report = (primary_entity: Host, body: object = good) =>
  plane.ask("/tasks", {
    method: "POST",
    token: owner,
    body: { category: "backup", type: "restic_backup", primary_entity, ...body },
  });

async function find({ id }: Host): Promise<EntityV1> {
  const filter = encodeURIComponent(JSON.stringify({ "primary_entity.id": id }));
  return (await plane.ask(`/entities?filter=${filter}`, { token: owner })).body._embedded.items[0];
}
const stateOf = async (host: Host) => (await find(host)).state;

/** Time passes in which the service listens. */
async function listen(milliseconds: number): Promise<void> {
  plane.clock.now += milliseconds;
  monotonic += milliseconds;
  await plane.database.change((db) => db.updateTable("listening").set({ noted_at: plane.clock.now }).execute());
  await silence.run();
}

/** Time passes in which the service is down; then it starts. */
async function beDown(milliseconds: number): Promise<void> {
  plane.clock.now += milliseconds;
  monotonic += milliseconds;
  await expecting.sweep();
  await silence.run();
}

const eventsAbout = async ({ id }: Host) => {
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("webhook_deliveries").select("payload").where("event", "=", "entity.stale").execute(),
  );
  return rows.map(({ payload }) => JSON.parse(payload)).filter(({ data }) => data.entity.primary_entity.id === id);
};

describe("what no monitor watches", () => {
  test("is stale once its last good backup is older than the setting says, and a new one ends that", async () => {
    const host = newHost();
    await report(host);
    await listen(7 * day);
    expect(await stateOf(host)).toBe("unwatched");
    await listen(1);
    expect(await find(host)).toMatchObject({ state: "stale", operations: [{ state: "stale" }] });
    await report(host);
    expect(await stateOf(host)).toBe("unwatched");
  });

  test("is stale also if its runs end with warnings, but a failure or a missed run is worse", async () => {
    const [incomplete, failing, never] = [newHost(), newHost(), newHost()];
    for (const host of [incomplete, failing]) await report(host);
    await report(never, warned);
    await listen(8 * day);
    await report(incomplete, warned);
    await report(failing, failed);
    expect([await stateOf(incomplete), await stateOf(failing), await stateOf(never)]).toEqual([
      "stale",
      "failing",
      "incomplete",
    ]);
  });

  test("is judged for each operation: one that still runs does not hide one that does not", async () => {
    const host = newHost();
    await report(host, { ...good, operation: "etc" });
    await listen(6 * day);
    await report(host, { ...good, operation: "home" });
    await listen(2 * day);
    expect(await find(host)).toMatchObject({
      state: "stale",
      operations: [
        { operation: "etc", state: "stale" },
        { operation: "home", state: "unwatched" },
      ],
    });
    const body = { operations: [{ operation: "etc", is_retired: true }] };
    const retired = await plane.ask(`/entities/${(await find(host)).id}`, { method: "PATCH", token: owner, body });
    expect(retired.body.state).toBe("unwatched");
  });

  test("is not stale if a monitor watches it, until that is removed", async () => {
    const host = newHost();
    const schedule = { period_seconds: 60 * 86_400 };
    const body = { name: crypto.randomUUID(), primary_entity: host, schedule };
    const { id } = (await plane.ask("/monitors", { method: "POST", token: owner, body })).body;
    await report(host, { ...good, monitor_id: id });
    await listen(20 * day);
    expect(await stateOf(host)).toBe("good");
    await plane.ask(`/monitors/${id}`, { method: "DELETE", token: owner });
    await silence.run();
    expect(await stateOf(host)).toBe("stale");
  });
});

describe("the service's own silence", () => {
  test("time in which it was down does not count", async () => {
    const host = newHost();
    await report(host);
    await listen(5 * day);
    await beDown(5 * day);
    // Long enough for all that was spooled.
    await listen(1.5 * day);
    expect(await stateOf(host)).toBe("unwatched");
    await listen(0.6 * day);
    expect(await stateOf(host)).toBe("stale");
  });

  test("what was spooled while it was down has time to arrive", async () => {
    const host = newHost();
    await report(host);
    await listen(6.5 * day);
    await beDown(5 * day);
    expect(await stateOf(host)).toBe("unwatched");
    await listen(0.6 * day);
    expect(await stateOf(host)).toBe("unwatched");
    await listen(0.5 * day);
    expect(await stateOf(host)).toBe("stale");
  });

  test("a report that arrives after a start keeps an item from being called stale", async () => {
    const host = newHost();
    await report(host);
    await listen(7 * day - hour);
    await beDown(3 * day);
    await listen(2 * hour);
    expect(await stateOf(host)).toBe("unwatched");
    await report(host, { ...good, age_ms: 2 * day });
    await listen(3 * day);
    expect(await stateOf(host)).toBe("unwatched");
  });

  test("a clock that jumps ahead, and back again, makes nothing stale and nothing fresh", async () => {
    const [fresh, old] = [newHost(), newHost()];
    await report(old);
    await listen(8 * day);
    await report(fresh);
    await listen(day);
    plane.clock.now += 40 * day;
    await silence.run();
    expect([await stateOf(fresh), await stateOf(old)]).toEqual(["unwatched", "stale"]);
    monotonic += 10_000;
    await expecting.sweep();
    await silence.run();
    expect([await stateOf(fresh), await stateOf(old)]).toEqual(["unwatched", "stale"]);
    plane.clock.now -= 40 * day;
    await expecting.sweep();
    await silence.run();
    expect([await stateOf(fresh), await stateOf(old)]).toEqual(["unwatched", "stale"]);
    await listen(2 * hour);
    expect([await stateOf(fresh), await stateOf(old)]).toEqual(["unwatched", "stale"]);
  });
});

describe("stale_after_days", () => {
  const update = (unit: string, stale_after_days: number | null) =>
    plane.ask(`/organizational-units/${unit}`, { method: "PATCH", token: owner, body: { stale_after_days } });

  test("of a unit holds in it and below, and a change takes effect in both directions", async () => {
    const host = newHost();
    const above = await plane.addUnit(`Above ${host.id}`);
    const unit = await plane.addUnit(`Unit ${host.id}`, above);
    await report(host, { ...good, organizational_unit_id: unit });
    await listen(3 * day);
    const states: string[] = [];
    const steps: [string, number | null][] = [
      [above, 2],
      [unit, 4],
      [unit, null],
      [above, 0],
      [unit, 1],
      [unit, null],
      [above, null],
    ];
    for (const [id, days] of steps) {
      expect((await update(id, days)).body.stale_after_days).toBe(days);
      await silence.run();
      states.push(await stateOf(host));
    }
    expect(states).toEqual(["stale", "unwatched", "stale", "unwatched", "stale", "unwatched", "unwatched"]);
  });

  test("of the service takes effect when it is another one", async () => {
    const host = newHost();
    await report(host);
    await listen(10 * day);
    expect(await stateOf(host)).toBe("stale");
    await watchWith(30).run();
    expect(await stateOf(host)).toBe("unwatched");
    await watchWith(9).run();
    expect(await stateOf(host)).toBe("stale");
    await watchWith(0).run();
    expect(await stateOf(host)).toBe("unwatched");
    await silence.run();
    expect(await stateOf(host)).toBe("stale");
  });

  test("is shown with the unit, set when it is made, audited, and refused as anything else", async () => {
    const body = { name: "With a number of days", stale_after_days: 0 };
    const made = await plane.ask("/organizational-units", { method: "POST", token: owner, body });
    expect([made.status, made.body.stale_after_days]).toEqual([201, 0]);
    for (const odd of [-1, 3651, 1.5, "7", true]) {
      const answer = await plane.ask(`/organizational-units/${made.body.id}`, {
        method: "PATCH",
        token: owner,
        body: { stale_after_days: odd },
      });
      expect([odd, answer.status, answer.body.errors[0].field]).toEqual([odd, 422, "/stale_after_days"]);
    }
    await update(made.body.id, 14);
    const filter = encodeURIComponent(JSON.stringify({ object_id: made.body.id }));
    const { body: events } = await plane.ask(`/audit-events?filter=${filter}`, { token: owner });
    const [newest] = events._embedded.items;
    expect([newest.before, newest.after]).toEqual([
      { id: made.body.id, name: body.name, stale_after_days: 0 },
      { id: made.body.id, name: body.name, stale_after_days: 14 },
    ]);
  });
});

describe("entity.stale", () => {
  test("is sent once, with the item instead of a task, to webhooks that ask for it and whose filter matches", async () => {
    const [host, other] = [newHost(), newHost()];
    const events = ["entity.stale"];
    const filter = { "primary_entity.id": host.id };
    await plane.addWebhook({ name: "Matches", events, filter }, { token: owner });
    await plane.addWebhook({ name: "Runs only", events, filter: { outcome: "error" } }, { token: owner });
    await plane.addWebhook({ name: "Others", events: ["task.failed"] }, { token: owner });
    for (const one of [host, other]) await report(one);
    await listen(8 * day);
    await listen(day);
    expect(await eventsAbout(other)).toEqual([]);
    expect(await eventsAbout(host)).toEqual([
      {
        type: "entity.stale",
        timestamp: at(plane, -day),
        data: {
          task: null,
          monitor: null,
          organizational_unit: { id: root, name: expect.any(String) },
          entity: await find(host),
        },
      },
    ]);
    await plane.deliveries.deliver();
    const sent = plane.receiver.received.map(({ body }) => JSON.parse(body));
    expect(sent).toMatchObject([
      { type: "entity.stale", data: { entity: { primary_entity: host }, base_url: plane.service.baseUrl } },
    ]);
  });

  test("is followed by entity.good for people once there is a good backup again", async () => {
    const host = newHost();
    const filter = { "primary_entity.id": host.id };
    const url = `${plane.receiver.url}/stale-chat`;
    await plane.addWebhook({ name: "Chat", kind: "slack", url, events: ["entity.stale"], filter }, { token: owner });
    await report(host);
    await listen(8 * day);
    await report(host);
    await plane.deliveries.deliver();
    const chat = plane.receiver.received.filter(({ path }) => path === "/stale-chat");
    expect(chat.map(({ body }) => JSON.parse(body).text.split("\n")[0])).toEqual([
      expect.stringContaining("has had no good backup for too long"),
      expect.stringContaining("is good again"),
    ]);
  });

  test("is not sent for what is muted or retired", async () => {
    const [muted, retired] = [newHost(), newHost()];
    const events = ["entity.stale"];
    await plane.addWebhook({ name: "All", events }, { token: owner });
    for (const one of [muted, retired]) await report(one);
    const change = async (host: Host, body: object) =>
      plane.ask(`/entities/${(await find(host)).id}`, { method: "PATCH", token: owner, body });
    await change(muted, { muted_until: at(plane, 90 * day) });
    await change(retired, { is_retired: true });
    await listen(8 * day);
    expect([await stateOf(muted), await eventsAbout(muted), await eventsAbout(retired)]).toEqual(["stale", [], []]);
  });
});
