import { afterAll, expect, test } from "bun:test";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { grantRole, revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { makeFolder, openPlane, root } from "../harness";

// Two control planes on one folder share nothing but the file, as two processes do.
const folder = makeFolder();
const serving = await openPlane({}, folder);
const administering = await openPlane({}, folder);
afterAll(async () => {
  await serving.close();
  await administering.close();
});

const rounds = 200;

test("T6, R12: not one request that begins after a token was revoked elsewhere is accepted", async () => {
  const after: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await administering.serviceToken("viewer");
    // Often enough to be answered from what is remembered of the whole request.
    for (const _ of [1, 2, 3]) expect((await serving.ask("/tasks", { token })).status).toBe(200);
    await administering.database.change((db) => revokeToken(db, id, administering.clock.now));
    after.push((await serving.ask("/tasks", { token })).status);
  }
  expect(after).toEqual(Array.from({ length: rounds }, () => 401));
});

test("T6, R12: a user who is disabled elsewhere is out at once, and in again at once when enabled", async () => {
  const userId = await administering.addUser({ roles: [{ role: "viewer" }] });
  const { token } = await administering.personalToken(userId);
  const seen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await administering.database.change((db) => setUserEnabled(db, userId, round % 2 === 1));
    seen.push((await serving.ask("/tasks", { token })).status);
    for (const _ of [1, 2]) await serving.ask("/tasks", { token });
  }
  expect(seen).toEqual(Array.from({ length: rounds }, (_, round) => (round % 2 === 1 ? 200 : 401)));
});

test("T6, R12: a role that is taken away elsewhere gives nothing any more, from the next request on", async () => {
  const unitId = await administering.addUnit("Accounting");
  const userId = await administering.addUser({ roles: [{ role: "viewer", unitId }, { role: "reporter" }] });
  const { token } = await administering.personalToken(userId);
  const grant = { userId, roleId: await administering.roleId("viewer"), unitId };
  const lastGrant = { userId, roleId: await administering.roleId("reporter"), unitId: root };
  expect((await serving.ask("/tasks", { token, unit: unitId })).status).toBe(200);
  await administering.database.change((db) => revokeRole(db, grant));
  expect((await serving.ask("/tasks", { token, unit: unitId })).status).toBe(403);
  await administering.database.change((db) => revokeRole(db, lastGrant));
  expect((await serving.ask("/tasks", { token, unit: unitId })).body.errors[0].error_code).toBe(40107);
  await administering.database.change((db) => grantRole(db, grant));
  expect((await serving.ask("/tasks", { token, unit: unitId })).status).toBe(200);
});

test("T6: a token stays good when the keys are rotated elsewhere, and new ones are good at once", async () => {
  const before = await administering.serviceToken("viewer");
  expect((await serving.ask("/tasks", { token: before.token })).status).toBe(200);
  const { sealer } = administering.controlPlane;
  await administering.database.change((db) => rotateSigningKey(db, sealer, administering.clock.now));
  const after = await administering.serviceToken("viewer");
  expect(after.token.split(".")[0]).not.toBe(before.token.split(".")[0]);
  expect((await serving.ask("/tasks", { token: before.token })).status).toBe(200);
  expect((await serving.ask("/tasks", { token: after.token })).status).toBe(200);
});

test("T6: a token whose key is gone is refused, although its signature was checked before", async () => {
  const { token } = await administering.serviceToken("viewer");
  expect((await serving.ask("/tasks", { token })).status).toBe(200);
  const { sealer } = administering.controlPlane;
  await administering.database.change(async (db) => {
    const kid = await rotateSigningKey(db, sealer, administering.clock.now);
    await db.deleteFrom("signing_keys").where("kid", "!=", kid).execute();
  });
  expect((await serving.ask("/tasks", { token })).body.errors[0].error_code).toBe(40102);
});

test("T6: a token that expires is refused from that second on, although it was accepted before", async () => {
  const { token } = await serving.serviceToken("viewer", root, 60_000);
  const made = serving.clock.now;
  const statuses: number[] = [];
  for (const milliseconds of [0, 59_999, 60_000, 61_000]) {
    serving.clock.now = made + milliseconds;
    statuses.push((await serving.ask("/tasks", { token })).status);
  }
  serving.clock.now = made;
  expect(statuses).toEqual([200, 200, 401, 401]);
});

const quietRounds = 8;
/** Longer than the pause between two status queries of an idle process. */
const quiet = 400;
const pause = () => new Promise((resolve) => setTimeout(resolve, quiet));

/** Another page each time, so that it is read, and one that is in memory, so that it is not. */
const paths = (round: number) => [`/tasks?start=${round + 2}`, "/tasks", "/tasks/unknown", "/tasks?limit=wrong"];

test("T6, R12: after a quiet time, not one request that begins after a token was revoked elsewhere is accepted", async () => {
  const before: number[] = [];
  const after: number[] = [];
  for (let round = 0; round < quietRounds; round++) {
    const { id, token } = await administering.serviceToken("viewer");
    const ask = async (path = "") => (await serving.ask(path, { token })).status;
    await ask("/tasks");
    await ask("/tasks");
    await pause();
    before.push(...(await Promise.all(paths(round).map(ask))));
    await pause();
    await administering.database.change((db) => revokeToken(db, id, administering.clock.now));
    after.push(...(await Promise.all(paths(round).map(ask))));
  }
  expect(before).toEqual(Array.from({ length: quietRounds }, () => [200, 200, 404, 400]).flat());
  expect(after).toEqual(Array.from({ length: quietRounds * 4 }, () => 401));
}, 60_000);

test("R12: after a quiet time, a token that was made elsewhere is good at once, and what was written elsewhere is seen at once", async () => {
  const totals: number[] = [];
  for (let round = 0; round < quietRounds; round++) {
    await pause();
    const { token } = await administering.serviceToken("operator");
    const made = await administering.ask("/tasks", { token, method: "POST", body: { category: "backup", type: "x" } });
    expect(made.status).toBe(201);
    totals.push((await serving.ask("/tasks?limit=1", { token })).body.total_count);
    await pause();
    expect(
      (await administering.ask("/tasks", { token, method: "POST", body: { category: "backup", type: "x" } })).status,
    ).toBe(201);
    totals.push((await serving.ask("/tasks?limit=1", { token })).body.total_count);
  }
  expect(totals).toEqual(Array.from({ length: quietRounds * 2 }, (_, index) => index + 1));
}, 60_000);
