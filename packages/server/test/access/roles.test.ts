import { afterAll, beforeAll, expect, test } from "bun:test";
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
