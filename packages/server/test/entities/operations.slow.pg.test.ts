import { afterAll, describe, expect, test } from "bun:test";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { root } from "../harness";
import { openReportingPlane } from "../reports/reporting-plane";
import { refusal, someError } from "../reports/shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: operator } = await plane.serviceToken("operator", root, 90 * 86_400_000);
const { token: owner } = await plane.serviceToken("owner", root, 90 * 86_400_000);

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
const cancelled = { status: "aborted" };

/** Reports a run that has ended, a second after what was before. */
async function run(primary_entity: Host, operation: string, end: object = good, body: object = {}): Promise<string> {
  plane.step(1000);
  const { status, body: made } = await plane.create({ primary_entity, operation, ...end, ...body });
  expect(status).toBe(201);
  return made.id;
}

async function find({ id }: Host): Promise<EntityV1> {
  const filter = encodeURIComponent(JSON.stringify({ "primary_entity.id": id }));
  const { body } = await plane.ask(`/entities?filter=${filter}`, { token: operator });
  expect(body.total_count).toBe(1);
  return body._embedded.items[0];
}

/** The state of an item, and of each of its operations. */
async function states(host: Host): Promise<unknown[]> {
  const { state, operations } = await find(host);
  return [state, Object.fromEntries(operations.map((one) => [one.operation, one.state]))];
}

const change = async (host: Host, body: object) =>
  plane.ask(`/entities/${(await find(host)).id}`, { method: "PATCH", token: operator, body });
const retire = (host: Host, operation: string, is_retired = true) =>
  change(host, { operations: [{ operation, is_retired }] });
const watch = async (primary_entity: Host, body: object = {}) =>
  (
    await plane.ask("/monitors", {
      method: "POST",
      token: owner,
      body: { name: crypto.randomUUID(), primary_entity, schedule: { period_seconds: 86_400 * 30 }, ...body },
    })
  ).body;

