import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLink } from "@holdfast/api/conventions/hal";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { outcomesOf, taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { taskV1 } from "@holdfast/api/resources/tasks";
import type { Database } from "@holdfast/server/database/database";
import { openSqlite } from "@holdfast/server/database/sqlite/open";
import { prepareInstallation } from "@holdfast/server/installation/installation";
import { createUnit } from "@holdfast/server/resources/organizational-units/store";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { createUser } from "@holdfast/server/resources/users/store";
import { createSealer } from "@holdfast/server/secrets/seal";
import { Refusal } from "@holdfast/server/settings/refusal";
import { sql } from "kysely";
import { type DemoOptions, fillWithDemoData } from "./fill-with-demo-data";
import { inventOrganization } from "./organization";
import { createRandom } from "./random";
import { inventTasks } from "./task-stream";

const until = Date.parse("2026-11-15T02:00:00Z");
const secret = new Uint8Array(32);
const standard: DemoOptions = { users: 60, tasks: 20_000, seed: 1, until, sealer: createSealer(secret) };
const folder = mkdtempSync(join(tmpdir(), "holdfast-demo-"));
const opened: Database[] = [];

async function openEmpty(): Promise<Database> {
  const database = await openSqlite(join(folder, `${opened.length}.db`));
  opened.push(database);
  await prepareInstallation(database, secret, until);
  return database;
}

async function fill(options: Partial<DemoOptions>): Promise<Database> {
  const database = await openEmpty();
  await fillWithDemoData(database, { ...standard, ...options }, () => {});
  return database;
}

/** Everything that was made up, with roles by name: their ids are another installation's own. Secrets are left out. */
async function contentOf(database: Database) {
  return database.snapshot(async (db) => ({
    units: await db
      .selectFrom("organizational_units")
      .selectAll()
      .where("id", "!=", rootUnitId)
      .orderBy("id")
      .execute(),
    users: await db.selectFrom("users").selectAll().orderBy("seq").execute(),
    grants: await db
      .selectFrom("role_grants")
      .innerJoin("roles", "roles.id", "role_grants.role_id")
      .select(["user_id", "role_grants.organizational_unit_id", "name"])
      .orderBy("user_id")
      .orderBy("role_grants.organizational_unit_id")
      .orderBy("name")
      .execute(),
    entities: await db.selectFrom("entities").selectAll().orderBy("key").execute(),
    tasks: await db.selectFrom("tasks").selectAll().orderBy("seq").execute(),
    protected: await db
      .selectFrom("protected_entities")
      .select(["entity_id", "state", "evidence", "monitor_ids", "muted_until", "is_retired"])
      .orderBy("entity_id")
      .execute(),
    monitors: (await db.selectFrom("monitors").selectAll().orderBy("id").execute()).map(
      ({ url_hash, sealed_url, ...monitor }) => monitor,
    ),
    pingKeys: (await db.selectFrom("ping_keys").selectAll().orderBy("id").execute()).map(({ key_hash, ...key }) => key),
    webhooks: (await db.selectFrom("webhooks").selectAll().orderBy("id").execute()).map(
      ({ sealed_secret, ...webhook }) => webhook,
    ),
    deliveries: (await db.selectFrom("webhook_deliveries").selectAll().orderBy("seq").execute()).map(
      ({ id, ...delivery }) => delivery,
    ),
  }));
}

const indexesOf = (database: Database) =>
  database.snapshot(async (db) => {
    const found = await sql<{ sql: string }>`
      select sql from sqlite_schema where type = 'index' and tbl_name = 'tasks' order by name`.execute(db);
    return found.rows;
  });

afterAll(async () => {
  for (const database of opened) await database.close();
  rmSync(folder, { recursive: true });
});

describe("demonstration data of the usual size", () => {
  let database: Database;
  let content: Awaited<ReturnType<typeof contentOf>>;
  let tasks: TaskRecord[];
  let reported = 0;

  beforeAll(async () => {
    database = await openEmpty();
    await fillWithDemoData(database, standard, (rows) => {
      reported += rows;
    });
    content = await contentOf(database);
    tasks = content.tasks.map(({ document }): TaskRecord => JSON.parse(document));
  });

  test("has as many users and tasks as were asked for, and reports all of them as progress", () => {
    expect({ users: content.users.length, tasks: tasks.length, reported }).toEqual({
      users: 60,
      tasks: 20_000,
      reported: 20_060,
    });
  });

  test("has tasks of every category, status and outcome", () => {
    expect(new Set(tasks.map(({ category }) => category))).toEqual(new Set(taskCategories));
    expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(taskStatuses));
    expect(new Set(tasks.map(({ outcome }) => outcome))).toEqual(new Set([null, ...taskOutcomes]));
  });

  test("has tasks that all are what the API promises", () => {
    const broken = tasks.filter(
      (task) => !taskV1.safeParse({ ...task, _links: { self: getLink(`/tasks/${task.id}`) } }).success,
    );
    expect(broken).toEqual([]);
  });

  test("has no task that contradicts itself", () => {
    const isFinished = (task: TaskRecord) => ["completed", "failed", "aborted"].includes(task.status);
    const times = (task: TaskRecord) =>
      [
        task.created_timestamp,
        task.start_timestamp,
        task.last_progress_timestamp,
        task.last_heartbeat_timestamp,
        task.end_timestamp,
      ].filter((time) => time !== null);
    const latest = new Date(until).toISOString();
    const contradictory = tasks.filter(
      (task) =>
        (task.end_timestamp !== null) !== isFinished(task) ||
        (task.outcome === null ? isFinished(task) : !outcomesOf[task.status].includes(task.outcome)) ||
        (task.outcome === "success" && task.error !== null) ||
        (task.outcome === "warning" && task.error === null) ||
        (task.progress_percentage === 100) !== (task.status === "completed") ||
        (task.status === "queued" && task.start_timestamp !== null) ||
        (task.status === "failed" && task.error === null) ||
        (task.start_timestamp === null && task.last_heartbeat_timestamp !== null) ||
        times(task).some((time, index, all) => time > latest || time < (all[index - 1] ?? time)),
    );
    expect(contradictory).toEqual([]);
  });

  test("has ids that sort as the tasks were created, over the 90 days before", () => {
    const ids = tasks.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const created = content.tasks.map((task) => task.created_at);
    expect(created).toEqual(created.toSorted((left, right) => left - right));
    expect(created[0]).toBeWithin(until - 90 * 86_400_000, until - 89 * 86_400_000);
    expect(created.at(-1)).toBeWithin(until - 3_600_000, until);
  });

  test("mostly succeeds, fails now and then, also within the last week", () => {
    const share = (count: number) => count / tasks.length;
    expect(share(tasks.filter(({ status }) => status === "completed").length)).toBeWithin(0.9, 0.99);
    expect(share(tasks.filter(({ status }) => status === "failed").length)).toBeWithin(0.01, 0.08);
    const lastWeek = new Date(until - 7 * 86_400_000).toISOString();
    const recent = tasks.filter((task) => task.status === "failed" && task.created_timestamp >= lastWeek);
    expect(recent.length).toBeGreaterThan(5);
  });

  test("names a handful of types and hundreds of things that are protected", () => {
    expect(new Set(tasks.map(({ type }) => type)).size).toBeWithin(15, 26);
    expect(content.entities.length).toBeWithin(300, 3000);
  });

  test("counts its tasks exactly", async () => {
    const kinds = ["organizational_unit_id", "category", "type", "status", "outcome"] as const;
    const day = sql<number>`created_at / 86400000`;
    const found = await database.snapshot(async (db) => ({
      totals: await db
        .selectFrom("task_totals")
        .select([...kinds, "count"])
        .orderBy(sql`1, 2, 3, 4, 5`)
        .execute(),
      days: await db
        .selectFrom("task_days")
        .select(["day", ...kinds, "count"])
        .orderBy(sql`1, 2, 3, 4, 5, 6`)
        .execute(),
      recountedTotals: await db
        .selectFrom("tasks")
        .select((eb) => [...kinds, eb.fn.countAll<number>().as("count")])
        .groupBy(kinds)
        .orderBy(sql`1, 2, 3, 4, 5`)
        .execute(),
      recountedDays: await db
        .selectFrom("tasks")
        .select((eb) => [day.as("day"), ...kinds, eb.fn.countAll<number>().as("count")])
        .groupBy([day, ...kinds])
        .orderBy(sql`1, 2, 3, 4, 5, 6`)
        .execute(),
    }));
    expect(found.totals).toEqual(found.recountedTotals);
    expect(found.days).toEqual(found.recountedDays);
  });

  test("has a tree three levels deep below the root, and tasks at its leaves", () => {
    expect(content.units.length).toBeWithin(20, 51);
    const parents = new Map(content.units.map(({ id, parent_id }) => [id, parent_id]));
    const depth = (id: string | null | undefined): number =>
      id === rootUnitId || !id ? 0 : 1 + depth(parents.get(id));
    expect(Math.max(...content.units.map(({ id }) => depth(id)))).toBe(3);
    expect(tasks.every((task) => parents.has(task.organizational_unit_id))).toBe(true);
  });

  test("has users with unique addresses, two at the top, no owner, some who left and some who have not come yet", () => {
    const { users, grants } = content;
    expect(new Set(users.map(({ email_folded }) => email_folded)).size).toBe(60);
    expect(users.every(({ email }) => /^[a-z0-9.]+@example\.com$/.test(email))).toBe(true);
    const atTheTop = grants.filter((grant) => grant.organizational_unit_id === rootUnitId && grant.name === "admin");
    expect(atTheTop).toHaveLength(2);
    expect(new Set(grants.map(({ name }) => name))).toEqual(new Set(["admin", "operator", "viewer"]));
    expect(users.filter(({ is_enabled }) => is_enabled === 0).length).toBeWithin(1, 15);
    expect(users.filter(({ is_confirmed }) => is_confirmed === 0).length).toBeWithin(1, 15);
    expect(users.filter(({ inviter_id }) => inviter_id === null).length).toBe(1);
  });

  test("leaves the tasks with the indexes that they had", async () => {
    expect(await indexesOf(database)).toEqual(await indexesOf(await openEmpty()));
  });
});

