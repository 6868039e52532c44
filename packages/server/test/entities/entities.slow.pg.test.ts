import { afterAll, describe, expect, test } from "bun:test";
import { removeOldTasks } from "../../src/resources/tasks/retention";
import { startMissedRunDetector } from "../../src/workers/missed-run-detector";
import { startUnmuting } from "../../src/workers/unmute";
import { root } from "../harness";
import { openReportingPlane } from "../reports/reporting-plane";
import { at, someError } from "../reports/shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: operator } = await plane.serviceToken("operator", root, 90 * 86_400_000);
const { token: admin } = await plane.serviceToken("admin", root, 90 * 86_400_000);
const mutes = startUnmuting(plane.service);
afterAll(mutes.stop);

let hosts = 0;
/** A host that no other test has. */
const newHost = () => {
  hosts += 1;
  return { type: "host", id: `host-${hosts}`, value: `Host ${hosts}.example.org` };
};
type Host = ReturnType<typeof newHost>;

const ask = (path: string) => plane.ask(path, { token: operator });
const filter = (conditions: object) => `filter=${encodeURIComponent(JSON.stringify(conditions))}`;
async function find({ id }: Host) {
  const { body } = await ask(`/entities?${filter({ "primary_entity.id": id })}`);
  expect(body.total_count).toBeLessThanOrEqual(1);
  return body._embedded.items[0];
}
const run = async (primary_entity: Host, body: object = {}) =>
  (await plane.create({ primary_entity, status: "completed", ...body })).body.id;
const failed = { status: "failed", error: someError };
const evidence = (task_id: string, outcome: string, milliseconds = 0) => ({
  task_id,
  outcome,
  end_timestamp: at(plane, milliseconds),
});
const watch = (host: Host, body: object = {}) =>
  plane.ask("/monitors", {
    method: "POST",
    token: admin,
    body: {
      name: `watches ${host.id} ${crypto.randomUUID()}`,
      primary_entity: host,
      schedule: { period_seconds: 3600 },
      ...body,
    },
  });
const change = (id: string, body: object, token = operator) =>
  plane.ask(`/entities/${id}`, { method: "PATCH", token, body });

