import { Database as File } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { outcomesOf, taskCategories, taskStatuses } from "@holdfast/api/resources/task-words";
import { Kysely, Migrator } from "kysely";
import { Pool } from "pg";
import { openByUrl } from "../../../test/folder-database";
import { makeFolder, sampleTask } from "../../../test/harness";
import { createDice, elementAt } from "../../../test/random";
import { createTestDatabase, testedKind, testsOnPostgres } from "../../../test/test-database";
import { createUnit } from "../../resources/organizational-units/store";
import { type TaskRecord, taskRow } from "../../resources/tasks/record";
import { insertTasks } from "../../resources/tasks/reports/store";
import { type Columns, distributedColumns, postgresColumns, sqliteColumns } from "../columns";
import type { Database } from "../database";
import { postgresDialect } from "../postgres/dialect";
import type { Schema } from "../schema";
import { sqliteDialect } from "../sqlite/dialect";
import { makeRoomForTasks } from "../tasks/partitions";
import * as foundation from "./0001-foundation";
import * as access from "./0002-access";
import * as signInAddresses from "./0003-sign-in-addresses";
import * as rotatedTokens from "./0004-rotated-tokens";
import * as domainVersions from "./0005-domain-versions";
import * as servingProcesses from "./0006-serving-processes";
import * as taskOutcomes from "./0007-task-outcomes";
import * as taskLeases from "./0008-task-leases";
import * as taskLogs from "./0009-task-logs";
import * as taskChanges from "./0010-task-changes";
import * as monitors from "./0011-monitors";

const earlier = {
  "0001-foundation": foundation,
  "0002-access": access,
  "0003-sign-in-addresses": signInAddresses,
  "0004-rotated-tokens": rotatedTokens,
  "0005-domain-versions": domainVersions,
  "0006-serving-processes": servingProcesses,
  "0007-task-outcomes": taskOutcomes,
  "0008-task-leases": taskLeases,
  "0009-task-logs": taskLogs,
  "0010-task-changes": taskChanges,
  "0011-monitors": monitors,
};

const isDistributed = testedKind() === "distributed";
const unit = "abcdef00-0000-4000-8000-000000000001";
const dice = createDice(12);

/** Of a few hosts, some under several names, more for one of them than are read at once; of every category and end. */
const tasks: TaskRecord[] = Array.from({ length: 5_600 }, (_, n) => {
  const status = elementAt(taskStatuses, dice(99));
  const outcome = outcomesOf[status].length > 0 ? elementAt(outcomesOf[status], dice(99)) : null;
  const createdAt = Date.parse("2026-06-30T00:00:00Z") + dice(150 * 24) * 3_600_000;
  const host = dice(3) === 0 ? dice(40) : 0;
  const ended = outcome === null ? null : new Date(createdAt + dice(20) * 3_600_000).toISOString();
  return {
    ...sampleTask(n),
    type: elementAt(["restic_backup", "borg_create", "tar_create"], dice(99)),
    status,
    outcome,
    category: elementAt(taskCategories, dice(99)),
    created_timestamp: new Date(createdAt).toISOString(),
    end_timestamp: dice(50) === 0 ? null : ended,
    organizational_unit_id: dice(4) === 0 ? unit : rootUnitId,
    primary_entity:
      dice(30) === 0
        ? null
        : { id: `host-${host}`, type: elementAt(["host", "disk"], host), value: `Name ${host} ${dice(2)}` },
    error: null,
  };
});

const opened: { database: Database; close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const { database, close } of opened) {
    await database.close();
    await close();
  }
});

/** A database of its own: with the tasks as they were before, or empty. */
async function openOne(hasTasks: boolean): Promise<Database> {
  const folder = makeFolder();
  const { url, drop } = testsOnPostgres()
    ? await createTestDatabase()
    : { url: `sqlite:${folder}/holdfast.db`, drop: async () => {} };
  if (hasTasks) await fillOldDatabase(url);
  const database = await openByUrl(url);
  const close = async () => {
    await drop();
    rmSync(folder, { recursive: true });
  };
  opened.push({ database, close });
  return database;
}

