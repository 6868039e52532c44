import { afterAll, expect, test } from "bun:test";
import { grantRole } from "../../src/resources/users/store";
import { root } from "../harness";
import { openPlaneForPeople, otherPassword } from "./people";

const plane = await openPlaneForPeople();
afterAll(plane.close);
await plane.addUser({ roles: [{ role: "owner" }] });
const { token: owner } = await plane.serviceToken("owner");

const post = (path: string, body: object, ask = {}) => plane.ask(path, { method: "POST", token: owner, body, ...ask });

/** A unit, a role of it, and somebody whom its admin has invited to hold it: the admin has the link. */
async function inviteSomebody(number: number) {
  const unit = await plane.addUnit(`Unit ${number}`);
  const admin = await plane.serviceToken("admin", unit);
  const role = (await post("/roles", { name: `Role ${number}`, permissions: ["tasks:read"] }, { unit })).body;
  const invited = await post(
    "/users",
    {
      email: `invited-${number}@example.org`,
      full_name: "Invited",
      access_control_configuration: [{ role_id: role.id, organizational_unit_ids: [unit] }],
    },
    admin,
  );
  const secret = String(invited.body.invitation_link).split("#")[1];
  return {
    id: invited.body.id,
    unit,
    role,
    accept: () => post("/invitation", { secret, password: otherPassword }, { token: undefined }),
  };
}

test("T9: an invitation is void when its role comes to allow more, and stays open when it is renamed", async () => {
  const raised = await inviteSomebody(1);
  const permissions = ["tasks:read", "keys:read"];
  const patch = { method: "PATCH", token: owner, unit: raised.unit, body: { permissions } };
  expect((await plane.ask(`/roles/${raised.role.id}`, patch)).status).toBe(200);
  expect((await raised.accept()).status).toBe(400);

  const renamed = await inviteSomebody(2);
  const rename = { method: "PATCH", token: owner, unit: renamed.unit, body: { name: "Renamed" } };
  expect((await plane.ask(`/roles/${renamed.role.id}`, rename)).status).toBe(200);
  expect((await renamed.accept()).status).toBe(201);
});

test("T9: an invitation is void when other units come to be below those that it is for", async () => {
  const { unit, accept } = await inviteSomebody(3);
  const elsewhere = await plane.addUnit("Elsewhere");
  const move = { method: "PATCH", token: owner, body: { parent_id: unit } };
  expect((await plane.ask(`/organizational-units/${elsewhere}`, move)).status).toBe(200);
  expect((await accept()).status).toBe(400);
});

test("T9: an invitation is void when its unit's people are moved to another unit", async () => {
  const { unit, accept } = await inviteSomebody(4);
  const target = await plane.addUnit("Target");
  const path = `/organizational-units/${unit}?move_to=${target}`;
  expect((await plane.ask(path, { method: "DELETE", token: owner })).status).toBe(204);
  expect((await accept()).status).toBe(400);
});

test("T9: an invitation is void when somebody else gives its user a role, by whatever road", async () => {
  const { id, accept } = await inviteSomebody(5);
  const roleId = await plane.roleId("owner");
  await plane.database.change((db) => grantRole(db, { userId: id, roleId, unitId: root }));
  expect((await accept()).status).toBe(400);
});
