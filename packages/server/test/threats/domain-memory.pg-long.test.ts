import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import type { DataVersions, Queries } from "../../src/database/database";
import { readTables, type Tables } from "../../src/database/move/read-tables";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { tables, unitContents } from "../../src/resources/index";
import { moveUnit } from "../../src/resources/organizational-units/move-unit";
import type { DomainOfTable } from "../../src/resources/resource-description";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { removeOldTasks } from "../../src/resources/tasks/retention";
import { grantRole, revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { deleteTasks, replaceTask } from "../change-tasks";
import { openPlane, root, sampleTask } from "../harness";
import { testsOnPostgres } from "../test-database";

const plane = await openPlane({ session_idle_minutes: "30" });
const other = await openPlane({}, plane.folder);
afterAll(async () => {
  await other.close();
  await plane.close();
});

const unitId = await plane.addUnit("berlin");
const userId = await plane.addUser({ roles: [{ role: "viewer" }, { role: "operator", unitId }] });
const viewerId = await plane.roleId("viewer");
const { token } = await plane.serviceToken("owner");
const spare = await plane.serviceToken("viewer");
const [task = sampleTask(1)] = await plane.addTasks([{}, {}, {}]);
const use = { address: "192.0.2.1", client: "test" };
await plane.database.change((db) => plane.service.sessions.begin(db, userId, use));
// One that asks for nothing itself, so that its use was not noted before.
const ofSpare = {
  tokenId: spare.id,
  kind: "service",
  userId: null,
  limitedAs: spare.id,
  unitId: root,
  roles: [],
} as const;

/** Which stamps another connection finds changed. */
async function changedBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = await plane.database.dataVersions();
  await act();
  const after = await plane.database.dataVersions();
  const names: (keyof DataVersions)[] = ["any", "units", "access", "sessions", "tasks"];
  return names.filter((name) => before[name] !== after[name]);
}

const change = <Result>(write: (db: Queries) => Promise<Result>) => other.database.change(write);
const ofAccess = ["any", "access", "sessions", "tasks"];
const ofTasks = ["any", "tasks"];

/** Reports on a task in the other process: the first time that it has begun, then what is given. */
const report = (body: object) => other.ask(`/tasks/${reportedId}`, { method: "PATCH", token, body });
const reportedId = "11111111-1111-4111-8111-111111111111";
const reported = { id: reportedId, category: "backup", type: "restic_backup" };

const commits: [string, () => Promise<unknown>, string[]][] = [
  ["a new task", () => change((db) => insertTasks(db, [sampleTask(100)])), ofTasks],
  ["a task that goes on", () => change((db) => replaceTask(db, task, { ...task, progress_percentage: 1 })), ofTasks],
  ["a task that is reported", () => other.ask("/tasks", { method: "POST", token, body: reported }), ofTasks],
  // Ten thousand runners say every few seconds that they live: that must not empty the memory of lists.
  ["a heartbeat", () => report({}).then(() => other.service.renewals.flush()), ["any"]],
  ["a lease that is made longer", () => report({ lease_seconds: 600 }), ["any"]],
  ["progress", () => report({ progress_percentage: 5 }), ofTasks],
  ["a task that ends", () => report({ status: "completed" }), ofTasks],
  ["a task that is deleted", () => change((db) => deleteTasks(db, [sampleTask(100).id])), ofTasks],
  [
    "tasks that are too old",
    () => removeOldTasks(other.database, { now: Date.parse("2031-01-01"), days: 365, record: async () => {} }),
    ofTasks,
  ],
  [
    "a token's use",
    () => Promise.all([other.service.tokenUse.note(ofSpare, use), other.service.tokenUse.flush()]),
    ["any"],
  ],
  [
    "a failure to sign in",
    () => change((db) => db.insertInto("sign_in_failures").values({ key: "a", failures: 1, last_at: 0 }).execute()),
    ["any"],
  ],
  [
    "a session's use",
    () => change((db) => db.updateTable("sessions").set({ used_at: 1_900_000_000_000 }).execute()),
    ["any", "sessions"],
  ],
  ["a sign-in", () => change((db) => other.service.sessions.begin(db, userId, use)), ["any", "sessions"]],
  ["a role that is given", () => change((db) => grantRole(db, { userId, roleId: viewerId, unitId })), ofAccess],
  ["a role that is taken", () => change((db) => revokeRole(db, { userId, roleId: viewerId, unitId })), ofAccess],
  ["a user who is disabled", () => change((db) => setUserEnabled(db, userId, false)), ofAccess],
  ["a token that is revoked", () => change((db) => revokeToken(db, spare.id, other.clock.now)), ofAccess],
  ["a new unit", () => other.addUnit("hamburg"), ["any", "units", "access", "sessions", "tasks"]],
  ["a user who is deleted", () => change((db) => db.deleteFrom("users").where("id", "=", userId).execute()), ofAccess],
];