describe("the same demonstration data", () => {
  test("comes from the same seed and moment", async () => {
    const options = { users: 30, tasks: 1500, seed: 7 };
    expect(await contentOf(await fill(options))).toEqual(await contentOf(await fill(options)));
  });

  test("does not come from another seed", async () => {
    const one = await contentOf(await fill({ users: 5, tasks: 50, seed: 1 }));
    const other = await contentOf(await fill({ users: 5, tasks: 50, seed: 2 }));
    expect(one.users.map(({ id }) => id)).not.toEqual(other.users.map(({ id }) => id));
    expect(one.tasks.map(({ id }) => id)).not.toEqual(other.tasks.map(({ id }) => id));
  });
});

describe("demonstration data of any size", () => {
  test.each([0, 1, 2, 13, 250])("has exactly %d tasks", async (tasks) => {
    const content = await contentOf(await fill({ users: 1, tasks }));
    expect({ users: content.users.length, tasks: content.tasks.length }).toEqual({ users: 1, tasks });
  });

  test.each([7, 25, 400, 2500])("has every category, also with %d tasks and whatever the seed", (tasks) => {
    for (let seed = 1; seed <= 10; seed++) {
      const organization = inventOrganization(createRandom(seed, "organization"), until);
      const made = inventTasks(createRandom(seed, "tasks"), organization, tasks, until);
      expect(new Set([...made].map(({ category }) => category))).toEqual(new Set(taskCategories));
    }
  });
});

