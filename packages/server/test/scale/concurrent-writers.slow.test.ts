import { afterAll, expect, test } from "bun:test";
import { type Action, recordAction } from "../../src/audit/record-action";
import { verifyChain } from "../../src/audit/verify-chain";
import type { Database, Queries } from "../../src/database/database";
import { prepareInstallation } from "../../src/installation/installation";
import { createUnit } from "../../src/resources/organizational-units/store";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { hasTasks, insertTasks } from "../../src/resources/tasks/reports/store";
import { removeOldTasks } from "../../src/resources/tasks/retention";
import { deleteTasks, updateTask } from "../change-tasks";
import { openByUrl } from "../folder-database";
import { inStatus, root, sampleTask } from "../harness";
import { recountTasks } from "../recount";
import { size } from "../runs";
import { createTestDatabase } from "../test-database";

const held = await createTestDatabase();
// Each with a pool of its own, as processes have.
const databases = [await openByUrl(held.url), await openByUrl(held.url)];
const [database, other] = databases as [Database, Database];
const { sealer } = await prepareInstallation(database, new Uint8Array(32), 0);
const unit = await database.change((db) => createUnit(db, { name: "Unit", parentId: root, createdAt: 0 }));
afterAll(async () => {
  for (const opened of databases) await opened.close();
  await held.drop();
});

let numbers = 0;

function taskAt(created: string, given: Partial<TaskRecord> = {}): TaskRecord {
  numbers += 1;
  return { ...sampleTask(numbers), created_timestamp: created, ...given };
}

const insert = (tasks: TaskRecord[], into = database) =>
  into.change((db) => insertTasks(db, tasks), { kind: "maintenance" });

async function expectExactCounts() {
  const { kept, counted } = await database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
}

const idOf = (round: number) => `wanted by all ${round}`;

test("of many who add the same id in different months at once, exactly one succeeds", async () => {
  const rounds = Array.from({ length: size({ default: 8, long: 20 }) }, (_, round) => round);
  const results = await Promise.all(
    rounds.map(async (round) => {
      const attempts = ["2026-01", "2026-02", "2026-03", "2026-01"].map((month, index) =>
        insert([taskAt(`${month}-15T00:00:00.000Z`, { id: idOf(round) })], databases[index % 2]),
      );
      const settled = await Promise.allSettled(attempts);
      return settled.filter(({ status }) => status === "fulfilled").length;
    }),
  );
  expect(results).toEqual(rounds.map(() => 1));
  const ids = await database.snapshot((db) =>
    db.selectFrom("tasks").select("id").where("id", "in", rounds.map(idOf)).orderBy("id").execute(),
  );
  expect(ids.map(({ id }) => id)).toEqual(rounds.map(idOf).sort());
  await expectExactCounts();
});

test("an id that is taken is refused by a batch that is copied, too, and nothing of the batch stays", async () => {
  await insert([taskAt("2025-12-01T00:00:00.000Z", { id: "taken" })]);
  const batch = Array.from({ length: 300 }, (_, number) =>
    taskAt("2026-04-01T00:00:00.000Z", { id: `copy ${number}` }),
  );
  const attempt = insert([...batch, taskAt("2026-04-02T00:00:00.000Z", { id: "taken" })]);
  await expect(attempt).rejects.toThrow("There is a task with the id taken already.");
  const twice = insert([...batch, taskAt("2026-04-02T00:00:00.000Z", { id: "copy 7" })]);
  await expect(twice).rejects.toThrow("There is a task with the id copy 7 already.");
  const left = await database.snapshot((db) =>
    db.selectFrom("tasks").select("id").where("id", "like", "copy%").execute(),
  );
  expect(left).toEqual([]);
});

test("writers that need the same new months at once all succeed", async () => {
  const months = Array.from({ length: 12 }, (_, month) => `2030-${String(month + 1).padStart(2, "0")}`);
  const writers = Array.from({ length: 16 }, (_, index) => {
    const inSomeOrder = index % 2 === 0 ? months : months.toReversed();
    return insert(
      inSomeOrder.map((month) => taskAt(`${month}-01T00:00:00.000Z`)),
      databases[index % 2],
    );
  });
  await Promise.all(writers);
  const { count } = await database.snapshot((db) =>
    db
      .selectFrom("tasks")
      .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
      .where("created_at", ">=", Date.parse("2030-01-01"))
      .executeTakeFirstOrThrow(),
  );
  expect(count).toBe(16 * 12);
  await expectExactCounts();
});

