import { afterAll, expect, spyOn, test } from "bun:test";
import { openPlane } from "../harness";
import { watch } from "../streams/watch";

const plane = await openPlane({ watch_limit: "40", token_limit: "5" });
afterAll(plane.close);

test("T21: the services of one unit take half of all streams together, and others still open theirs", async () => {
  const unit = await plane.addUnit("Greedy");
  const below = await plane.addUnit("Below", unit);
  const other = await plane.addUnit("Other");
  const tokens = await Promise.all(
    [unit, below, unit].map(async (id) => (await plane.serviceToken("viewer", id)).token),
  );
  const open = await Promise.all(
    tokens.slice(0, 2).flatMap((token) => Array.from({ length: 10 }, () => watch(plane, "", { token }))),
  );
  expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 200));
  const refused = await plane.ask("/task-events", { token: tokens[2] ?? "" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(refused.body.errors[0].error_message).toMatch(/your organizational unit, have a fair share.*Close one/);
  const theirs = await watch(plane, "", { token: (await plane.serviceToken("viewer", other)).token });
  expect(theirs.response.status).toBe(200);
  await Promise.all([...open, theirs].map((one) => one.close()));
  expect(plane.service.taskFeed.count()).toBe(0);
  const again = await watch(plane, "", { token: tokens[2] ?? "" });
  expect(again.response.status).toBe(200);
  await again.close();
});

test("T21: a person with many tokens takes half of all streams, and others still open theirs", async () => {
  const person = await plane.addUser({ roles: [{ role: "viewer" }] });
  const tokens = [1, 2, 3].map(async () => (await plane.personalToken(person)).token);
  const [first = "", second = "", third = ""] = await Promise.all(tokens);
  const open = await Promise.all(
    [first, second].flatMap((token) => Array.from({ length: 10 }, () => watch(plane, "", { token }))),
  );
  expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 200));
  expect((await plane.ask("/task-events", { token: third })).status).toBe(429);
  const theirs = await watch(plane, "", { token: (await plane.serviceToken("viewer")).token });
  expect(theirs.response.status).toBe(200);
  await Promise.all([...open, theirs].map((one) => one.close()));
});

test("T21: a unit has as many service tokens as token_limit says, those of the units below it included", async () => {
  const unit = await plane.addUnit("Tokens");
  const below = await plane.addUnit("Below tokens", unit);
  const { token } = await plane.serviceToken("owner");
  const create = (organizational_unit_id: string) =>
    plane.ask("/api-tokens", {
      method: "POST",
      token,
      body: { name: "one", kind: "service", organizational_unit_id, role_id: "00000000-0000-4000-8000-000000000003" },
    });
  const made = [];
  for (const id of [unit, below, below, unit, below]) made.push(await create(id));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  for (const id of [unit, below]) {
    const refused = await create(id);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].error_message).toBe(
      "The organizational unit, or one above it, has 5 tokens that are good. Revoke what is not needed, or ask the operator for a higher token_limit.",
    );
  }
  expect((await create(await plane.addUnit("Elsewhere"))).status).toBe(201);
  expect((await plane.ask(`/api-tokens/${made[0]?.body.id}`, { method: "DELETE", token })).status).toBe(204);
  expect((await create(below)).status).toBe(201);
});

test("T21: heartbeats that are held and long lists count for the caller and its unit, and the root has no share", async () => {
  const unit = await plane.addUnit("Sharing");
  const [inUnit, inRoot] = [await plane.serviceToken("operator", unit), await plane.serviceToken("operator")];
  const waits = spyOn(plane.service.held, "wait");
  const reads = spyOn(plane.service.readers, "read");
  for (const { token } of [inUnit, inRoot]) {
    const begun = { category: "backup", type: "restic_backup", status: "in_progress" };
    const { body: task } = await plane.ask("/tasks", { method: "POST", token, body: begun });
    await plane.ask(`/tasks/${task.id}`, { method: "PATCH", token, body: { wait_seconds: 1 } });
    expect((await plane.ask("/tasks", { token })).status).toBe(200);
  }
  expect(waits.mock.calls.map(([, , , holders]) => holders)).toEqual([[inUnit.id, unit], [inRoot.id]]);
  expect(reads.mock.calls.map(([{ caller, unitId }]) => [caller, unitId])).toEqual([
    [inUnit.id, unit],
    [inRoot.id, undefined],
  ]);
});
