import { afterAll, expect, test } from "bun:test";
import { type Answered, openPlane, root } from "../harness";

const plane = await openPlane();
afterAll(plane.close);

const owner = (await plane.serviceToken("owner")).token;
const path = "/organizational-units";
const absent = "11111111-1111-4111-8111-111111111111";
const code = ({ status, body }: Answered) => [status, body?.errors[0].error_code];
const create = (name: string, parent_id = root, token = owner) =>
  plane.ask(path, { method: "POST", token, body: { name, parent_id } });
const change = (id: string, body: object, token = owner, unit = root) =>
  plane.ask(`${path}/${id}`, { method: "PATCH", token, unit, body });
const remove = (id: string, query = "", token = owner, unit = root) =>
  plane.ask(`${path}/${id}${query}`, { method: "DELETE", token, unit });
const names = async (unit: string, query = "", token = owner) =>
  (await plane.ask(`${path}${query}`, { token, unit })).body._embedded.items.map((item: { name: string }) => item.name);
const filter = (value: unknown) => `?filter=${encodeURIComponent(JSON.stringify(value))}`;

test("a unit is created below the one that is acted in or below the one that is named, and can be read where it is", async () => {
  const made = await plane.ask(path, { method: "POST", token: owner, body: { name: "  Berlin " } });
  expect(made.status).toBe(201);
  const { id } = made.body;
  expect(made.body).toEqual({
    id,
    name: "Berlin",
    parent_id: root,
    ancestors: [{ id: root, name: "Root" }],
    child_count: 0,
    created_timestamp: "2026-11-15T12:00:00.000Z",
    stale_after_days: null,
    _links: { self: { href: `${path}/${id}`, templated: false, type: "get" } },
  });
  expect(made.headers.get("location")).toBe(`${path}/${id}`);
  const read = await plane.ask(`${path}/${id}`, { token: owner });
  expect([read.body, read.headers.get("etag")]).toEqual([made.body, made.headers.get("etag")]);
  const below = await create("Archive", id);
  expect(below.body.parent_id).toBe(id);
  expect(await names(id)).toEqual(["Archive", "Berlin"]);
  expect(await names(root, filter({ parent_id: id }))).toEqual(["Archive"]);
  expect(await names(root, filter({ name: { $begins_with: "BER" } }))).toEqual(["Berlin"]);
});

test("two units directly below the same one cannot have the same name, in whatever letter case", async () => {
  const above = (await create("Siblings")).body.id;
  const one = (await create("Straße", above)).body.id;
  expect(code(await create("STRASSE", above))).toEqual([409, 40902]);
  expect((await create("Straße", one)).status).toBe(201);
  const other = (await create("Other", above)).body.id;
  expect(code(await change(other, { name: "strasse" }))).toEqual([409, 40902]);
  expect(code(await change((await create("straße")).body.id, { parent_id: above }))).toEqual([409, 40902]);
  expect((await change(one, { name: "STRASSE" })).body.name).toBe("STRASSE");
});

test("what is wrong with a body is told together", async () => {
  const { status, body } = await plane.ask(path, {
    method: "POST",
    token: owner,
    body: { name: " ", parent_id: "Berlin" },
  });
  expect([status, body.errors]).toEqual([
    422,
    [
      {
        error_code: 42201,
        error_message: 'The field "name" has to be 1 to 200 characters on one line.',
        field: "/name",
      },
      {
        error_code: 42201,
        error_message: 'The field "parent_id" has to be the id of an organizational unit.',
        field: "/parent_id",
      },
    ],
  ]);
});

test("T10: a unit that is not the caller's answers like one that is not there", async () => {
  const mine = (await create("Mine")).body.id;
  const theirs = (await create("Theirs")).body.id;
  const { token } = await plane.serviceToken("admin", mine);
  const asked = (id: string) => [
    plane.ask(path, { method: "POST", token, body: { name: "x", parent_id: id } }),
    plane.ask(`${path}/${mine}`, { method: "PATCH", token, body: { parent_id: id } }),
    plane.ask(`${path}/${mine}?move_to=${id}`, { method: "DELETE", token }),
    plane.ask(`${path}/${id}`, { token }),
    plane.ask(`${path}/${id}`, { method: "PATCH", token, body: { name: "x" } }),
    plane.ask(`${path}/${id}`, { method: "DELETE", token }),
  ];
  const [real, made] = [await Promise.all(asked(theirs)), await Promise.all(asked(absent))];
  expect(real.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404]);
  expect(real.map(({ text }) => text)).toEqual(made.map(({ text }) => text));
  expect(await names(root)).toContain("Theirs");
});