describe("what is known of an entity", () => {
  test("the first task makes it, and it is shown whole", async () => {
    const host = newHost();
    const { id: begun } = (await plane.create({ primary_entity: host })).body;
    const shown = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      primary_entity: host,
      organizational_unit_id: root,
      state: "never",
      last_run: null,
      last_good_backup: null,
      last_incomplete_backup: null,
      last_restore: null,
      expected_period_seconds: null,
      monitor_ids: [],
      recent_outcomes: [],
      operations: [],
      first_seen_timestamp: at(plane),
      muted_until: null,
      is_retired: false,
      _links: { self: { href: expect.any(String), templated: false, type: "get" } },
    };
    const before = await find(host);
    expect(before).toEqual(shown);
    const created = at(plane);
    plane.step(60_000);
    await plane.update(begun, { status: "completed", outcome: "warning", error: someError });
    plane.step(60_000);
    const good = await run(host);
    const restored = await run(host, { category: "restore" });
    await run(host, { category: "system", type: "prune" });
    const facts = {
      last_run: evidence(good, "success"),
      last_good_backup: evidence(good, "success"),
      last_incomplete_backup: evidence(begun, "warning", -60_000),
      recent_outcomes: [
        { task_id: begun, outcome: "warning", created_timestamp: created },
        { task_id: good, outcome: "success", created_timestamp: at(plane) },
      ],
    };
    const after = {
      ...shown,
      state: "unwatched",
      ...facts,
      last_restore: evidence(restored, "success"),
      operations: [
        {
          operation: "restic_backup",
          type: "restic_backup",
          state: "unwatched",
          ...facts,
          monitor_ids: [],
          is_retired: false,
        },
      ],
      first_seen_timestamp: created,
    };
    expect(await find(host)).toEqual(after);
    expect((await ask(before._links.self.href)).body).toEqual(after);
  });

  test.each([
    ["success", {}, "unwatched"],
    ["warning", { outcome: "warning", error: someError }, "incomplete"],
    ["error", failed, "failing"],
    ["lost", { ...failed, outcome: "lost" }, "failing"],
    ["cancelled", { status: "aborted" }, "unwatched"],
    ["an interruption", { status: "aborted", outcome: "error", error: someError }, "failing"],
    ["a failed restore", { category: "restore", ...failed }, "unwatched"],
    ["a failed snapshot", { category: "snapshot", ...failed }, "failing"],
  ])("after a good backup, %s makes it so", async (_, body, state) => {
    const host = newHost();
    await run(host);
    plane.step(1000);
    await run(host, body);
    expect((await find(host)).state).toBe(state);
  });

  test.each([failed, { status: "aborted" }, { category: "system" }, { category: "restore" }])(
    "without any backup that ended well it is never, whatever else there was: %j",
    async (body) => {
      const host = newHost();
      await run(host, body);
      expect((await find(host)).state).toBe("never");
    },
  );

  test("a task that expires, and one that is missed, make it missed", async () => {
    const host = newHost();
    await run(host);
    await plane.create({ primary_entity: host, status: "queued", start_by_seconds: 60 });
    await plane.pass(125);
    expect(await find(host)).toMatchObject({ state: "missed", last_run: { outcome: "expired" } });
    const other = newHost();
    await plane.addTasks([
      { primary_entity: other, end_timestamp: at(plane, -5000) },
      { primary_entity: other, status: "failed", outcome: "missed", end_timestamp: at(plane) },
    ]);
    expect((await find(other)).state).toBe("missed");
  });

  test("what is reported late counts when it happened: an older end changes nothing", async () => {
    const host = newHost();
    const good = await run(host);
    const late = await run(host, { ...failed, age_ms: 3_600_000 });
    expect(await find(host)).toMatchObject({
      state: "unwatched",
      last_run: { task_id: good },
      recent_outcomes: [{ task_id: late }, { task_id: good }],
      first_seen_timestamp: at(plane, -3_600_000),
    });
  });

  test("a lost task that is heard of again takes its loss back, and its end stands where it happened", async () => {
    const host = newHost();
    const good = await run(host);
    plane.step(1000);
    const { id } = (await plane.create({ primary_entity: host, lease_seconds: 30 })).body;
    await plane.pass(31);
    expect(await find(host)).toMatchObject({ state: "failing", last_run: { task_id: id, outcome: "lost" } });
    await plane.update(id, {});
    expect(await find(host)).toMatchObject({
      state: "unwatched",
      last_run: { task_id: good },
      recent_outcomes: [{ task_id: good }],
    });
    await plane.pass(31);
    expect((await find(host)).state).toBe("failing");
    await plane.update(id, { status: "completed", outcome: "warning", error: someError, age_ms: 40_000 });
    expect(await find(host)).toMatchObject({
      state: "incomplete",
      last_run: evidence(id, "warning", -40_000),
      last_good_backup: { task_id: good },
    });
  });

  test("many lost tasks that are heard of again take all of their losses back, and older tasks are looked for", async () => {
    const host = newHost();
    const good = await plane.addTasks(
      Array.from({ length: 45 }, (_, index) => ({
        primary_entity: host,
        created_timestamp: at(plane, index - 100_000),
      })),
    );
    const lost = Array.from({ length: 40 }, () => crypto.randomUUID());
    const body = { category: "backup", type: "tar_create", primary_entity: host, ...failed, outcome: "lost" };
    await plane.batch(lost.map((id) => ({ operation: "create", task_id: id, body: { ...body, id } })));
    expect((await find(host)).state).toBe("failing");
    // In several groups: what is kept beside the row runs out before the last.
    for (let from = 0; from < lost.length; from += 10) {
      await plane.batch(lost.slice(from, from + 10).map((task_id) => ({ operation: "update", task_id, body: {} })));
    }
    const { state, last_run, recent_outcomes } = await find(host);
    expect({ state, last_run: last_run.task_id }).toEqual({ state: "unwatched", last_run: good.at(-1)?.id });
    expect(recent_outcomes.map(({ task_id }: { task_id: string }) => task_id)).toEqual(
      good.slice(-30).map(({ id }) => id),
    );
  });

  test("several tasks of one entity in one group of reports are taken in together", async () => {
    const host = newHost();
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const create = (id: string) => ({
      operation: "create",
      task_id: id,
      body: { id, category: "backup", type: "tar_create", primary_entity: host, age_ms: 2000 },
    });
    await plane.batch([
      create(one),
      create(two),
      { operation: "update", task_id: two, body: { status: "completed", age_ms: 1000 } },
      { operation: "update", task_id: one, body: failed },
    ]);
    expect(await find(host)).toMatchObject({
      state: "failing",
      last_run: { task_id: one },
      last_good_backup: { task_id: two },
    });
  });

  test("a task that turns out to protect something else leaves nothing behind", async () => {
    const [wrong, right] = [newHost(), newHost()];
    const { id } = (await plane.create({ primary_entity: wrong })).body;
    await plane.update(id, { primary_entity: right });
    expect(await find(wrong)).toBeUndefined();
    await plane.update(id, { status: "completed" });
    expect(await find(right)).toMatchObject({ state: "unwatched", last_run: { task_id: id } });
  });

  test("the newest task names it, and the same id of another type is another entity", async () => {
    const host = newHost();
    await run(host);
    await run({ ...host, value: "renamed" }, { age_ms: 60_000 });
    expect((await find(host)).primary_entity.value).toBe(host.value);
    plane.step(1);
    await run({ ...host, value: "Renamed" });
    expect((await find(host)).primary_entity.value).toBe("Renamed");
    await run({ ...host, type: "disk" });
    expect((await ask(`/entities?${filter({ "primary_entity.id": host.id })}`)).body.total_count).toBe(2);
  });

  test("at most 30 outcomes are shown, the newest", async () => {
    const host = newHost();
    const made = await plane.addTasks(
      Array.from({ length: 70 }, (_, index) => ({ primary_entity: host, created_timestamp: at(plane, index * 1000) })),
    );
    const { recent_outcomes } = await find(host);
    expect(recent_outcomes.map(({ task_id }: { task_id: string }) => task_id)).toEqual(
      made.slice(-30).map(({ id }) => id),
    );
  });
});