async function fillOldDatabase(url: string): Promise<void> {
  const { db, columns, close } = testsOnPostgres() ? openOldPostgres(url) : openOldSqlite(url);
  const getMigrations = async () =>
    Object.fromEntries(
      Object.entries(earlier).map(([name, { up }]) => [name, { up: (target: Kysely<unknown>) => up(target, columns) }]),
    );
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  expect(error).toBeUndefined();
  await db.transaction().execute(async (change) => {
    await addUnits(change);
    const keys = new Map<string, number>();
    for (const entity of tasks.flatMap(({ primary_entity }) => primary_entity ?? [])) {
      const name = JSON.stringify(entity);
      const key = keys.get(name) ?? keys.size + 1;
      const isNew = !keys.has(name);
      keys.set(name, key);
      const folded = { id_folded: foldCase(entity.id), value_folded: foldCase(entity.value) };
      const added = isNew ? [{ key, ...entity, ...folded }] : [];
      for (const row of added) await change.insertInto("entities").values(row).execute();
    }
    const rows = tasks.map((task) => {
      const { operation, ...row } = taskRow(task, keys.get(JSON.stringify(task.primary_entity)) ?? null);
      return row;
    });
    await makeRoomForTasks(
      change,
      rows.map(({ created_at }) => created_at),
    );
    for (let from = 0; from < rows.length; from += 500) {
      await change
        // The column of operations is added by the migration.
        .withTables<{ tasks: Omit<Schema["tasks"], "operation"> }>()
        .insertInto("tasks")
        .values(rows.slice(from, from + 500))
        .execute();
    }
  });
  await close();
}

async function addUnits(db: Kysely<Schema>): Promise<void> {
  await createUnit(db, { id: rootUnitId, name: "Root", parentId: null, createdAt: 0 });
  await createUnit(db, { id: unit, name: "Unit", parentId: rootUnitId, createdAt: 0 });
}

interface OldDatabase {
  db: Kysely<Schema>;
  columns: Columns;
  close(): Promise<void>;
}

function openOldSqlite(url: string): OldDatabase {
  const file = new File(url.slice("sqlite:".length), { create: true, readwrite: true });
  file.run("pragma journal_mode = wal");
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  return { db, columns: sqliteColumns, close: () => db.destroy() };
}

function openOldPostgres(url: string): OldDatabase {
  const pool = new Pool({ connectionString: url, max: 1 });
  const source = { connect: () => pool.connect(), end: async () => {} };
  const traits = {
    hasPartitions: !isDistributed,
    isolation: isDistributed ? ("serializable" as const) : ("read committed" as const),
  };
  const db = new Kysely<Schema>({ dialect: postgresDialect(source, traits) });
  return { db, columns: isDistributed ? distributedColumns : postgresColumns, close: () => pool.end() };
}

async function entitiesOf(database: Database): Promise<object[]> {
  const rows = await database.snapshot((db) =>
    db.selectFrom("protected_entities").selectAll().orderBy("organizational_unit_id").orderBy("entity_hash").execute(),
  );
  return rows.map(({ seq, id, ...row }) => row);
}

test("what is known from tasks that were there is what would be known had they come one by one", async () => {
  const migrated = await openOne(true);
  const fresh = await openOne(false);
  await fresh.change(addUnits);
  const shuffled = tasks.map((task) => ({ task, at: dice(1_000_000) })).sort((one, other) => one.at - other.at);
  for (let from = 0; from < tasks.length; from += 1400) {
    const some = shuffled.slice(from, from + 1400).map(({ task }) => task);
    await fresh.change((db) => insertTasks(db, some));
  }
  const found = await entitiesOf(migrated);
  expect(found.length).toBeGreaterThan(60);
  expect(found).toEqual(await entitiesOf(fresh));
});

test("a change of an entity is counted for its domain", async () => {
  const [{ database } = { database: await openOne(true) }] = opened;
  const before = await database.stamp();
  await database.change((db) => db.updateTable("protected_entities").set({ is_retired: 1 }).execute());
  const after = await database.stamp();
  expect([after.entities === before.entities, after.tasks === before.tasks]).toEqual([false, !isDistributed]);
});
