import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { auditEvents } from "../access/people";
import { codesOf } from "../conformance/codes-of";
import type { Answered, Ask } from "../harness";
import { openPingPlane, type PingPlane } from "./ping-plane";

let plane: PingPlane;
beforeAll(async () => {
  plane = await openPingPlane();
});
afterAll(() => plane.close());

const send = (method: string, path: string, body?: object, ask: Ask = {}): Promise<Answered> =>
  plane.ask(path, { method, token: plane.owner, ...(body ? { body } : {}), ...ask });
const create = (body: object, ask?: Ask) =>
  send("POST", "/monitors", { name: "Files", slug: randomUUID(), ...body }, ask);

test("a monitor that is made has everything that is usual, and a URL for its pings", async () => {
  const { status, body, headers } = await send("POST", "/monitors", { name: "  Ärger mit Dateien! (web-1)  " });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "Ärger mit Dateien! (web-1)",
    slug: "arger-mit-dateien-web-1",
    organizational_unit_id: "00000000-0000-0000-0000-000000000000",
    category: "backup",
    type: "ping_run",
    primary_entity: { id: body.id, type: "job", value: "Ärger mit Dateien! (web-1)" },
    operation: null,
    schedule: null,
    grace_seconds: 3_600,
    run_limit_seconds: 86_400,
    body_rules: null,
    paused_until: null,
    state: "waiting",
    is_running: false,
    next_expected_timestamp: null,
    last_ping_timestamp: null,
    last_task_id: null,
    missed_in_a_row: 0,
    last_unwatched_timestamp: null,
    recent_outcomes: [],
    created_timestamp: "2026-11-15T12:00:00.000Z",
    _links: { self: { href: `/monitors/${body.id}`, templated: false, type: "get" } },
    ping_url: expect.stringMatching(/^http:\/\/holdfast\.test\/ping\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/),
  });
  expect(headers.get("location")).toBe(`/monitors/${body.id}`);
  expect((await send("GET", `/monitors/${body.id}`)).body).toEqual(body);
});

test("only those who may change a monitor see its URL, and no audit event has it", async () => {
  const unit = await plane.addUnit("Seen");
  const { body } = await create({}, { unit });
  const tokens = {
    viewer: (await plane.serviceToken("viewer")).token,
    operator: (await plane.serviceToken("operator")).token,
    admin: (await plane.serviceToken("admin", unit)).token,
  };
  const shown = async (token: string) => {
    const one = (await plane.ask(`/monitors/${body.id}`, { token, unit })).body;
    const [listed] = (await plane.ask("/monitors", { token, unit })).body._embedded.items;
    expect(listed).toEqual(one);
    return one.ping_url;
  };
  expect([await shown(tokens.viewer), await shown(tokens.operator), await shown(tokens.admin)]).toEqual([
    undefined,
    undefined,
    body.ping_url,
  ]);
  // Who may write above sees it from above; who may write elsewhere does not.
  const mixed = await plane.addUser({
    roles: [{ role: "viewer" }, { role: "admin", unitId: await plane.addUnit("Other") }],
  });
  expect(await shown((await plane.personalToken(mixed)).token)).toBeUndefined();
  await send("PATCH", `/monitors/${body.id}`, { grace_seconds: 60 });
  await send("POST", `/monitors/${body.id}/rotate`, {});
  await send("DELETE", `/monitors/${body.id}`);
  const events = (await auditEvents(plane)).filter(({ object }) => object?.id === body.id);
  expect(events.map(({ operation }) => operation)).toEqual([
    "create-monitor",
    "update-monitor",
    "rotate-monitor-url",
    "delete-monitor",
  ]);
  expect(JSON.stringify(events)).not.toContain("ping_url");
  expect(events[1]).toMatchObject({ before: { grace_seconds: 3_600 }, after: { grace_seconds: 60 } });
});

test("names in a script without letters from a to z get slugs that differ", async () => {
  const made = [await create({ name: "備份一", slug: undefined }), await create({ name: "備份二", slug: undefined })];
  expect(made.map(({ status, body }) => [status, body.slug])).toEqual(
    made.map(({ body }) => [201, `monitor-${body.id.slice(0, 8)}`]),
  );
});