test("T10: the parent of the topmost unit that somebody covers is neither shown nor found by filtering", async () => {
  const above = (await create("Hidden above")).body.id;
  const mine = (await create("Seen", above)).body.id;
  const below = (await create("Seen below", mine)).body.id;
  const { token } = await plane.serviceToken("viewer", mine);
  const { body } = await plane.ask(path, { token });
  expect(body._embedded.items.map((item: { parent_id: string }) => item.parent_id)).toEqual([null, mine]);
  expect((await plane.ask(`${path}/${mine}`, { token })).body.parent_id).toBeNull();
  expect((await plane.ask(`${path}/${below}`, { token })).body.parent_id).toBe(mine);
  expect(await names(mine, filter({ parent_id: above }), token)).toEqual([]);
  expect(await names(mine, filter({ parent_id: { $in: [above, mine] } }), token)).toEqual(["Seen below"]);
  expect((await plane.ask(`${path}/${mine}`, { token: owner })).body.parent_id).toBe(above);
});

test("a unit has the names of those above it, the topmost first, and the number of those directly below it", async () => {
  const emea = (await create("EMEA")).body.id;
  const spain = (await create("Spain", emea)).body.id;
  const madrid = (await create("Madrid", spain)).body.id;
  for (const name of ["Centro", "Retiro"]) await create(name, madrid);
  const above = [
    { id: root, name: "Root" },
    { id: emea, name: "EMEA" },
    { id: spain, name: "Spain" },
  ];
  const placed = { parent_id: spain, ancestors: above, child_count: 2 };
  expect((await plane.ask(`${path}/${madrid}`, { token: owner })).body).toMatchObject(placed);
  const listed = (await plane.ask(`${path}${filter({ id: { $in: [spain, madrid] } })}`, { token: owner })).body;
  expect(listed._embedded.items).toMatchObject([
    { name: "Madrid", ...placed },
    { name: "Spain", parent_id: emea, ancestors: above.slice(0, 2), child_count: 1 },
  ]);
  expect((await change(madrid, { name: "MAD" })).body).toMatchObject(placed);
  expect((await change(madrid, { parent_id: emea })).body).toMatchObject({
    parent_id: emea,
    ancestors: above.slice(0, 2),
    child_count: 2,
  });
  expect((await plane.ask(`${path}/${root}`, { token: owner })).body).toMatchObject({ parent_id: null, ancestors: [] });
});

test("T10: what is above the topmost unit that somebody covers is not among the units above", async () => {
  const hidden = (await create("Hidden region")).body.id;
  const mine = (await create("My town", hidden)).body.id;
  const below = (await create("My street", mine)).body.id;
  const { token } = await plane.serviceToken("viewer", mine);
  const { text, body } = await plane.ask(path, { token });
  expect(body._embedded.items).toMatchObject([
    { name: "My street", ancestors: [{ id: mine, name: "My town" }], child_count: 0 },
    { name: "My town", ancestors: [], child_count: 1 },
  ]);
  expect(text).not.toContain("Hidden region");
  expect(text).not.toContain(hidden);
  const { token: reporter } = await plane.serviceToken("reporter", below);
  expect((await plane.ask(`${path}/${below}`, { token: reporter })).status).toBe(403);
});

test("a unit cannot be moved below itself, and the root stays what it is", async () => {
  const top = (await create("Circle")).body.id;
  const middle = (await create("Middle", top)).body.id;
  const bottom = (await create("Bottom", middle)).body.id;
  for (const id of [top, middle, bottom]) expect(code(await change(top, { parent_id: id }))).toEqual([409, 40905]);
  expect(code(await remove(top, `?move_to=${bottom}`))).toEqual([409, 40905]);
  expect(code(await remove(top, `?move_to=${top}`))).toEqual([409, 40905]);
  expect(code(await change(root, { parent_id: top }))).toEqual([409, 40906]);
  expect(code(await remove(root))).toEqual([409, 40906]);
  const { token } = await plane.serviceToken("admin", top);
  expect((await change(root, { name: "Mine now" }, token, top)).status).toBe(404);
  expect((await change(root, { name: "The firm" })).body).toMatchObject({ name: "The firm", parent_id: null });
});