describe("the state of an item", () => {
  test("a failing backup stays failing, whatever else succeeds on the same item", async () => {
    const host = newHost();
    const before = await run(host, "restic_backup");
    const failing = await run(host, "restic_backup", failed);
    const other = await run(host, "true");
    expect(await states(host)).toEqual(["failing", { restic_backup: "failing", true: "unwatched" }]);
    expect(await find(host)).toMatchObject({
      last_run: { task_id: other },
      last_good_backup: { task_id: other },
      operations: [
        { operation: "restic_backup", last_run: { task_id: failing }, last_good_backup: { task_id: before } },
        { operation: "true", last_run: { task_id: other }, recent_outcomes: [{ task_id: other }] },
      ],
    });
  });

  test("two jobs that fail in turn do not hide each other", async () => {
    const host = newHost();
    const shown: unknown[] = [];
    for (const [one, other] of [
      [good, failed],
      [failed, good],
      [good, failed],
      [good, good],
    ]) {
      await run(host, "etc", one);
      await run(host, "home", other);
      shown.push((await find(host)).state);
    }
    expect(shown).toEqual(["failing", "failing", "failing", "unwatched"]);
  });

  test("an operation that never succeeded is a failure if another one has a backup, and never before", async () => {
    const host = newHost();
    await run(host, "etc", failed);
    expect(await states(host)).toEqual(["never", { etc: "never" }]);
    await run(host, "home", warned);
    expect(await states(host)).toEqual(["failing", { etc: "never", home: "incomplete" }]);
    await run(host, "etc");
    expect(await states(host)).toEqual(["incomplete", { home: "incomplete", etc: "unwatched" }]);
  });

  test("one of which all runs were cancelled says nothing", async () => {
    const host = newHost();
    await run(host, "etc", cancelled);
    expect(await states(host)).toEqual(["never", { etc: "never" }]);
    await run(host, "home");
    expect(await states(host)).toEqual(["unwatched", { etc: "never", home: "unwatched" }]);
  });

  test("it is the worst of its operations", async () => {
    const host = newHost();
    const { slug } = await watch(host);
    await run(host, slug, good, { monitor_id: slug });
    expect((await find(host)).state).toBe("good");
    await run(host, "unwatched");
    expect((await find(host)).state).toBe("unwatched");
    await run(host, "incomplete", warned);
    expect((await find(host)).state).toBe("incomplete");
    await run(host, "missed");
    await plane.addTasks([
      {
        primary_entity: host,
        operation: "missed",
        status: "failed",
        outcome: "missed",
        created_timestamp: new Date(plane.clock.now + 1000).toISOString(),
        end_timestamp: new Date(plane.clock.now + 1000).toISOString(),
      },
    ]);
    expect((await find(host)).state).toBe("missed");
    await run(host, "failing");
    await run(host, "failing", failed);
    expect((await find(host)).state).toBe("failing");
    expect((await find(host)).operations.map(({ state }) => state)).toEqual([
      "failing",
      "missed",
      "incomplete",
      "unwatched",
      "good",
    ]);
  });

  test("restores, checks and system tasks form no operation", async () => {
    const host = newHost();
    const backup = await run(host, "etc");
    for (const category of ["restore", "system", "snapshot_restore"]) await run(host, "other", failed, { category });
    const { state, operations, last_run, recent_outcomes, last_restore } = await find(host);
    expect([state, operations.map(({ operation }) => operation)]).toEqual(["unwatched", ["etc"]]);
    expect([last_run?.task_id, recent_outcomes.map(({ task_id }) => task_id)]).toEqual([backup, [backup]]);
    expect(last_restore?.outcome).toBe("error");
  });

  test("a lost run that is heard of again takes back the loss of its operation alone", async () => {
    const host = newHost();
    await run(host, "etc");
    const lost = await run(host, "etc", { ...failed, outcome: "lost" });
    await run(host, "home", failed);
    await run(host, "home");
    expect(await states(host)).toEqual(["failing", { etc: "failing", home: "unwatched" }]);
    await plane.update(lost, {});
    expect(await states(host)).toEqual(["unwatched", { etc: "unwatched", home: "unwatched" }]);
  });

  test("the runs that are shown are those of each operation, however many there are of another one", async () => {
    const host = newHost();
    const seldom = await run(host, "weekly");
    await plane.addTasks(
      Array.from({ length: 120 }, (_, index) => ({
        primary_entity: host,
        operation: "hourly",
        created_timestamp: new Date(plane.clock.now + index * 1000).toISOString(),
      })),
    );
    const { operations } = await find(host);
    expect(operations.map((one) => [one.operation, one.recent_outcomes.length])).toEqual([
      ["hourly", 30],
      ["weekly", 1],
    ]);
    expect(operations[1]?.last_good_backup?.task_id).toBe(seldom);
  });
});

describe("a monitor", () => {
  test("watches the operation that its runs are, and no other", async () => {
    const host = newHost();
    const { id, slug } = await watch(host);
    await run(host, "etc");
    expect(await find(host)).toMatchObject({
      state: "unwatched",
      monitor_ids: [id],
      operations: [{ monitor_ids: [] }],
    });
    await run(host, slug, good, { monitor_id: id });
    expect(await states(host)).toEqual(["unwatched", { etc: "unwatched", [slug]: "good" }]);
    await retire(host, "etc");
    expect(await find(host)).toMatchObject({ state: "good", operations: [{ monitor_ids: [id] }, { monitor_ids: [] }] });
  });

  test("with another slug watches the work that runs now, not what ran before", async () => {
    const host = newHost();
    const { id, slug } = await watch(host);
    await run(host, slug, good, { monitor_id: id });
    const renamed = `${slug}-2`;
    await plane.ask(`/monitors/${id}`, { method: "PATCH", token: owner, body: { slug: renamed } });
    await run(host, renamed, good, { monitor_id: id });
    expect(await states(host)).toEqual(["unwatched", { [slug]: "unwatched", [renamed]: "good" }]);
  });

  test("that is removed or paused stops watching one of several operations with monitors", async () => {
    const host = newHost();
    const [one, other] = [await watch(newHost()), await watch(newHost())];
    await run(host, one.slug, good, { monitor_id: one.id });
    await run(host, other.slug, good, { monitor_id: other.id });
    expect((await find(host)).state).toBe("good");
    await plane.ask(`/monitors/${one.id}`, { method: "DELETE", token: owner });
    expect(await states(host)).toEqual(["unwatched", { [one.slug]: "unwatched", [other.slug]: "good" }]);
  });
});

