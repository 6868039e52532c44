import { afterAll, beforeAll, expect, test } from "bun:test";
import { permissions } from "@holdfast/api/conventions/permissions";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let units: { above: string; below: string; beside: string };
let roles: Record<"above" | "below" | "beside", string>;
let owner: string;

beforeAll(async () => {
  plane = await openPlane();
  owner = (await plane.serviceToken("owner")).token;
  const above = await plane.addUnit("Above");
  units = { above, below: await plane.addUnit("Below", above), beside: await plane.addUnit("Beside") };
  const make = async (unit: string, name: string) =>
    (await plane.ask("/roles", { method: "POST", token: owner, unit, body: { name, permissions: ["tasks:read"] } }))
      .body.id;
  roles = {
    above: await make(units.above, "Of above"),
    below: await make(units.below, "Of below"),
    beside: await make(units.beside, "Of beside"),
  };
});
afterAll(() => plane.close());

const customIn = async (unit: string) => {
  const { body } = await plane.ask("/roles?limit=100", { token: owner, unit });
  const items: { id: string; name: string; organizational_unit_id: string }[] = body._embedded.items;
  return items.filter((role) => Object.values(roles).includes(role.id)).map(({ name }) => name);
};

test("the list has the roles of the unit, of those above and of those below, and none of beside", async () => {
  expect(await customIn(root)).toEqual(["Of above", "Of below", "Of beside"]);
  expect(await customIn(units.above)).toEqual(["Of above", "Of below"]);
  expect(await customIn(units.below)).toEqual(["Of above", "Of below"]);
  expect(await customIn(units.beside)).toEqual(["Of beside"]);
});

test("what is listed can be read, and nothing else", async () => {
  const status = async (id: string, unit: string) => (await plane.ask(`/roles/${id}`, { token: owner, unit })).status;
  expect([await status(roles.below, root), await status(roles.below, units.above)]).toEqual([200, 200]);
  expect([await status(roles.beside, units.above), await status(roles.above, units.beside)]).toEqual([404, 404]);
});

test("a role that is seen from above cannot be held there, nor changed from there", async () => {
  const body = { name: "Token", kind: "service", role_id: roles.below };
  const minted = await plane.ask("/api-tokens", { method: "POST", token: owner, unit: units.above, body });
  expect([minted.status, minted.body.errors[0].error_message]).toEqual([
    422,
    'The field "role_id" has to be a role that can be held in the organizational unit.',
  ]);
  const invited = await plane.ask("/users", {
    method: "POST",
    token: owner,
    body: {
      email: "ada@example.org",
      full_name: "Ada",
      access_control_configuration: [{ role_id: roles.below, organizational_unit_ids: [units.above] }],
    },
  });
  expect(invited.status).toBe(422);
  const patched = await plane.ask(`/roles/${roles.below}`, {
    method: "PATCH",
    token: owner,
    unit: units.above,
    body: { permissions: ["tasks:read", "users:read"] },
  });
  expect([patched.status, patched.body.errors[0].error_message]).toEqual([
    409,
    "This role belongs to another organizational unit. Act in the one that it was made in.",
  ]);
});

test("a role that holds a permission which is not offered keeps it, may send it back, and cannot be made anew", async () => {
  const stored = ["tasks:read", "tasks:start"];
  const made = await plane.ask("/roles", {
    method: "POST",
    token: owner,
    body: { name: "Starter", permissions: ["tasks:read"] },
  });
  const path = `/roles/${made.body.id}`;
  await plane.database.change((db) =>
    db
      .updateTable("roles")
      .set({ permissions: JSON.stringify(stored) })
      .where("id", "=", made.body.id)
      .execute(),
  );
  const kept = () =>
    plane.database.snapshot((db) =>
      db.selectFrom("roles").select("permissions").where("id", "=", made.body.id).executeTakeFirstOrThrow(),
    );
  for (const body of [{ name: "Renamed" }, { permissions: stored }]) {
    const changed = await plane.ask(path, { method: "PATCH", token: owner, body });
    expect([changed.status, changed.body.permissions]).toEqual([200, ["tasks:read"]]);
    expect(JSON.parse((await kept()).permissions)).toEqual(stored);
  }
  const { token } = (
    await plane.ask("/api-tokens", {
      method: "POST",
      token: owner,
      body: { name: "Starter", kind: "service", role_id: made.body.id },
    })
  ).body;
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
  const refused = await plane.ask("/roles", {
    method: "POST",
    token: owner,
    body: { name: "Other", permissions: stored },
  });
  expect([refused.status, refused.body]).toEqual([
    422,
    {
      errors: [
        {
          error_code: 42201,
          error_message: `The field "permissions" has to be some of ${Object.keys(permissions).join(", ")}, each once; "tasks:start" is not one of them.`,
          field: "/permissions",
        },
      ],
    },
  ]);
});