test("a batch that is copied gives the same rows as tasks that are inserted one by one", async () => {
  const awkward = [
    "tab\there",
    "line\nbreak",
    "back\\slash",
    "\\N",
    "\\.",
    "quote'\"",
    "é 漢 🙂",
    " spaces ",
    "\r",
    "%_",
  ];
  const tasks = Array.from({ length: 250 }, (_, number) =>
    taskAt(`2026-05-01T00:00:00.${String(number).padStart(3, "0")}Z`, {
      id: `either ${number}`,
      type: awkward[number % awkward.length] ?? "",
      start_timestamp: number % 2 === 0 ? null : "2026-05-01T00:00:01.000Z",
      error: { code: "odd", message: awkward[number % awkward.length] ?? "", remedy: "" },
      primary_entity:
        number % 3 === 0 ? null : { id: awkward[number % awkward.length] ?? "", type: "host", value: "x" },
      organizational_unit_id: number % 2 === 0 ? root : unit,
    }),
  );
  const rows = () =>
    database.snapshot(async (db) => {
      const found = await db.selectFrom("tasks").selectAll().where("id", "like", "either%").orderBy("id").execute();
      return found.map(({ seq, xid, ...row }) => row);
    });
  await insert(tasks);
  const copied = await rows();
  await database.change((db) =>
    deleteTasks(
      db,
      tasks.map(({ id }) => id),
    ),
  );
  for (let from = 0; from < tasks.length; from += 50) await insert(tasks.slice(from, from + 50));
  expect(copied).toHaveLength(250);
  expect(await rows()).toEqual(copied);
});

test("counts stay exact under eight who insert, finish and delete at once", async () => {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const own = databases[writer % 2] ?? database;
    for (let round = 0; round < size({ default: 4, long: 60 }); round++) {
      const tasks = Array.from({ length: round % 3 === 0 ? 240 : 20 }, (_, number) =>
        taskAt(`2026-0${1 + ((writer + number) % 9)}-1${number % 9}T0${number % 7}:00:00.000Z`, {
          ...inStatus("in_progress"),
          type: `type ${number % 5}`,
          organizational_unit_id: number % 2 === 0 ? root : unit,
        }),
      );
      await insert(tasks, own);
      const [first, second, third] = tasks as [TaskRecord, TaskRecord, TaskRecord];
      await own.change((db) => updateTask(db, first.id, inStatus("completed")), { kind: "maintenance" });
      await own.change((db) => deleteTasks(db, [second.id, third.id]), { kind: "maintenance" });
    }
  });
  await Promise.all(writers);
  await expectExactCounts();
}, 120_000);

test("tasks that come into months while these are removed are either removed or there, and counted", async () => {
  let isOver = false;
  let inserted = 0;
  const inserting = Array.from({ length: 4 }, async (_, writer) => {
    for (; !isOver; inserted++) {
      const month = `20${20 + writer}-0${1 + (inserted % 2)}`;
      await insert([taskAt(`${month}-10T00:00:00.000Z`), taskAt("2026-11-01T00:00:00.000Z")], databases[writer % 2]);
    }
  });
  const failures: unknown[] = [];
  const reading = (async () => {
    for (; !isOver; await Bun.sleep(1)) await other.snapshot(hasTasks).catch((error) => failures.push(error));
  })();
  const record = (db: Queries, action: Action) => recordAction(db, { kind: "system", sealer, at: 0 }, action);
  const enough = size({ default: 40, long: 100 });
  let removed = 0;
  for (
    const deadline = performance.now() + 60_000;
    removed < enough && performance.now() < deadline;
    await Bun.sleep(10)
  ) {
    const removals = await Promise.all(
      databases.map((one) => removeOldTasks(one, { days: 1, now: Date.parse("2025-01-01"), record })),
    );
    removed += removals.flat().reduce((sum, month) => sum + month.removed, 0);
  }
  isOver = true;
  await Promise.all([...inserting, reading]);
  const left = await database.snapshot((db) =>
    db.selectFrom("tasks").select("id").where("created_at", "<", Date.parse("2024-12-01")).execute(),
  );
  expect(removed).toBeGreaterThanOrEqual(enough);
  expect(removed + left.length).toBe(inserted);
  const told = await database.snapshot((db) => db.selectFrom("audit_events").select("document").execute());
  expect(told.reduce((sum, { document }) => sum + JSON.parse(document).before.tasks, 0)).toBe(removed);
  await database.snapshot((db) => verifyChain(db, sealer));
  expect(failures).toEqual([]);
  await expectExactCounts();
}, 120_000);