describe("retirement of an operation", () => {
  test("it does not count any more, and a new run of it, and of no other, reverses that", async () => {
    const host = newHost();
    await run(host, "old", failed);
    await run(host, "new");
    const answer = await retire(host, "old");
    expect([answer.status, answer.body.state]).toEqual([200, "unwatched"]);
    expect(answer.body.operations).toMatchObject([
      { operation: "new", is_retired: false },
      { operation: "old", state: "never", is_retired: true },
    ]);
    await run(host, "new");
    expect((await find(host)).state).toBe("unwatched");
    plane.step(1000);
    const { id } = (await plane.create({ primary_entity: host, operation: "old" })).body;
    expect(await find(host)).toMatchObject({
      state: "failing",
      operations: [{ operation: "old", is_retired: false }, {}],
    });
    await plane.update(id, good);
    expect((await find(host)).state).toBe("unwatched");
    await retire(host, "old");
    expect((await retire(host, "old", false)).body.operations).toMatchObject([
      { is_retired: false },
      { is_retired: false },
    ]);
  });

  test("an item is retired with the last of its operations, until one runs or it is taken back", async () => {
    const host = newHost();
    await run(host, "etc", failed);
    await run(host, "home");
    await retire(host, "etc");
    expect((await find(host)).is_retired).toBe(false);
    expect((await retire(host, "home")).body).toMatchObject({ is_retired: true, state: "failing" });
    await run(host, "check", good, { category: "system" });
    expect((await find(host)).is_retired).toBe(true);
    expect((await change(host, { is_retired: false })).body).toMatchObject({
      is_retired: false,
      operations: [{ is_retired: false }, { is_retired: false }],
    });
    await change(host, { operations: ["etc", "home"].map((operation) => ({ operation, is_retired: true })) });
    expect((await retire(host, "home", false)).body.is_retired).toBe(false);
    await retire(host, "home");
    const { id } = (await plane.create({ primary_entity: host, operation: "third" })).body;
    expect((await find(host)).is_retired).toBe(false);
    await plane.update(id, good);
    expect(await find(host)).toMatchObject({ is_retired: false, state: "unwatched" });
  });

  test("a run that is missed does not reverse it", async () => {
    const host = newHost();
    await run(host, "etc");
    await run(host, "home");
    await retire(host, "etc");
    const end_timestamp = new Date(plane.clock.now + 1000).toISOString();
    await plane.addTasks([
      {
        primary_entity: host,
        operation: "etc",
        status: "failed",
        outcome: "missed",
        created_timestamp: end_timestamp,
        end_timestamp,
      },
    ]);
    expect(await find(host)).toMatchObject({
      state: "unwatched",
      operations: [{}, { operation: "etc", is_retired: true }],
    });
  });

  test("one that the item does not have is refused by name, and nothing is changed", async () => {
    const host = newHost();
    await run(host, "etc");
    const answer = await change(host, {
      operations: [
        { operation: "etc", is_retired: true },
        { operation: "opt", is_retired: true },
      ],
    });
    expect(refusal(answer)).toEqual([422, 42201, "/operations/1/operation"]);
    expect(answer.body.errors[0].error_message).toContain('"opt"');
    expect((await find(host)).operations).toMatchObject([{ is_retired: false }]);
    const twice = [1, 2].map(() => ({ operation: "etc", is_retired: true }));
    expect(refusal(await change(host, { operations: twice }))).toEqual([422, 42201, "/operations/1/operation"]);
    const odd = [
      { operation: "etc" },
      { operation: "etc", is_retired: 1 },
      { operation: "etc", is_retired: true, more: 1 },
    ];
    for (const one of odd) expect((await change(host, { operations: [one] })).status).toBe(422);
  });

  test("it is in the audit trail with what was said before and after", async () => {
    const host = newHost();
    await run(host, "etc");
    await run(host, "home");
    await retire(host, "etc");
    const { id } = await find(host);
    const filter = encodeURIComponent(JSON.stringify({ object_id: id }));
    const { body } = await plane.ask(`/audit-events?filter=${filter}`, { token: owner });
    const said = (is_retired: boolean) => ({
      primary_entity: host,
      muted_until: null,
      is_retired: false,
      operations: [{ operation: "etc", is_retired }],
    });
    expect(body._embedded.items).toMatchObject([
      { operation: "update-entity", object: { type: "entity", id }, before: said(false), after: said(true) },
    ]);
  });

  test("an operation that two joined items have is retired only if it was in both", async () => {
    const host = newHost();
    const [from, to] = [await plane.addUnit(`From ${host.id}`), await plane.addUnit(`To ${host.id}`)];
    const retireIn = async (unit: string, operations: string[]) => {
      const { body } = await plane.ask("/entities", { token: owner, unit });
      const { id } = body._embedded.items[0];
      const said = operations.map((operation) => ({ operation, is_retired: true }));
      await plane.ask(`/entities/${id}`, { method: "PATCH", token: owner, body: { operations: said } });
    };
    for (const organizational_unit_id of [from, to]) {
      for (const operation of ["both", "one", "none"]) await run(host, operation, failed, { organizational_unit_id });
    }
    await run(host, "moved", good, { organizational_unit_id: from });
    await retireIn(from, ["both", "one", "moved"]);
    await retireIn(to, ["both"]);
    const moved = await plane.ask(`/organizational-units/${from}?move_to=${to}`, { method: "DELETE", token: owner });
    expect(moved.status).toBe(204);
    const { operations } = await find(host);
    expect(operations.map((one) => [one.operation, one.is_retired]).sort()).toEqual([
      ["both", true],
      ["moved", true],
      ["none", false],
      ["one", false],
    ]);
  });
});