describe("monitors", () => {
  test("one that expects it makes it good; paused, without a schedule or deleted, it does not", async () => {
    const host = newHost();
    const { id } = (await watch(host)).body;
    await run(host, { monitor_id: id });
    expect(await find(host)).toMatchObject({
      state: "good",
      monitor_ids: [id],
      expected_period_seconds: 3600,
      operations: [{ state: "good", monitor_ids: [id] }],
    });
    const update = (body: object) => plane.ask(`/monitors/${id}`, { method: "PATCH", token: admin, body });
    await update({ paused_until: at(plane, 3_600_000) });
    expect(await find(host)).toMatchObject({ state: "unwatched", monitor_ids: [id], expected_period_seconds: null });
    await update({ paused_until: null });
    expect((await find(host)).state).toBe("good");
    await update({ schedule: null });
    expect((await find(host)).state).toBe("unwatched");
    await update({ schedule: { cron: "0 3 * * *" } });
    expect(await find(host)).toMatchObject({ state: "good", expected_period_seconds: null });
    await update({ primary_entity: newHost() });
    expect(await find(host)).toMatchObject({ state: "good", monitor_ids: [id] });
    await plane.ask(`/monitors/${id}`, { method: "DELETE", token: admin });
    expect(await find(host)).toMatchObject({ state: "unwatched", monitor_ids: [] });
  });

  test("a pause that the service ends, and one that a run finds over, make it good again", async () => {
    const hosts = [newHost(), newHost()] as const;
    const ids: string[] = [];
    for (const host of hosts) {
      const { id } = (await watch(host, { paused_until: at(plane, 10_000) })).body;
      ids.push(id);
      await run(host, { monitor_id: id });
      expect((await find(host)).state).toBe("unwatched");
    }
    plane.step(10_000);
    await plane.create({ primary_entity: hosts[0], monitor_id: ids[0] });
    expect((await find(hosts[0])).state).toBe("good");
    const service = startMissedRunDetector({ ...plane.service, monotonic: () => plane.clock.now });
    await service.sweep();
    await service.stop();
    expect((await find(hosts[1])).state).toBe("good");
  });

  test("one of another unit does not watch it", async () => {
    const host = newHost();
    await run(host);
    await watch(host, { organizational_unit_id: await plane.addUnit(`Elsewhere ${host.id}`) });
    expect((await find(host)).state).toBe("unwatched");
  });

  test("a run of a monitor is watched by it, whatever the monitor itself names", async () => {
    const [host, other] = [newHost(), newHost()];
    const { id } = (await watch(other)).body;
    await run(host, { monitor_id: id });
    expect(await find(host)).toMatchObject({ state: "good", monitor_ids: [id] });
  });
});