describe("a database that is in use", () => {
  test("is refused and left as it is", async () => {
    const database = await fill({ users: 3, tasks: 20 });
    const before = await contentOf(database);
    await expect(fillWithDemoData(database, standard, () => {})).rejects.toThrow(Refusal);
    expect(await contentOf(database)).toEqual(before);
  });

  test("is not one in which there is only somebody who has become the owner", async () => {
    const database = await openEmpty();
    const owner = { email: "me@example.org", fullName: "Me", isConfirmed: true, isEnabled: true, inviterId: null };
    await database.change((db) => createUser(db, { ...owner, createdAt: until }));
    await fillWithDemoData(database, { ...standard, tasks: 20 }, () => {});
    expect((await contentOf(database)).users).toHaveLength(standard.users + 1);
  });

  test("is one with a unit below the root, too", async () => {
    const database = await openEmpty();
    await database.change((db) => createUnit(db, { name: "Mine", parentId: rootUnitId, createdAt: until }));
    await expect(fillWithDemoData(database, standard, () => {})).rejects.toThrow("--data-dir");
  });
});

test("some tasks of the last day have a log, which says how they ended", async () => {
  const database = await fill({ users: 1, tasks: 3_000 });
  const logs = await database.snapshot((db) =>
    db
      .selectFrom("task_log_pieces")
      .innerJoin("tasks", "tasks.id", "task_log_pieces.task_id")
      .select(["text", "document"])
      .execute(),
  );
  expect(logs.length).toBeGreaterThan(10);
  const ends = logs.map(({ text, document }) => {
    const { _links, error, outcome } = JSON.parse(document);
    expect(_links.log.href).toEndWith("/log");
    return text.includes(error && outcome !== "warning" ? error.message : "done: ");
  });
  expect(ends).not.toContain(false);
});
