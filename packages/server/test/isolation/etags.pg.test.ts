import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { grantRole, revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { deleteTasks, replaceTask } from "../change-tasks";
import { inStatus, openPlane, type Plane, sampleTask } from "../harness";
import { runs } from "../runs";

let plane: Plane;
let ours: string;
let theirs: string;
let token: string;

beforeAll(async () => {
  plane = await openPlane();
  ours = await plane.addUnit("Ours");
  theirs = await plane.addUnit("Theirs");
  for (const unitId of [ours, theirs]) {
    await plane.addTasks(Array.from({ length: 12 }, () => ({ organizational_unit_id: unitId })));
    for (let index = 0; index < 5; index++) await plane.addUser({ roles: [{ role: "viewer", unitId }] });
  }
  token = (await plane.serviceToken("viewer", ours)).token;
});
afterAll(() => plane.close());

const lists = [
  "/tasks?limit=5",
  "/tasks?limit=5&start=2",
  "/tasks",
  `/tasks?limit=2&filter=${encodeURIComponent('{"status":"completed"}')}`,
  `/tasks?limit=2&filter=${encodeURIComponent('{"primary_entity.value":{"$contains":"WEB"}}')}`,
  "/users?limit=2",
  "/users",
  `/users?limit=2&filter=${encodeURIComponent('{"name":{"$contains":"person"}}')}`,
];

async function etags(): Promise<unknown[]> {
  // Later writes of this token's own use are shown for its user.
  await plane.service.tokenUse.flush();
  return Promise.all(lists.map(async (path) => (await plane.ask(path, { token })).headers.get("etag")));
}

let added = 0;

/** Something that happens in a unit, and to its own users and tasks. */
async function happen(what: "add" | "finish" | "delete" | "join" | "leave" | "disable", unitId: string): Promise<void> {
  const { database } = plane;
  const roleId = await plane.roleId("operator");
  added += 1;
  const task = { ...sampleTask(1000 + added), organizational_unit_id: unitId, ...inStatus("queued") };
  switch (what) {
    case "add":
      await database.change((db) => insertTasks(db, [task]));
      return;
    case "finish":
      await database.change((db) => insertTasks(db, [task]));
      await database.change((db) => replaceTask(db, task, { ...task, ...inStatus("failed") }));
      return;
    case "delete":
      await database.change((db) => insertTasks(db, [task]));
      return database.change((db) => deleteTasks(db, [task.id]));
    case "join":
      await plane.addUser({ roles: [{ role: "viewer", unitId }] });
      return;
    case "leave": {
      const userId = await plane.addUser({ roles: [{ role: "operator", unitId }] });
      return database.change((db) => revokeRole(db, { userId, roleId, unitId }));
    }
    case "disable": {
      const userId = await plane.addUser({});
      await database.change((db) => grantRole(db, { userId, roleId, unitId }));
      return database.change((db) => setUserEnabled(db, userId, false));
    }
  }
}

test("T10 T16 nothing that happens in another unit changes an ETag: nobody can watch what they may not see", async () => {
  const before = await etags();
  expect(new Set(before).size).toBe(lists.length);
  const what = fc.constantFrom("add", "finish", "delete", "join", "leave", "disable");
  await fc.assert(
    fc.asyncProperty(fc.array(what, { minLength: 1, maxLength: 4 }), async (happenings) => {
      for (const one of happenings) await happen(one, theirs);
      expect(await etags()).toEqual(before);
    }),
    runs(20),
  );
}, 120_000);

test("a task that arrives in the unit changes the ETag of every list of its tasks that shows or counts it", async () => {
  const before = await etags();
  await happen("add", ours);
  const after = await etags();
  expect(after.slice(0, 3).map((etag, index) => etag === before[index])).toEqual([false, false, false]);
  expect(after.slice(5)).toEqual(before.slice(5));
});

test("a user who joins the unit changes the ETag of every list of its users", async () => {
  const before = await etags();
  await happen("join", ours);
  const after = await etags();
  expect(after.slice(0, 5)).toEqual(before.slice(0, 5));
  expect(after.slice(5).map((etag, index) => etag === before[5 + index])).toEqual([false, false, false]);
});

test("an ETag is honoured with 304 and an empty body until the list changes", async () => {
  const { headers } = await plane.ask("/tasks?limit=5", { token });
  const ask = { token, headers: { "If-None-Match": headers.get("etag") ?? "" } };
  await happen("add", theirs);
  const same = await plane.ask("/tasks?limit=5", ask);
  expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", headers.get("etag")]);
  await happen("add", ours);
  expect((await plane.ask("/tasks?limit=5", ask)).status).toBe(200);
});
