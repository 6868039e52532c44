import { describe, expect, test } from "bun:test";
import { type Answered, openPlane, type Plane, root } from "../harness";

const day = 86_400_000;

const soon = "2026-11-15T13:00:00.000Z";
const late = "2028-08-01T00:00:00.000Z";

/** When a token expires, and how it ends before that. */
const ends = {
  "was revoked": {
    expires: late,
    end: ({ ask }: Plane, id: string, token: string) => ask(`/api-tokens/${id}`, { method: "DELETE", token }),
  },
  "has expired": { expires: soon, end: async () => {} },
  "was rotated": {
    expires: late,
    end: ({ ask }: Plane, id: string, token: string) =>
      ask(`/api-tokens/${id}/rotate`, {
        method: "POST",
        token,
        body: { overlap_seconds: 60, expires_timestamp: soon },
      }),
  },
};
type Ending = keyof typeof ends;
const endings: Ending[] = ["was revoked", "has expired", "was rotated"];
const code = ({ status, body }: Answered) => [status, body?.errors[0].error_code];

/** A role of a unit X, and a service token with it in X1, below X, that has ended a while ago in one of the ways above. */
async function makeEnded(ending: Ending) {
  const { expires, end } = ends[ending];
  const plane = await openPlane();
  const life = 700 * day;
  const owner = (await plane.serviceToken("owner", root, life)).token;
  const x = await plane.addUnit("X");
  const x1 = await plane.addUnit("X1", x);
  const post = (path: string, unit: string, body: object) =>
    plane.ask(path, { method: "POST", token: owner, unit, body });
  const { id: roleId } = (await post("/roles", x, { name: "keeper", permissions: ["tasks:read"] })).body;
  const wanted = { name: "old", kind: "service", role_id: roleId, expires_timestamp: expires };
  const made = await post("/api-tokens", x1, wanted);
  const { token, ...item } = made.body;
  await end(plane, item.id, owner);
  const begin = plane.clock.now;
  const ask = (method: string, path: string, more: object = {}) =>
    plane.ask(path, { method, token: owner, unit: root, ...more });
  return {
    plane,
    ask,
    x,
    x1,
    roleId,
    item,
    use: () => plane.ask("/tasks", { token }),
    /** Lets the token end, and sets the clock to when it was good. */
    forth: () => {
      plane.clock.now = begin + 600 * day;
    },
    back: () => {
      plane.clock.now = begin;
    },
    /** Lists the token. */
    async listed() {
      const { body } = await ask("GET", "/api-tokens?limit=1000");
      return body._embedded.items.find(({ id }: { id: string }) => id === item.id);
    },
  };
}

describe.each(endings)("a token that %s", (ending) => {
  test("T7: keeps no role: it is listed without one when the role is deleted, and never comes alive", async () => {
    const { plane, ask, x, roleId, item, use, forth, back, listed } = await makeEnded(ending);
    forth();
    expect((await ask("DELETE", `/roles/${roleId}`, { unit: x })).status).toBe(204);
    expect(await listed()).toEqual({ ...item, role_id: null, revoked_timestamp: expect.any(String) });
    const rotated = await ask("POST", `/api-tokens/${item.id}/rotate`, { body: { overlap_seconds: 60 } });
    expect(code(rotated)).toEqual([409, 40906]);
    const renamed = await ask("PATCH", `/api-tokens/${item.id}`, { body: { name: "history" } });
    expect([renamed.status, renamed.body.name]).toEqual([200, "history"]);
    back();
    expect((await use()).status).toBe(401);
    expect((await ask("DELETE", `/api-tokens/${item.id}`)).status).toBe(204);
    await plane.close();
  });

  test("T7: keeps no unit: it is listed in the unit above when its own is deleted, and never comes alive", async () => {
    const { plane, ask, x, x1, item, use, forth, back, listed } = await makeEnded(ending);
    forth();
    expect((await ask("DELETE", `/organizational-units/${x1}`)).status).toBe(204);
    expect(await listed()).toEqual({ ...item, organizational_unit_id: x, revoked_timestamp: expect.any(String) });
    back();
    expect((await use()).status).toBe(401);
    await plane.close();
  });

  test("T7: goes along with its unit, without a role that cannot be held there, and never comes alive", async () => {
    const { plane, ask, x1, item, use, forth, back, listed } = await makeEnded(ending);
    const elsewhere = await plane.addUnit("Elsewhere");
    forth();
    expect((await ask("PATCH", `/organizational-units/${x1}`, { body: { parent_id: elsewhere } })).status).toBe(200);
    const ended = { ...item, role_id: null, revoked_timestamp: expect.any(String) };
    expect(await listed()).toEqual(ended);
    back();
    expect((await use()).status).toBe(401);
    forth();
    const target = await plane.addUnit("Target");
    expect((await ask("DELETE", `/organizational-units/${x1}?move_to=${target}`)).status).toBe(204);
    expect(await listed()).toEqual({ ...ended, organizational_unit_id: target });
    await plane.close();
  });

  test("T7: is no help to a role that is taken over by move_to, and never comes alive in the unit that takes all", async () => {
    const { plane, ask, x, x1, item, use, forth, back, listed } = await makeEnded(ending);
    const target = await plane.addUnit("Target", x);
    forth();
    expect((await ask("DELETE", `/organizational-units/${x1}?move_to=${target}`)).status).toBe(204);
    const ended = { ...item, organizational_unit_id: target, revoked_timestamp: expect.any(String) };
    expect(await listed()).toEqual(ended);
    back();
    expect((await use()).status).toBe(401);
    await plane.close();
  });
});

test("a token that is good, or still is for an overlap, keeps its role and its unit where they are", async () => {
  const { plane, ask, x, x1, roleId, item, use, listed } = await makeEnded("was rotated");
  const elsewhere = await plane.addUnit("Elsewhere");
  const rotated = await listed();
  // A successor would keep them, too.
  await plane.database.change((db) =>
    db.deleteFrom("api_tokens").where("role_id", "=", roleId).where("id", "!=", item.id).execute(),
  );
  expect([
    code(await ask("DELETE", `/roles/${roleId}`, { unit: x })),
    code(await ask("DELETE", `/organizational-units/${x1}`)),
    code(await ask("PATCH", `/organizational-units/${x1}`, { body: { parent_id: elsewhere } })),
    code(await ask("DELETE", `/organizational-units/${x1}?move_to=${elsewhere}`)),
  ]).toEqual(Array(4).fill([409, 40904]));
  expect([(await use()).status, await listed()]).toEqual([200, rotated]);
  await plane.close();
});
