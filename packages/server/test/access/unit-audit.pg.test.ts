import { afterAll, expect, test } from "bun:test";
import { type Answered, openPlane, root } from "../harness";
import { auditEvents } from "./people";

const plane = await openPlane();
afterAll(plane.close);

const owner = await plane.serviceToken("owner");
const path = "/organizational-units";
const created_timestamp = "2026-11-15T12:00:00.000Z";
const send = (method: string, under: string, body?: object, ask: object = owner) =>
  plane.ask(`${path}${under}`, { method, token: owner.token, ...ask, ...(body ? { body } : {}) });

/** Audit events of a unit since the given number of events, without what all events have. */
async function told(id: string, since = 0) {
  const events = (await auditEvents(plane)).slice(since).filter(({ object }) => object.id === id);
  return events.map(({ operation, organizational_unit_id, before, after }) => ({
    operation,
    organizational_unit_id,
    before,
    after,
  }));
}

/** All that somebody with the role of an admin in a unit reads in its audit trail. */
async function readFrom(unit: string): Promise<Answered> {
  const { token } = await plane.serviceToken("admin", unit);
  return plane.ask("/audit-events?limit=1000", { token });
}

/** Two branches, and a unit in the first of them. */
async function makeBranches(name: string) {
  const above = await plane.addUnit(`${name} above`);
  const [west, east] = [await plane.addUnit("West", above), await plane.addUnit("East", above)];
  const [from, to] = [await plane.addUnit("From", west), await plane.addUnit("To", east)];
  return { above, west, east, from, to, moved: await plane.addUnit("Moved", from) };
}

test("T26: a unit is made and deleted in the audit trail of the unit above, which is where its parent can be seen", async () => {
  const above = await plane.addUnit("Maker above");
  const { id } = (await send("POST", "", { name: "Made", parent_id: above })).body;
  expect((await send("DELETE", `/${id}`)).status).toBe(204);
  const made = { id, name: "Made", parent_id: above, created_timestamp };
  expect(await told(id)).toEqual([
    { operation: "create-organizational-unit", organizational_unit_id: above, before: null, after: made },
    { operation: "delete-organizational-unit", organizational_unit_id: above, before: made, after: null },
  ]);
});

test("T10 T26: a rename is told in the unit itself, without the parent, whoever renames it", async () => {
  const above = await plane.addUnit("Namer above");
  const mine = await plane.addUnit("One", above);
  const admin = await plane.serviceToken("admin", above);
  const since = (await auditEvents(plane)).length;
  expect((await send("PATCH", `/${mine}`, { name: "Two" }, admin)).body.name).toBe("Two");
  expect((await send("PATCH", `/${mine}`, { name: "Three" })).body.name).toBe("Three");
  const operation = "update-organizational-unit";
  expect(await told(mine, since)).toEqual([
    { operation, organizational_unit_id: mine, before: { id: mine, name: "One" }, after: { id: mine, name: "Two" } },
    { operation, organizational_unit_id: mine, before: { id: mine, name: "Two" }, after: { id: mine, name: "Three" } },
  ]);
  const { status, text } = await readFrom(mine);
  expect([status, text.includes("Three"), text.includes(above)]).toEqual([200, true, false]);
});

test("T10 T26: a move is told whole above both places, as going in the old one, as coming in the new one and without the places in its own", async () => {
  const { above, west, east, from, to, moved } = await makeBranches("Move");
  expect((await send("PATCH", `/${moved}`, { parent_id: to, name: "Arrived" })).status).toBe(200);
  const before = { id: moved, name: "Moved", parent_id: from, created_timestamp };
  const after = { id: moved, name: "Arrived", parent_id: to, created_timestamp };
  const own = (name: string) => ({ id: moved, name, is_moved: true });
  const operation = "update-organizational-unit";
  expect(await told(moved)).toEqual([
    { operation, organizational_unit_id: above, before, after },
    { operation, organizational_unit_id: from, before, after: null },
    { operation, organizational_unit_id: to, before: null, after },
    { operation, organizational_unit_id: moved, before: { id: moved, name: "Moved" }, after: own("Arrived") },
  ]);
  const [left, reached, both] = [await readFrom(west), await readFrom(east), await readFrom(above)];
  expect([left, reached, both].map(({ body }) => body.total_count)).toEqual([1, 2, 4]);
  expect([left.text.includes(to), left.text.includes("Arrived")]).toEqual([false, false]);
  expect(reached.text.includes(from)).toBe(false);
});

test("T26: a place that is above the other one is told of a move once", async () => {
  const { west, from, moved } = await makeBranches("Climb");
  const operation = "update-organizational-unit";
  const low = { id: moved, name: "Moved", parent_id: from, created_timestamp };
  const high = { ...low, parent_id: west };
  const name = { id: moved, name: "Moved" };
  const own = { operation, organizational_unit_id: moved, before: name, after: { ...name, is_moved: true } };
  await send("PATCH", `/${moved}`, { parent_id: west });
  await send("PATCH", `/${moved}`, { parent_id: from });
  expect(await told(moved)).toEqual([
    { operation, organizational_unit_id: west, before: low, after: high },
    { operation, organizational_unit_id: from, before: low, after: null },
    own,
    { operation, organizational_unit_id: west, before: high, after: low },
    { operation, organizational_unit_id: from, before: null, after: low },
    own,
  ]);
});

test("T10 T26: where everything in a deleted unit goes is told there and above both, and not where the unit was", async () => {
  const { above, west, from, to, moved } = await makeBranches("Delete");
  expect((await send("DELETE", `/${moved}?move_to=${to}`)).status).toBe(204);
  const operation = "delete-organizational-unit";
  const before = { id: moved, name: "Moved", parent_id: from, created_timestamp };
  const after = { moved_to: to };
  expect(await told(moved)).toEqual([
    { operation, organizational_unit_id: above, before, after },
    { operation, organizational_unit_id: from, before, after: null },
    { operation, organizational_unit_id: to, before: null, after },
  ]);
  expect((await readFrom(west)).text.includes(to)).toBe(false);
});

test("the root has no parent to hide, and is renamed in its own audit trail", async () => {
  const since = (await auditEvents(plane)).length;
  expect((await send("PATCH", `/${root}`, { name: "The firm" })).status).toBe(200);
  expect(await told(root, since)).toEqual([
    {
      operation: "update-organizational-unit",
      organizational_unit_id: root,
      before: { id: root, name: "Root" },
      after: { id: root, name: "The firm" },
    },
  ]);
});