describe("a monitor cannot have", () => {
  test.each<[string, object, string]>([
    ["a slug with capital letters", { slug: "Web" }, "/slug"],
    ["an empty slug", { slug: "" }, "/slug"],
    ["an empty schedule", { schedule: {} }, "/schedule"],
    ["two schedules", { schedule: { cron: "0 0 * * *", period_seconds: 60 } }, "/schedule"],
    ["a period with a time zone", { schedule: { period_seconds: 60, time_zone: "UTC" } }, "/schedule/time_zone"],
    ["a short period", { schedule: { period_seconds: 59 } }, "/schedule/period_seconds"],
    ["a broken cron expression", { schedule: { cron: "61 * * * *" } }, "/schedule/cron"],
    ["a range that runs backwards", { schedule: { cron: "0 5-3 * * *" } }, "/schedule/cron"],
    ["six fields", { schedule: { cron: "0 0 0 * * *" } }, "/schedule/cron"],
    ["a zone that is none", { schedule: { cron: "0 0 * * *", time_zone: "Mars/Base" } }, "/schedule/time_zone"],
    ["a short grace", { grace_seconds: 59 }, "/grace_seconds"],
    ["a long limit", { run_limit_seconds: 2_592_001 }, "/run_limit_seconds"],
    ["six rules", { body_rules: { failure: ["1", "2", "3", "4", "5", "6"] } }, "/body_rules/failure"],
    ["an empty rule", { body_rules: { warning: [""] } }, "/body_rules/warning/0"],
    ["a pause that is over", { paused_until: "2026-11-15T12:00:00Z" }, "/paused_until"],
    ["a pause until never", { paused_until: "" }, "/paused_until"],
    ["a unit that is no id", { organizational_unit_id: "Berlin" }, "/organizational_unit_id"],
    ["a state", { state: "ok" }, "/state"],
  ])("%s", async (_, body, field) => {
    const answer = await create(body);
    expect([answer.status, codesOf(answer), answer.body.errors[0].field]).toEqual([422, [42201], field]);
  });

  test("a slug that another one of the unit has", async () => {
    const unit = await plane.addUnit("Slugs");
    const named = { name: "Same Name", slug: undefined };
    expect((await create(named, { unit })).status).toBe(201);
    const taken = await create(named, { unit });
    expect([taken.status, codesOf(taken)]).toEqual([409, [40902]]);
    const other = await create({ name: "Other" }, { unit });
    expect(codesOf(await send("PATCH", `/monitors/${other.body.id}`, { slug: "same-name" }))).toEqual([40902]);
    expect((await create(named)).status).toBe(201);
  });
});

test("a schedule says when the next run is expected; another one, and the end of a pause, start from now", async () => {
  const berlin = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
  const { body } = await create({ schedule: { cron: " 30 2 * * * ", time_zone: "Europe/Berlin" } });
  expect([body.schedule, body.next_expected_timestamp]).toEqual([berlin, "2026-11-16T01:30:00.000Z"]);
  const change = async (changes: object) => (await send("PATCH", `/monitors/${body.id}`, changes)).body;
  expect(await change({ schedule: { period_seconds: 3_600 } })).toMatchObject({
    schedule: { period_seconds: 3_600 },
    next_expected_timestamp: "2026-11-15T13:00:00.000Z",
  });
  expect(await change({ paused_until: "2026-11-20T00:00:00Z" })).toMatchObject({
    state: "paused",
    paused_until: "2026-11-20T00:00:00.000Z",
    next_expected_timestamp: null,
  });
  expect(await change({ paused_until: null })).toMatchObject({
    state: "waiting",
    paused_until: null,
    next_expected_timestamp: "2026-11-15T13:00:00.000Z",
  });
  expect(await change({ schedule: null })).toMatchObject({ schedule: null, next_expected_timestamp: null });
  expect((await create({ schedule: { cron: "0 0 * * *" } })).body.schedule).toEqual({
    cron: "0 0 * * *",
    time_zone: "UTC",
  });
});

test("a monitor that stands for itself is called as it is called; another entity stays", async () => {
  const { body } = await create({ name: "Old" });
  expect((await send("PATCH", `/monitors/${body.id}`, { name: "New" })).body).toMatchObject({
    name: "New",
    slug: body.slug,
    primary_entity: { id: body.id, type: "job", value: "New" },
  });
  const primary_entity = { type: "host", value: "web-1" };
  await send("PATCH", `/monitors/${body.id}`, { primary_entity });
  expect((await send("PATCH", `/monitors/${body.id}`, { name: "Newer" })).body.primary_entity).toEqual({
    id: "web-1",
    ...primary_entity,
  });
});

test("monitors are sorted by name, or by what needs attention first", async () => {
  const unit = await plane.addUnit("Sorted");
  const names = ["b ok", "a ok", "failed", "late", "paused", "waiting"];
  for (const name of names) {
    const more = name === "paused" ? { paused_until: "2027-01-01T00:00:00Z" } : {};
    const { body } = await create({ name, ...more }, { unit });
    const path = new URL(body.ping_url).pathname;
    const signals: Record<string, string> = { "b ok": path, "a ok": path, failed: `${path}/fail` };
    await plane.ping(signals[name] ?? "/healthz");
  }
  const list = async (query: string) =>
    (await plane.ask(`/monitors${query}`, { token: plane.owner, unit })).body._embedded.items.map(
      (one: { name: string }) => one.name,
    );
  expect(await list("")).toEqual(names.toSorted());
  expect(await list("?sort=-name")).toEqual(names.toSorted().reverse());
  expect(await list("?sort=state")).toEqual(["failed", "late", "waiting", "a ok", "b ok", "paused"]);
  expect(await list(`?filter=${encodeURIComponent('{"state":{"$neq":"ok"},"name":{"$contains":"A"}}')}`)).toEqual([
    "failed",
    "late",
    "paused",
    "waiting",
  ]);
});