describe("an item with too many operations", () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `work-${String(index).padStart(3, "0")}`);
  const runAll = async (host: Host, operations: readonly string[], end: object = good) => {
    for (const operation of operations) await run(host, operation, end);
  };
  const kept = async (host: Host) => (await find(host)).operations.map(({ operation }) => operation);

  test("forgets retired ones first, the oldest of them", async () => {
    const host = newHost();
    const all = names(100);
    await runAll(host, all);
    const said = ["work-050", "work-040"].map((operation) => ({ operation, is_retired: true }));
    await change(host, { operations: said });
    await run(host, "new-1");
    expect(await kept(host)).toEqual([
      "new-1",
      ...all.filter((name) => !["work-040", "work-050"].includes(name)),
      "work-050",
    ]);
    await run(host, "new-2");
    expect((await kept(host)).includes("work-050")).toBe(false);
  });

  test("then forgets one that stands best, and never one that fails for one that does not", async () => {
    const host = newHost();
    await run(host, "fails");
    await run(host, "fails", failed);
    await run(host, "never", failed);
    const all = names(98);
    await runAll(host, all);
    await run(host, "new-1");
    expect(await kept(host)).toEqual(["never", "fails", "new-1", ...all.slice(1)]);
    expect((await find(host)).state).toBe("failing");
    await run(host, "new-2", failed);
    expect((await kept(host)).slice(0, 3)).toEqual(["never", "new-2", "fails"]);
    expect(await kept(host)).toHaveLength(100);
  });
});