test.each(commits)(
  "R10: %s is seen by another connection, and only what is made of it is forgotten",
  async (_, act, expected) => {
    expect(await changedBy(act)).toEqual(expected);
  },
);

test("R10: what is undone is not counted", async () => {
  const changed = await changedBy(() =>
    change(async (db) => {
      await db.updateTable("roles").set({ description: "undone" }).execute();
      throw new Error("undone");
    }).catch(() => {}),
  );
  expect(changed.filter((name) => name !== "any")).toEqual([]);
});

test("R10: a snapshot has the versions of its own moment, whatever is committed meanwhile", async () => {
  const seen = ({ tasks, access }: DataVersions) => ({ tasks, access });
  const dataVersions = await plane.database.snapshot(async (_db, { dataVersions }) => {
    const first = seen(dataVersions);
    await other.addTasks([{}]);
    const second = await plane.database.snapshot(async (_other, moment) => seen(moment.dataVersions), { isLong: true });
    return { first, second };
  });
  expect([
    dataVersions.first.tasks === dataVersions.second.tasks,
    dataVersions.first.access === dataVersions.second.access,
  ]).toEqual([false, true]);
});

/** Tables of which something is remembered for longer than until the next commit. */
const watched = Object.entries(tables).flatMap(([table, { domain }]): (DomainOfTable & { table: string })[] =>
  domain ? [{ table, ...domain }] : [],
);

const triggersOf = testsOnPostgres()
  ? sql<{ sql: string }>`select pg_get_triggerdef(oid) as sql from pg_trigger where not tgisinternal and tgparentid = 0`
  : sql<{ sql: string }>`select sql from sqlite_schema where type = 'trigger'`;