test("a monitor that is deleted leaves its tasks, and its URL is gone", async () => {
  const monitor = await plane.addMonitor();
  await plane.ping(`${monitor.path}/start`);
  expect((await send("DELETE", `/monitors/${monitor.id}`)).status).toBe(204);
  expect(await plane.runs(monitor.id)).toMatchObject([{ status: "in_progress", monitor_id: monitor.id }]);
  expect((await plane.ping(monitor.path, { peer: "192.0.2.77" })).status).toBe(404);
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("ping_runs").selectAll().where("monitor_id", "=", monitor.id).execute(),
  );
  expect(rows).toEqual([]);
});

test("a unit with monitors or ping keys is not empty, and what takes everything takes them along, unless slugs are alike", async () => {
  const [from, to] = [await plane.addUnit("From"), await plane.addUnit("To")];
  const monitor = await plane.addMonitor({ slug: "files" }, from);
  const there = await plane.addMonitor({ slug: "files" }, to);
  const key = await plane.addKey({}, from);
  const remove = (query = "") => send("DELETE", `/organizational-units/${from}${query}`);
  const full = await remove();
  expect([full.status, codesOf(full)]).toEqual([409, [40904]]);
  expect(full.text).toContain("monitors");
  const clash = await remove(`?move_to=${to}`);
  expect([clash.status, codesOf(clash)]).toEqual([409, [40902]]);
  expect(clash.text).toContain("files");
  await send("PATCH", `/monitors/${there.id}`, { slug: "others" });
  await plane.ping(`${monitor.path}/start`);
  expect((await remove(`?move_to=${to}`)).status).toBe(204);
  expect((await plane.ping(`/ping/${key}/files`)).status).toBe(200);
  expect(await plane.runs(monitor.id)).toMatchObject([{ status: "completed", organizational_unit_id: to }]);
  expect(await plane.monitor(monitor.id)).toMatchObject({ organizational_unit_id: to, state: "ok", is_running: false });
  const lonely = await plane.addUnit("Lonely");
  await plane.addKey({}, lonely);
  expect((await send("DELETE", `/organizational-units/${lonely}`)).text).toContain("ping keys");
});

describe("a task that is reported as a run of a monitor", () => {
  test("takes what it leaves out from the monitor, which follows it", async () => {
    const { body: monitor } = await create({ category: "system", type: "x_prune", schedule: { period_seconds: 600 } });
    plane.clock.now += 120_000;
    const begun = (await send("POST", "/tasks", { monitor_id: monitor.slug, age_ms: 60_000 })).body;
    expect(begun).toMatchObject({
      category: "system",
      type: "x_prune",
      primary_entity: monitor.primary_entity,
      monitor_id: monitor.id,
      operation: monitor.slug,
    });
    const at = plane.clock.now;
    expect(await plane.monitor(monitor.id)).toMatchObject({
      state: "waiting",
      is_running: true,
      last_task_id: begun.id,
      last_ping_timestamp: null,
      next_expected_timestamp: new Date(at - 60_000 + 600_000).toISOString(),
    });
    await send("PATCH", `/tasks/${begun.id}`, { status: "completed" });
    expect(await plane.monitor(monitor.id)).toMatchObject({
      state: "ok",
      is_running: false,
      recent_outcomes: [{ task_id: begun.id, outcome: "success", created_timestamp: begun.created_timestamp }],
    });
    const own = { category: "restore", type: "own", operation: "mine", primary_entity: { type: "host", value: "h" } };
    expect((await send("POST", "/tasks", { ...own, monitor_id: monitor.id.toUpperCase() })).body).toMatchObject(own);
  });

  test.each(["no-such-monitor", randomUUID(), "UPPER", "a b"])("cannot name %p", async (monitor_id) => {
    const answer = await send("POST", "/tasks", { category: "backup", type: "x", monitor_id });
    expect([answer.status, codesOf(answer), answer.body.errors[0].field]).toEqual([422, [42201], "/monitor_id"]);
    expect(answer.text).toContain("Create it there first");
  });

  test("cannot name a monitor of another unit, nor look for one where nothing may be reported", async () => {
    const unit = await plane.addUnit("Apart");
    const { body: monitor } = await create({}, { unit });
    expect((await send("POST", "/tasks", { monitor_id: monitor.id })).status).toBe(422);
    expect((await send("POST", "/tasks", { monitor_id: monitor.id }, { unit })).status).toBe(201);
    const { token } = await plane.serviceToken("reporter", await plane.addUnit("Beside"));
    for (const monitor_id of [monitor.id, "nothing"]) {
      const body = { monitor_id, organizational_unit_id: unit };
      expect((await send("POST", "/tasks", body, { token })).status).toBe(403);
    }
  });

  test("needs a category and a type without one", async () => {
    const answer = await send("POST", "/tasks", {});
    expect([answer.status, answer.body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ["/category", "/type"],
    ]);
  });
});