describe("attention", () => {
  test("a mute ends when its moment comes, by itself", async () => {
    const host = newHost();
    await run(host, failed);
    const { id } = await find(host);
    const muted = await change(id, { muted_until: at(plane, 60_000) });
    expect([muted.status, muted.body.muted_until]).toEqual([200, at(plane, 60_000)]);
    const isMuted = async () => {
      const answers = [true, false].map(async (is_muted) => {
        const { body } = await ask(`/entities?${filter({ "primary_entity.id": host.id, is_muted })}`);
        return body.total_count;
      });
      return Promise.all(answers);
    };
    expect(await isMuted()).toEqual([1, 0]);
    plane.step(59_999);
    await mutes.run();
    expect(await isMuted()).toEqual([1, 0]);
    plane.step(1);
    await mutes.run();
    expect(await isMuted()).toEqual([0, 1]);
    expect((await find(host)).muted_until).toBeNull();
  });

  test("a mute that is over, no timestamp and an unknown field are refused; null ends one", async () => {
    const host = newHost();
    await run(host);
    const { id } = await find(host);
    for (const body of [{ muted_until: at(plane) }, { muted_until: "soon" }, { is_retired: 1 }, { state: "good" }]) {
      expect((await change(id, body)).status).toBe(422);
    }
    await change(id, { muted_until: at(plane, 1), is_retired: true });
    expect((await change(id, { muted_until: null })).body).toMatchObject({ muted_until: null, is_retired: true });
  });

  test("a new task ends retirement; progress of one that was there does not", async () => {
    const host = newHost();
    const { id: running } = (await plane.create({ primary_entity: host })).body;
    const { id } = await find(host);
    await change(id, { is_retired: true });
    await plane.update(running, { progress_percentage: 50 });
    await plane.update(running, { status: "completed" });
    expect(await find(host)).toMatchObject({ is_retired: true, state: "unwatched" });
    await plane.create({ primary_entity: host });
    expect((await find(host)).is_retired).toBe(false);
  });

  test("a change is audited with what was said before and after; If-Match does not look at what tasks change", async () => {
    const host = newHost();
    await run(host);
    const { id } = await find(host);
    const etag = (await ask(`/entities/${id}`)).headers.get("etag") ?? "";
    await run(host, failed);
    const send = () =>
      plane.ask(`/entities/${id}`, {
        method: "PATCH",
        token: operator,
        headers: { "If-Match": etag },
        body: { is_retired: true },
      });
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(412);
    const events = await plane.ask(`/audit-events?${filter({ object_id: id })}`, { token: admin });
    expect(events.body._embedded.items).toMatchObject([
      {
        operation: "update-entity",
        object: { type: "entity", id },
        organizational_unit_id: root,
        before: { primary_entity: host, muted_until: null, is_retired: false },
        after: { primary_entity: host, muted_until: null, is_retired: true },
      },
    ]);
  });

  test("a viewer reads and may not mute, a reporter does neither", async () => {
    const { id } = (await ask("/entities?limit=1")).body._embedded.items[0];
    const { token: viewer } = await plane.serviceToken("viewer");
    expect((await plane.ask(`/entities/${id}`, { token: viewer })).status).toBe(200);
    expect((await change(id, { is_retired: true }, viewer)).status).toBe(403);
    expect((await plane.ask("/entities", { token: plane.runner })).status).toBe(403);
    expect((await plane.ask("/entity-counts", { token: plane.runner })).status).toBe(403);
  });
});

describe("units", () => {
  test("what moves to another unit is joined with the same entity there", async () => {
    const host = newHost();
    const [from, to] = [await plane.addUnit(`From ${host.id}`), await plane.addUnit(`To ${host.id}`)];
    const good = await run(host, { organizational_unit_id: from, age_ms: 5000 });
    const there = await run(host, { organizational_unit_id: to, ...failed });
    await run(newHost(), { organizational_unit_id: from });
    const { token: owner } = await plane.serviceToken("owner");
    const moved = await plane.ask(`/organizational-units/${from}?move_to=${to}`, { method: "DELETE", token: owner });
    expect(moved.status).toBe(204);
    const { body } = await plane.ask("/entities", { token: owner, unit: to });
    expect(body.total_count).toBe(2);
    expect(await find(host)).toMatchObject({
      state: "failing",
      organizational_unit_id: to,
      last_run: { task_id: there },
      last_good_backup: evidence(good, "success", -5000),
    });
  });

  test("a unit with entities whose tasks are gone is deleted only once they are retired", async () => {
    const host = newHost();
    const unit = await plane.addUnit(`Old ${host.id}`);
    await plane.addTasks([
      { primary_entity: host, organizational_unit_id: unit, created_timestamp: "2020-01-01T00:00:00.000Z" },
    ]);
    await removeOldTasks(plane.database, { days: 1000, now: plane.clock.now, record: async () => {} });
    expect((await find(host)).state).toBe("unwatched");
    const { token: owner } = await plane.serviceToken("owner");
    const remove = () => plane.ask(`/organizational-units/${unit}`, { method: "DELETE", token: owner });
    expect((await remove()).status).toBe(409);
    await change((await find(host)).id, { is_retired: true });
    expect((await remove()).status).toBe(204);
    expect(await find(host)).toBeUndefined();
  });
});

test("the counts are those of the list, by state, and follow its filters", async () => {
  const host = newHost();
  await run(host);
  await change((await find(host)).id, { muted_until: new Date(plane.clock.now + 3_600_000).toISOString() });
  for (const conditions of [{}, { is_retired: false }, { is_muted: true }, { "primary_entity.type": "host" }]) {
    const { body } = await ask(`/entity-counts?${filter(conditions)}`);
    expect(body._embedded.items).not.toEqual([]);
    for (const { state, count } of body._embedded.items) {
      const list = await ask(`/entities?limit=1&${filter({ ...conditions, state })}`);
      expect([state, list.body.total_count]).toEqual([state, count]);
    }
    const sum = body._embedded.items.reduce((total: number, { count }: { count: number }) => total + count, 0);
    expect(sum).toBe((await ask(`/entities?limit=1&${filter(conditions)}`)).body.total_count);
  }
});
