import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { outcomesOf, taskStatuses } from "@holdfast/api/resources/task-words";
import { Kysely, Migrator, sql } from "kysely";
import { Pool } from "pg";
import { updateTask } from "../../../test/change-tasks";
import { openByUrl } from "../../../test/folder-database";
import { makeFolder, sampleTask } from "../../../test/harness";
import { recountTasks } from "../../../test/recount";
import { createTestDatabase, testedKind, testsOnPostgres } from "../../../test/test-database";
import { type TaskRecord, taskRow } from "../../resources/tasks/record";
import { insertTasks } from "../../resources/tasks/reports/store";
import { type Columns, distributedColumns, postgresColumns, sqliteColumns } from "../columns";
import type { Database } from "../database";
import { postgresDialect } from "../postgres/dialect";
import type { Schema } from "../schema";
import { sqliteDialect } from "../sqlite/dialect";
import { scatteredIndexNames } from "../tasks/indexes";
import { makeRoomForTasks } from "../tasks/partitions";
import * as foundation from "./0001-foundation";
import * as access from "./0002-access";
import * as signInAddresses from "./0003-sign-in-addresses";
import * as rotatedTokens from "./0004-rotated-tokens";
import * as domainVersions from "./0005-domain-versions";
import * as servingProcesses from "./0006-serving-processes";

const earlier = {
  "0001-foundation": foundation,
  "0002-access": access,
  "0003-sign-in-addresses": signInAddresses,
  "0004-rotated-tokens": rotatedTokens,
  "0005-domain-versions": domainVersions,
  "0006-serving-processes": servingProcesses,
};

const isDistributed = testedKind() === "distributed";
const unit = "abcdef00-0000-4000-8000-000000000001";
const codes = ["repository_full", 'a "quoted" \\ code', "größe"];
const endings = taskStatuses.flatMap((status) =>
  (outcomesOf[status].length > 0 ? outcomesOf[status] : [null]).map((outcome) => ({ status, outcome })),
);
/** Over three months, of every ending; some in one hour, and of every two with an error, one has another code. */
const tasks: TaskRecord[] = Array.from({ length: 90 }, (_, n) => {
  const ending = endings[n % endings.length] ?? { status: "queued" as const, outcome: null };
  const isFine = ending.outcome === null || ending.outcome === "success" || ending.outcome === "cancelled";
  const code = codes[n % codes.length] ?? "";
  return {
    ...sampleTask(n),
    ...ending,
    created_timestamp: new Date(Date.parse("2026-08-30T23:00:00Z") + Math.floor(n / 3) * 26_000_000).toISOString(),
    type: n % 2 === 0 ? "restic_backup" : "borg_create",
    organizational_unit_id: n % 3 === 0 ? unit : rootUnitId,
    error: isFine ? null : { code, message: `"outcome":"none" ${n}`, remedy: "" },
  };
});

let folder: string;
let database: Database;
let drop = async (): Promise<void> => {};

beforeAll(async () => {
  folder = makeFolder();
  let url = `sqlite:${folder}/holdfast.db`;
  if (testsOnPostgres()) ({ url, drop } = await createTestDatabase());
  await fillOldDatabase(url);
  database = await openByUrl(url);
});
afterAll(async () => {
  await database.close();
  await drop();
  rmSync(folder, { recursive: true });
});

/** A database as it was before, with tasks in it. */
async function fillOldDatabase(url: string): Promise<void> {
  const opened = testsOnPostgres() ? openOldPostgres(url) : openOldSqlite(url);
  const { db, columns, close } = opened;
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(earlier).map(([name, { up }]) => [
          name,
          { up: (target: Kysely<unknown>) => up(target, columns) },
        ]),
      ),
  };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  expect(error).toBeUndefined();
  await db.transaction().execute(async (change) => {
    const names = { name: "Unit", name_lower: "unit", name_folded: "unit", created_at: 0 };
    await change
      .insertInto("organizational_units")
      .values([
        { ...names, id: rootUnitId, parent_id: null },
        { ...names, id: unit, parent_id: rootUnitId },
      ])
      .execute();
    const rows = tasks
      .map((task) => taskRow(task, null))
      .map(({ outcome, error_code, monitor_id, operation, ...row }) => row);
    await makeRoomForTasks(
      change,
      rows.map(({ created_at }) => created_at),
    );
    for (const row of rows) {
      const names = Object.keys(row).map((name) => sql.ref(name));
      await sql`insert into tasks (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(change);
    }
    // What was counted wrong is right afterwards.
    await sql`insert into task_totals select ${unit}, 'backup', 'restic_backup', 'failed', 7, 7`.execute(change);
  });
  await close();
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

test("every task that was there has its outcome and the code of its error in columns", async () => {
  const rows = await database.snapshot((db) =>
    db.selectFrom("tasks").select(["id", "outcome", "error_code", "document"]).execute(),
  );
  const found = rows.map(({ id, outcome, error_code }) => [id, outcome, error_code]).sort();
  expect(found).toEqual(tasks.map(({ id, outcome, error }) => [id, outcome ?? "", error?.code ?? null]).sort());
  expect(new Set(rows.map(({ document }) => document))).toEqual(
    new Set(tasks.map((task) => taskRow(task, null).document)),
  );
});

test("the counts are those of a recount, and the newest task is within each walk", async () => {
  const { kept, counted } = await database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
  expect(kept.quarters.length).toBeGreaterThan(30);
  const { rows } = await database.snapshot((db) =>
    sql`select organizational_unit_id, max(last_seq) as seq from task_totals group by 1
      except select organizational_unit_id, max(seq) from tasks group by 1`.execute(db),
  );
  expect(rows).toEqual([]);
});

test("the indexes are there", async () => {
  const indexes = await database.snapshot((db) =>
    (testsOnPostgres()
      ? sql<{ name: string }>`select indexname as name from pg_indexes`
      : sql<{ name: string }>`select name from sqlite_schema where type = 'index'`
    ).execute(db),
  );
  expect(indexes.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(scatteredIndexNames));
});

test("what is written afterwards is counted, and is seen to be written", async () => {
  const [first] = tasks;
  const moments = [await database.stamp()];
  await database.change((db) => insertTasks(db, [{ ...sampleTask(1000), organizational_unit_id: unit }]));
  moments.push(await database.stamp());
  await database.change((db) => updateTask(db, String(first?.id), { progress_percentage: 7 }));
  moments.push(await database.stamp());
  expect(new Set(moments.map(({ tasks }) => tasks)).size).toBe(3);
  const { kept, counted } = await database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
});