test("a tree is at most 32 levels deep, however it grows", async () => {
  let at = (await create("Deep")).body.id;
  for (let level = 3; level <= 32; level++) at = (await create(`Level ${level}`, at)).body.id;
  expect(code(await create("Too deep", at))).toEqual([409, 40906]);
  const other = (await create("Comes along")).body.id;
  expect(code(await change(other, { parent_id: at }))).toEqual([409, 40906]);
});

test("moving a unit changes at once who sees what is in it", async () => {
  const [from, to] = [(await create("From")).body.id, (await create("To")).body.id];
  const moved = (await create("Moved", from)).body.id;
  const inside = (await create("Inside", moved)).body.id;
  await plane.addTasks([{ organizational_unit_id: moved }, { organizational_unit_id: inside }]);
  const [before, after] = [
    (await plane.serviceToken("viewer", from)).token,
    (await plane.serviceToken("viewer", to)).token,
  ];
  const seen = async (token: string) => (await plane.ask("/tasks", { token })).body.total_count;
  expect([await seen(before), await seen(after)]).toEqual([2, 0]);
  const { status, body } = await change(moved, { parent_id: to, name: "Arrived" });
  expect([status, body.parent_id, body.name]).toEqual([200, to, "Arrived"]);
  expect([await seen(before), await seen(after)]).toEqual([0, 2]);
  expect([await names(from), await names(to)]).toEqual([["From"], ["Arrived", "Inside", "To"]]);
});

test("moving needs the permission in both places, and gives or takes nothing that the mover does not hold", async () => {
  const [from, to] = [(await create("Old home")).body.id, (await create("New home")).body.id];
  const moved = (await create("Furniture", from)).body.id;
  const mover = await plane.addUser({
    roles: [
      { role: "admin", unitId: moved },
      { role: "admin", unitId: to },
    ],
  });
  const { token } = await plane.personalToken(mover, moved);
  expect(code(await change(moved, { parent_id: to }, token, moved))).toEqual([403, 40301]);

  // Whoever only tends the tree gains nothing by putting a unit below one in which they may do more.
  const gardening = await plane.ask("/roles", {
    method: "POST",
    token: owner,
    body: { name: "gardener", permissions: ["organizational-units:read", "organizational-units:write"] },
  });
  const gardener = await plane.addUser({ roles: [{ role: "viewer", unitId: to }] });
  await plane.database.change((db) =>
    db
      .insertInto("role_grants")
      .values({ user_id: gardener, role_id: gardening.body.id, organizational_unit_id: root })
      .execute(),
  );
  const digging = (await plane.personalToken(gardener)).token;
  expect(code(await change(moved, { parent_id: to }, digging))).toEqual([403, 40303]);
  expect(code(await remove(moved, `?move_to=${to}`, digging))).toEqual([403, 40303]);
  // Nor do they take a unit away from somebody who may do more there.
  expect((await change((await create("Meadow")).body.id, { name: "Lawn" }, digging)).status).toBe(200);
  await plane.addUser({ roles: [{ role: "owner", unitId: from }] });
  const field = (await create("Field")).body.id;
  expect(code(await change(moved, { parent_id: field }, digging))).toEqual([403, 40303]);
  const admin = (await plane.serviceToken("admin")).token;
  expect(code(await change(moved, { parent_id: field }, admin))).toEqual([403, 40303]);
  expect((await change(moved, { parent_id: field })).status).toBe(200);
});

