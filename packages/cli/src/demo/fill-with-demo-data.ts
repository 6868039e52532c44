import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Database, Queries } from "@holdfast/server/database/database";
import { loadBeforeIndexing, type OnIndexing } from "@holdfast/server/database/tasks/indexes";
import { createUnit } from "@holdfast/server/resources/organizational-units/store";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { insertTasks } from "@holdfast/server/resources/tasks/store";
import { userRow } from "@holdfast/server/resources/users/store";
import type { Sealer } from "@holdfast/server/secrets/seal";
import { Refusal } from "@holdfast/server/settings/refusal";
import { addDemoLogs, chooseLogged } from "./add-demo-logs";
import { addDemoMonitors } from "./add-demo-monitors";
import { addDemoWebhooks } from "./add-demo-webhooks";
import { type NotedTasks, noteTasks } from "./noted-tasks";
import { inventOrganization, unitsOf } from "./organization";
import { inventPeople, type Person } from "./people";
import { createRandom, type Random } from "./random";
import { findTroubled, inventStories } from "./stories";
import { daysBack, inventTasks } from "./task-stream";

export interface DemoOptions {
  users: number;
  tasks: number;
  seed: number;
  /** The moment up to which the tasks reach. */
  until: number;
  /** Seals what monitors and webhooks keep secret. */
  sealer: Sealer;
  /** Called in the transaction of the first data. */
  record?: (db: Queries) => Promise<void>;
}

const usersPerStatement = 500;
const tasksPerChange = 10_000;
const tasksAtOnce = 250;

/** Fills an empty database with a made-up company. The same options make the same data. */
export async function fillWithDemoData(
  database: Database,
  { users, tasks, seed, until, sealer, record = async () => {} }: DemoOptions,
  onProgress: (rows: number) => void,
  onIndexing?: OnIndexing,
): Promise<void> {
  const organization = inventOrganization(createRandom(seed, "organization"), until);
  await database.change(async (db) => {
    await refuseUnlessEmpty(db);
    for (const unit of unitsOf(organization)) await createUnit(db, unit);
    const people = inventPeople(createRandom(seed, "people"), organization, users, until);
    await insertPeople(db, people, onProgress);
    await record(db);
  });
  const stories = inventStories(createRandom(seed, "stories"), organization, tasks, until);
  const troubled = findTroubled(stories);
  const noted: NotedTasks = { runs: new Map(), reports: [], expired: [], failures: [] };
  await loadBeforeIndexing(
    database,
    () => {
      const scripted = stories.flatMap((story) => story.tasks);
      const invented = inventTasks(createRandom(seed, "tasks"), organization, tasks, until, scripted);
      const logged = withLogs(invented, createRandom(seed, "logged"), tasks, until);
      return insertAllTasks(database, noteTasks(logged, noted, { troubledId: troubled?.entity?.id, until }), {
        onProgress,
        random: createRandom(seed, "logs"),
      });
    },
    onIndexing,
  );
  // Last: monitors and deliveries are made of tasks.
  await database.change(async (db) => {
    const past = { random: createRandom(seed, "monitors"), organization, stories, runs: noted.runs, until };
    const turns = await addDemoMonitors(db, sealer, past);
    await addDemoWebhooks(db, sealer, { random: createRandom(seed, "webhooks"), noted, turns, troubled, until });
  });
}

/** The first owner may want to see it with data, too. */
async function refuseUnlessEmpty(db: Queries): Promise<void> {
  const [task, unit] = await Promise.all([
    db.selectFrom("tasks").select("id").limit(1).executeTakeFirst(),
    db.selectFrom("organizational_units").select("id").where("id", "!=", rootUnitId).limit(1).executeTakeFirst(),
  ]);
  if (task || unit) {
    throw new Refusal(
      "Demonstration data goes into an empty database only, and this one is in use. Name another folder with --data-dir.",
    );
  }
}

async function insertPeople(db: Queries, people: Iterable<Person>, onProgress: (rows: number) => void): Promise<void> {
  const roles = await db.selectFrom("roles").select(["id", "name"]).execute();
  const roleIds = new Map(roles.map((role) => [role.name, role.id]));
  for (const batch of batches(people, usersPerStatement)) {
    await db.insertInto("users").values(batch.map(userRow)).execute();
    const grants = batch.flatMap(({ id, grants }) =>
      grants.map(({ role, unitId }) => ({
        user_id: id,
        role_id: roleIds.get(role) ?? role,
        organizational_unit_id: unitId,
      })),
    );
    if (grants.length > 0) await db.insertInto("role_grants").values(grants).execute();
    onProgress(batch.length);
  }
}

function* withLogs(tasks: Iterable<TaskRecord>, random: Random, count: number, until: number): Generator<TaskRecord> {
  const choose = chooseLogged(random, count / daysBack, until);
  for (const task of tasks) yield choose(task);
}

async function insertAllTasks(
  database: Database,
  tasks: Iterable<TaskRecord>,
  { onProgress, random }: { onProgress: (rows: number) => void; random: Random },
): Promise<void> {
  const known = new Map<string, number>();
  const insert = async (batch: TaskRecord[]) => {
    const found = await database.change(async (db) => {
      const keys = await insertTasks(db, batch, known, { isFirstLoad: true });
      await addDemoLogs(db, random, batch);
      return keys;
    });
    for (const [name, key] of found) known.set(name, key);
    onProgress(batch.length);
  };
  let inserting = Promise.resolve();
  let batch: TaskRecord[] = [];
  for (const some of batches(tasks, tasksAtOnce)) {
    batch.push(...some);
    // While a database elsewhere works on one batch, the next is made up.
    await letOthersGoOn();
    if (batch.length < tasksPerChange) continue;
    // In several transactions, so that the log of the database stays small.
    await inserting;
    inserting = insert(batch);
    inserting.catch(() => {});
    batch = [];
  }
  await inserting;
  await insert(batch);
}

function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
