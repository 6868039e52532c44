import { afterAll, beforeAll, expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { grantRole, revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { changeByCommand } from "../../src/start/change-by-command";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let upper: string;
let lower: string;
let sibling: string;

beforeAll(async () => {
  plane = await openPlane();
  upper = await plane.addUnit("Upper");
  lower = await plane.addUnit("Lower", upper);
  sibling = await plane.addUnit("Sibling");
});
afterAll(() => plane.close());

async function statusOf(token: string, unit?: string): Promise<[number, number | undefined]> {
  const { status, body } = await plane.ask("/tasks", unit === undefined ? { token } : { token, unit });
  return [status, body.errors?.[0]?.error_code];
}

/** A user with a role in the upper unit, and a token of theirs for the unit below. */
async function personWithToken(): Promise<{ userId: string; token: string }> {
  const userId = await plane.addUser({ roles: [{ role: "operator", unitId: upper }] });
  const { token } = await plane.personalToken(userId, lower);
  return { userId, token };
}

test("T7 a personal token acts wherever its user holds a role, and nowhere else", async () => {
  const { token } = await personWithToken();
  expect({
    without: await statusOf(token),
    upper: await statusOf(token, upper),
    lower: await statusOf(token, lower.toUpperCase()),
    sibling: await statusOf(token, sibling),
    root: await statusOf(token, root),
    unknown: await statusOf(token, "99999999-9999-4999-8999-999999999999"),
  }).toEqual({
    without: [200, undefined],
    upper: [200, undefined],
    lower: [200, undefined],
    sibling: [403, 40301],
    root: [403, 40301],
    unknown: [403, 40301],
  });
});

test("T10 a unit that is not the caller's answers byte for byte like one that does not exist", async () => {
  const { token } = await personWithToken();
  const foreign = await plane.ask("/tasks", { token, unit: sibling });
  const unknown = await plane.ask("/tasks", { token, unit: "99999999-9999-4999-8999-999999999999" });
  expect(foreign.text).toBe(unknown.text);
  expect(foreign.text).not.toContain(sibling);
});

test("T7 the very next request is refused when the user is disabled, and served when enabled again", async () => {
  const { userId, token } = await personWithToken();
  expect(await statusOf(token)).toEqual([200, undefined]);
  await plane.database.change((db) => setUserEnabled(db, userId, false));
  expect(await statusOf(token)).toEqual([401, 40107]);
  await plane.database.change((db) => setUserEnabled(db, userId, true));
  expect(await statusOf(token)).toEqual([200, undefined]);
});

test("T7 the very next request is refused when the last role is taken away", async () => {
  const { userId, token } = await personWithToken();
  const roleId = await plane.roleId("operator");
  expect(await statusOf(token)).toEqual([200, undefined]);
  await plane.database.change((db) => revokeRole(db, { userId, roleId, unitId: upper }));
  expect(await statusOf(token)).toEqual([401, 40107]);
});

test("T7 a role that moves to another unit takes the token's rights with it", async () => {
  const { userId, token } = await personWithToken();
  const roleId = await plane.roleId("operator");
  await plane.database.change(async (db) => {
    await grantRole(db, { userId, roleId, unitId: sibling });
    await revokeRole(db, { userId, roleId, unitId: upper });
  });
  expect(await statusOf(token)).toEqual([403, 40301]);
  expect(await statusOf(token, sibling)).toEqual([200, undefined]);
});

test("T7 a role that is lowered to one that cannot read is told so", async () => {
  const { userId, token } = await personWithToken();
  const [operator, reporter] = [await plane.roleId("operator"), await plane.roleId("reporter")];
  await plane.database.change(async (db) => {
    await grantRole(db, { userId, roleId: reporter, unitId: upper });
    await revokeRole(db, { userId, roleId: operator, unitId: upper });
  });
  expect(await statusOf(token)).toEqual([403, 40302]);
  // Only reporting is left, what is the person's own, and who that is.
  const { body } = await plane.ask("/", { token });
  expect(Object.keys(body)).toEqual(["tasks", "api-tokens", "views", "caller"]);
  expect(Object.keys(body.tasks.v1)).toEqual(["create-task", "update-task", "append-task-log", "report-tasks"]);
});

test("T7 a service token has its own role in its own unit and below, whoever made it", async () => {
  const { token } = await plane.serviceToken("viewer", upper);
  expect({
    own: await statusOf(token),
    below: await statusOf(token, lower),
    sibling: await statusOf(token, sibling),
    above: await statusOf(token, root),
  }).toEqual({ own: [200, undefined], below: [200, undefined], sibling: [403, 40301], above: [403, 40301] });
});

test("T7 a personal token cannot be made for a unit that its user does not cover", async () => {
  const { userId, token } = await personWithToken();
  const { controlPlane, service, clock } = plane;
  const settings = {
    base_url: service.baseUrl,
    base_url_aliases: [],
    host: "127.0.0.1",
    port: 8080,
    token_limit: 1_000,
  };
  for (const unitId of [sibling, root, "99999999-9999-4999-8999-999999999999"]) {
    const body = { name: "Elsewhere", kind: "personal", organizational_unit_id: unitId };
    const own = await plane.ask("/api-tokens", { method: "POST", token, body });
    expect([own.status, own.body.errors[0].error_code]).toEqual([403, 40301]);
    const byOperator = changeByCommand({ ...controlPlane, settings, now: clock.now }, "create-api-token", () => ({
      body,
      actingFor: { userId },
    }));
    await expect(byOperator).rejects.toThrow("no role in this organizational unit, or it does not exist");
  }
});

test("T6 T7 a revoked token is refused at the next request, by its id alone", async () => {
  const { id, token } = await plane.serviceToken("viewer", upper);
  const other = await plane.serviceToken("viewer", upper);
  expect(await statusOf(token)).toEqual([200, undefined]);
  await plane.database.change((db) => revokeToken(db, id, plane.clock.now));
  expect(await statusOf(token)).toEqual([401, 40105]);
  expect(await statusOf(other.token)).toEqual([200, undefined]);
});