test("a unit with anything in it is deleted only when it is said where that goes", async () => {
  const to = (await create("Takes all")).body.id;
  const full = (await create("Full")).body.id;
  const refused = async (what: string) => {
    const { status, body } = await remove(full);
    expect([status, body.errors[0].error_code, body.errors[0].error_message]).toEqual([
      409,
      40904,
      `There are ${what} in this organizational unit. Remove them, or name another unit that takes everything: move_to.`,
    ]);
  };
  const { body: role } = await plane.ask("/roles", {
    method: "POST",
    token: owner,
    unit: full,
    body: { name: "keeper", permissions: ["tasks:read"] },
  });
  await refused("roles");
  const token = await plane.serviceToken("viewer", full);
  await refused("roles and API tokens");
  const user = await plane.addUser({
    roles: [
      { role: "viewer", unitId: full },
      { role: "viewer", unitId: to },
    ],
  });
  await refused("roles, users with a role and API tokens");
  const [task] = await plane.addTasks([
    { organizational_unit_id: full, error: { code: "x", message: `"organizational_unit_id":"${full}"`, remedy: "" } },
  ]);
  await refused("roles, users with a role, API tokens, tasks and protected entities that are not retired");
  const child = (await create("Child", full)).body.id;
  await refused("other units, roles, users with a role, API tokens, tasks and protected entities that are not retired");

  expect(code(await remove(full, "?move_to=elsewhere"))).toEqual([400, 40003]);
  expect((await remove(full, `?move_to=${to}`)).status).toBe(204);
  expect((await plane.ask(`${path}/${full}`, { token: owner })).status).toBe(404);
  expect(await names(to)).toEqual(["Child", "Takes all"]);
  expect((await plane.ask(`${path}/${child}`, { token: owner })).body.parent_id).toBe(to);
  const { body: tasks } = await plane.ask("/tasks", { token: token.token });
  expect(tasks.total_count).toBe(1);
  expect(tasks._embedded.items[0]).toMatchObject({ ...task, organizational_unit_id: to });
  expect((await plane.ask(`/roles/${role.id}`, { token: owner, unit: to })).body.organizational_unit_id).toBe(to);
  expect((await plane.ask(`/users/${user}`, { token: owner })).body.access_control_configuration).toEqual([
    { role_id: await plane.roleId("viewer"), organizational_unit_ids: [to] },
  ]);
});

test("where everything is to go into a unit that has one of the same name, the refusal names it, and nothing moves", async () => {
  const [from, to] = [(await create("Giver")).body.id, (await create("Taker")).body.id];
  for (const name of ["Aachen", "Köln", "Ulm"]) await create(name, from);
  await create("KÖLN", to);
  const { status, body } = await remove(from, `?move_to=${to}`);
  expect([status, body.errors]).toEqual([
    409,
    [
      {
        error_code: 40902,
        error_message:
          'There is another organizational unit "Köln" in the one that takes everything. Rename one of them first.',
      },
    ],
  ]);
  expect(await names(from)).toEqual(["Aachen", "Giver", "Köln", "Ulm"]);
});

test("roles keep to where they can be held and stay unlike in name, whatever moves", async () => {
  const [one, other] = [(await create("One")).body.id, (await create("Another")).body.id];
  const moved = (await create("Roleful", one)).body.id;
  const makeRole = async (unit: string, name: string) =>
    (await plane.ask("/roles", { method: "POST", token: owner, unit, body: { name, permissions: ["tasks:read"] } }))
      .body.id;
  const held = await makeRole(one, "held below");
  const user = await plane.addUser({});
  const grant = { user_id: user, role_id: held, organizational_unit_id: moved };
  await plane.database.change((db) => db.insertInto("role_grants").values(grant).execute());
  expect(code(await change(moved, { parent_id: other }))).toEqual([409, 40904]);
  expect(code(await remove(moved, `?move_to=${other}`))).toEqual([409, 40904]);
  await plane.database.change((db) => db.deleteFrom("role_grants").where("user_id", "=", user).execute());
  await makeRole(moved, "namesake");
  const namesake = await makeRole(other, "Namesake");
  expect(code(await change(moved, { parent_id: other }))).toEqual([409, 40902]);
  expect(code(await remove(moved, `?move_to=${other}`))).toEqual([409, 40902]);
  expect((await plane.ask(`/roles/${namesake}`, { method: "DELETE", token: owner, unit: other })).status).toBe(204);
  expect((await remove(moved, `?move_to=${other}`)).status).toBe(204);
});

test("a stale If-Match changes and deletes nothing", async () => {
  const { body, headers } = await create("Stale");
  const etag = headers.get("etag") ?? "";
  const ask = (method: string, match: string) =>
    plane.ask(`${path}/${body.id}`, {
      method,
      token: owner,
      headers: { "If-Match": match },
      ...(method === "PATCH" ? { body: { name: "Fresh" } } : {}),
    });
  expect(code(await ask("PATCH", '"1-x"'))).toEqual([412, 41201]);
  expect((await ask("PATCH", etag)).status).toBe(200);
  expect(code(await ask("DELETE", etag))).toEqual([412, 41201]);
  expect((await plane.ask(`${path}/${body.id}`, { token: owner })).body.name).toBe("Fresh");
});