const counting =
  /^create (?:constraint )?trigger \S+ after (.+) on (?:public\.)?(\S+)\s.*(?:domain = |count_domain_change\()'(\w+)'/is;

/** A line for each write that a trigger counts: table, event and domain. */
function countedBy(trigger: string): string[] {
  const [, events = "", table = "", domain = ""] = counting.exec(trigger) ?? [];
  return events
    .split(/ or /i)
    .filter((event) => event !== "")
    .map((event) => `${table} ${sortColumns(event)} ${domain}`);
}

function sortColumns(event: string): string {
  const [name = "", columns] = event.split(/ of\s/i);
  const sorted = columns === undefined ? "" : ` of ${columns.trim().split(/,\s*/).sort().join()}`;
  return `${name.toLowerCase()}${sorted}`;
}

/** The lines of all writes that are to be counted. */
function expectedOf(found: Tables): string[] {
  return watched.flatMap(({ table, name: domain, uncounted, onlyUpdates }) => {
    const counted = found.get(table)?.filter((column) => !uncounted?.includes(column));
    const update = uncounted ? `update of ${counted?.sort().join()}` : "update";
    return (onlyUpdates ? [update] : ["insert", update, "delete"]).map((event) => `${table} ${event} ${domain}`);
  });
}

test("R10: triggers count every write of every table that something is remembered of, and no other", async () => {
  const { found, triggers } = await plane.database.snapshot(async (db) => ({
    found: await readTables(db),
    triggers: (await triggersOf.execute(db)).rows,
  }));
  expect(triggers.flatMap((trigger) => countedBy(trigger.sql)).sort()).toEqual(expectedOf(found).sort());
});

test.each(watched)(
  "R10: each column of $table counts, except those that only note a use",
  async ({ table, name: domain, uncounted = [] }) => {
    const fresh = await openPlane();
    const id = await fresh.addUser({ roles: [{ role: "viewer" }] });
    await fresh.personalToken(id);
    await fresh.addTasks([{}]);
    await fresh.database.change((db) => fresh.service.sessions.begin(db, id, use));
    const columns = (await fresh.database.snapshot(readTables)).get(table) ?? [];
    const counted: string[] = [];
    for (const column of columns) {
      const before = await fresh.database.dataVersions();
      await fresh.database.change((db) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(db),
      );
      counted.push(...((await fresh.database.dataVersions())[domain] === before[domain] ? [] : [column]));
    }
    expect(counted).toEqual(columns.filter((column) => !uncounted.includes(column)));
    await fresh.close();
  },
);

let reads = 0;
const { snapshot } = plane.database;
beforeEach(() => {
  plane.database.snapshot = (...given) => {
    reads += 1;
    return snapshot(...given);
  };
});
afterEach(() => Object.assign(plane.database, { snapshot }));

/** Number of reads of the database for a request. */
async function readsOf(path: string, given = token): Promise<[number, number]> {
  reads = 0;
  const { status } = await plane.ask(path, { token: given });
  return [status, reads];
}

test("R10: a commit to tasks leaves the rights of callers remembered", async () => {
  await readsOf("/");
  expect(await readsOf("/")).toEqual([200, 0]);
  await other.addTasks([{}]);
  expect(await readsOf("/")).toEqual([200, 0]);
  expect(await readsOf("/tasks")).toEqual([200, 1]);
});

test("R10: a commit that only notes something leaves pages of tasks remembered, but no list that shows it", async () => {
  for (const path of ["/tasks", "/api-tokens"]) await readsOf(path);
  await change((db) => db.updateTable("api_tokens").set({ last_used_at: 1 }).execute());
  expect(await readsOf("/tasks")).toEqual([200, 0]);
  expect(await readsOf("/api-tokens")).toEqual([200, 1]);
  const { body } = await plane.ask("/api-tokens?limit=1", { token });
  expect(body._embedded.items[0].last_used_timestamp).toBe("1970-01-01T00:00:00.001Z");
});

test("R10, R12: a commit to rights in another process counts at once", async () => {
  const victim = await other.serviceToken("viewer", unitId);
  const [inside] = await other.addTasks([{ organizational_unit_id: unitId }]);
  const path = `/tasks/${inside?.id}`;
  expect([(await readsOf(path, victim.token))[0], await readsOf(path, victim.token)]).toEqual([200, [200, 0]]);
  await change((db) => revokeToken(db, victim.id, other.clock.now));
  expect((await readsOf(path, victim.token))[0]).toBe(401);
});

test("R10, R12: a unit that is moved in another process takes its tasks along at once", async () => {
  const [from, to] = [await other.addUnit("from"), await other.addUnit("to")];
  const moved = await other.addUnit("moved", from);
  await other.addTasks([{ organizational_unit_id: moved }]);
  const totals = () =>
    Promise.all([from, to].map(async (unit) => (await plane.ask("/tasks?limit=1", { token, unit })).body.total_count));
  expect([await totals(), await totals()]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  await change((db) => moveUnit(db, unitContents, { id: moved, parentId: from, name: "moved" }, to, other.clock.now));
  expect(await totals()).toEqual([0, 1]);
});

test("R12: a session that is in use stays good, because each use that is noted is read again", async () => {
  const person = await other.addUser({ roles: [{ role: "viewer" }] });
  const { cookie } = await change((db) => other.service.sessions.begin(db, person, use));
  const ask = () => plane.ask("/tasks?limit=1", { headers: { Cookie: `holdfast_session=${cookie}` } });
  const statuses: number[] = [];
  for (let minutes = 0; minutes < 100; minutes += 20) {
    statuses.push((await ask()).status);
    await plane.service.tokenUse.flush();
    plane.clock.now += 20 * 60_000;
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});
