import { expect, test } from "bun:test";
import { openDatabase } from "../../src/database/open-database";
import { hasTasks } from "../../src/resources/tasks/reports/store";
import { readSettings } from "../../src/settings/settings";
import { openPlane } from "../harness";
import { createTestDatabase } from "../test-database";

const open = (database_url: string, database_kind: string) => openPlane({ database_url, database_kind });

test.each([
  ["postgresql", "distributed"],
  ["distributed", "postgresql"],
])("tables that were made with database_kind=%s are refused with %s", async (made, taken) => {
  const database = await createTestDatabase();
  const plane = await open(database.url, made);
  await plane.close();
  await expect(open(database.url, taken)).rejects.toThrow(
    `The tables were made with database_kind=${made}, and it is ${taken} now. Set it to ${made}, or name another database.`,
  );
  await database.drop();
});

test("several processes that start at once on an empty distributed database all find it ready", async () => {
  const database = await createTestDatabase();
  const flags = { database_url: database.url, database_kind: "distributed" };
  const settings = readSettings({ flags, environment: {}, file: null });
  const opening = [1, 2, 3].map(() => openDatabase(settings, { isServing: false, notify: () => {} }));
  const opened = await Promise.all(opening);
  const filled = await Promise.all(opened.map(({ snapshot }) => snapshot(hasTasks)));
  expect(filled).toEqual([false, false, false]);
  for (const { close } of opened) await close();
  await database.drop();
});

test("changes that are made at the same time on a distributed database are all made, one after the other", async () => {
  const database = await createTestDatabase();
  const first = await open(database.url, "distributed");
  const second = await openPlane({ database_url: database.url, database_kind: "distributed" }, first.folder);
  const { token } = await first.serviceToken("viewer");
  const add = (plane: typeof first) => plane.addTasks([{ id: crypto.randomUUID() }]);
  await Promise.all(Array.from({ length: 16 }, (_, index) => add(index % 2 === 0 ? first : second)));
  expect((await first.ask("/tasks", { token })).body.total_count).toBe(16);
  await second.database.close();
  await first.close();
  await database.drop();
});
