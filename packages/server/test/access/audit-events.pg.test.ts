import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import fc from "fast-check";
import { createRefusals } from "../../src/audit/count-refusals";
import { recordEvent } from "../../src/audit/record-event";
import { verifyChain } from "../../src/audit/verify-chain";
import type { Database } from "../../src/database/database";
import { DatabaseUnavailable } from "../../src/database/errors";
import { readWhole } from "../folder-database";
import { type Ask, openPlane, type Plane, root, walk } from "../harness";
import { forbidEvents } from "./forbid-events";
import { auditEvents, openPlaneForPeople } from "./people";

let plane: Plane;
let berlin: string;
let mitte: string;
let paris: string;
let owner: { id: string; token: string };
beforeAll(async () => {
  plane = await openPlane();
  berlin = await plane.addUnit("Berlin");
  mitte = await plane.addUnit("Mitte", berlin);
  paris = await plane.addUnit("Paris");
  owner = await plane.serviceToken("owner");
});
afterAll(() => plane.close());

const tokenBody = (name: string, unitId = root) => ({
  name,
  kind: "service",
  role_id: defaultRoles.viewer.id,
  organizational_unit_id: unitId,
});
const createToken = (name: string, unitId = root, ask: Ask = {}, on = plane) =>
  on.ask("/api-tokens", { token: owner.token, ...ask, method: "POST", body: tokenBody(name, unitId) });

async function eventsOf(filter: object, ask: Ask = {}, on = plane) {
  await on.service.refusals.flush();
  const query = encodeURIComponent(JSON.stringify(filter));
  return walk(on, `/audit-events?limit=2&filter=${query}`, { token: owner.token, ...ask });
}

const verify = ({ database, controlPlane }: Plane) =>
  database.snapshot(async (db) => (await verifyChain(db, controlPlane.sealer)).end.count);

describe("T26: what is done is told:", () => {
  test("making, renaming, rotating and revoking a token, with before and after", async () => {
    const answer = await createToken("audited", berlin);
    const { token: _, ...made } = answer.body;
    const path = `/api-tokens/${made.id}`;
    const renamed = (await plane.ask(path, { token: owner.token, method: "PATCH", body: { name: "again" } })).body;
    const rotated = await plane.ask(`${path}/rotate`, { token: owner.token, method: "POST", body: {} });
    const { token: __, ...fresh } = rotated.body;
    await plane.ask(`/api-tokens/${fresh.id}`, { token: owner.token, method: "DELETE" });
    const events = await eventsOf({ object_id: { $in: [made.id, fresh.id] } });
    const revoked = { ...fresh, revoked_timestamp: new Date(plane.clock.now).toISOString() };
    expect(events.map(({ operation, object, before, after }) => ({ operation, id: object.id, before, after }))).toEqual(
      [
        { operation: "revoke-api-token", id: fresh.id, before: fresh, after: revoked },
        { operation: "rotate-api-token", id: made.id, before: renamed, after: fresh },
        { operation: "update-api-token", id: made.id, before: made, after: renamed },
        { operation: "create-api-token", id: made.id, before: null, after: made },
      ],
    );
    const created = events[3];
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      number: 1,
      created_timestamp: new Date(plane.clock.now).toISOString(),
      actor: { kind: "service", user_id: null, token_id: owner.id, address: "", name: "owner token" },
      operation: "create-api-token",
      object: { type: "api-token", id: made.id, name: "audited" },
      organizational_unit_id: berlin,
      request_id: answer.headers.get("x-request-id"),
      result: "done",
      reason: null,
      count: 1,
      before: null,
      after: made,
      previous_hash: "0".repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      _links: { self: { href: `/audit-events/${created.id}`, templated: false, type: "get" } },
    });
    expect(events.map(({ previous_hash }) => previous_hash)).toEqual([
      ...events.slice(1).map(({ hash }) => hash),
      "0".repeat(64),
    ]);
    expect((await plane.ask(`/audit-events/${created.id}`, { token: owner.token })).body).toEqual(created);
  });

  test("a role that is made, and who made it: the user and the token", async () => {
    const userId = await plane.addUser({ roles: [{ role: "admin", unitId: paris }] });
    const { id, token } = await plane.personalToken(userId, paris);
    const body = { name: "Reader", permissions: ["tasks:read"] };
    await plane.ask("/roles", { token, method: "POST", body });
    for (const actor_id of [userId, id]) {
      const [event, ...more] = await eventsOf({ actor_id, operation: "create-role" });
      expect(more).toEqual([]);
      expect(event.actor).toMatchObject({ kind: "user", user_id: userId, token_id: id });
    }
  });

  test("nothing for what was not done, and nothing again for what was answered from a key", async () => {
    const before = await verify(plane);
    await createToken("");
    const ask = { headers: { "Idempotency-Key": "audit-1" } };
    await createToken("kept", root, ask);
    await createToken("kept", root, ask);
    expect(await verify(plane)).toBe(before + 1);
  });
});

describe("T8: who sees events", () => {
  test("a unit sees its own and those below; what happened elsewhere or in no unit is for the root", async () => {
    const admin = await plane.serviceToken("admin", berlin);
    const made = new Map<string, string>();
    for (const unit of [root, berlin, mitte, paris]) made.set(unit, (await createToken("seen", unit)).body.id);
    const at = plane.clock.now;
    const actor = { kind: "nobody", user_id: null, token_id: null, address: "192.0.2.1" };
    const nowhere = {
      at,
      actor,
      operation: "sign-in",
      object: null,
      unitId: null,
      requestId: null,
      result: "refused",
    } as const;
    await plane.database.change((db) => recordEvent(db, plane.controlPlane.sealer, nowhere));
    const ids = [...made.values()];
    const seen = async (ask: Ask) => (await eventsOf({ object_id: { $in: ids } }, ask)).map(({ object }) => object.id);
    expect(await seen({})).toEqual(ids.toReversed());
    expect(await seen({ token: admin.token })).toEqual([made.get(mitte), made.get(berlin)]);
    expect(await seen({ token: admin.token, unit: mitte })).toEqual([made.get(mitte)]);
    expect(await eventsOf({ operation: "sign-in" }, { token: admin.token })).toEqual([]);
    expect(await eventsOf({ operation: "sign-in" })).toHaveLength(1);
    const [elsewhere] = await eventsOf({ object_id: made.get(paris) });
    const answers = await Promise.all(
      [elsewhere.id, "11111111-1111-4111-8111-111111111111"].map((id) =>
        plane.ask(`/audit-events/${id}`, { token: admin.token }),
      ),
    );
    const absent = "There is no such audit event, or you may not see it.";
    const refused = [404, JSON.stringify({ errors: [{ error_code: 40402, error_message: absent }] })];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([refused, refused]);
  });

  test("nobody without the permission, and nobody can change or delete one", async () => {
    const { token } = await plane.serviceToken("operator");
    expect((await plane.ask("/audit-events", { token })).status).toBe(403);
    const [event] = await eventsOf({ operation: "create-api-token" });
    for (const method of ["POST", "PATCH", "DELETE"]) {
      expect((await plane.ask(`/audit-events/${event.id}`, { token: owner.token, method })).status).toBe(405);
    }
  });

  test("filters narrow by operation, object, time and result", async () => {
    plane.clock.now += 1000;
    const { id } = (await createToken("filtered")).body;
    const now = new Date(plane.clock.now).toISOString();
    const found = async (filter: object) => (await eventsOf(filter)).map(({ object }) => object?.id ?? null);
    expect(await found({ created_timestamp: { $gte: now } })).toEqual([id]);
    expect(await found({ created_timestamp: { $gt: now } })).toEqual([]);
    expect(
      await found({ object_id: id, object_type: "api-token", result: "done", operation: "create-api-token" }),
    ).toEqual([id]);
    expect(await found({ object_id: id, result: { $neq: "done" } })).toEqual([]);
    expect(await found({ object_id: id, object_type: "user" })).toEqual([]);
    expect(await found({ object_id: id, actor_id: id })).toEqual([]);
    expect(await found({ object_id: id, organizational_unit_id: root })).toEqual([id]);
    expect(await found({ object_id: id, organizational_unit_id: { $in: [berlin, paris] } })).toEqual([]);
  });
});

describe("T26: refusals", () => {
  test("are told of with who, what and why, and alike ones are counted together", async () => {
    const { id, token } = await plane.serviceToken("viewer", berlin);
    for (let tried = 0; tried < 7; tried++) await createToken("not mine", berlin, { token });
    await plane.ask("/api-tokens/x%00y", { token, method: "DELETE" });
    const events = await eventsOf({ actor_id: id });
    expect(
      events.map(({ operation, object, organizational_unit_id, result, reason, count }) => ({
        operation,
        object,
        organizational_unit_id,
        result,
        reason,
        count,
      })),
    ).toEqual([
      {
        operation: "revoke-api-token",
        object: { type: "api-token", id: "x\ufffdy", name: null },
        organizational_unit_id: berlin,
        result: "refused",
        reason: "permissionMissing",
        count: 1,
      },
      {
        operation: "create-api-token",
        object: null,
        organizational_unit_id: berlin,
        result: "refused",
        reason: "permissionMissing",
        count: 7,
      },
    ]);
  });

  test("of reading are told of, too, and those of a unit that is not theirs are for the root to see", async () => {
    const { id, token } = await plane.serviceToken("reporter", berlin);
    await plane.ask("/tasks", { token });
    await plane.ask("/tasks", { token, unit: paris });
    const told = (await eventsOf({ actor_id: id })).map(({ operation, organizational_unit_id, reason }) => ({
      operation,
      organizational_unit_id,
      reason,
    }));
    expect(told).toEqual([
      { operation: "list-tasks", organizational_unit_id: null, reason: "unitForbidden" },
      { operation: "list-tasks", organizational_unit_id: berlin, reason: "permissionMissing" },
    ]);
  });

  test("that cannot be written yet are kept, few of them, and written once that is possible", async () => {
    const here = await openPlane();
    const { token } = await here.serviceToken("viewer");
    const lift = await forbidEvents(here, "");
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 200; at++) await here.ask(`/api-tokens/${round}-${at}`, { token, method: "DELETE" });
      await here.service.refusals.flush();
    }
    expect(await verify(here)).toBe(0);
    await lift();
    await here.service.refusals.flush();
    expect(await verify(here)).toBe(21);
    expect((await auditEvents(here)).map(({ count }) => count)).toEqual([...Array(20).fill(1), 580]);
    await here.close();
  });

  test("of one who floods do not hide who else was refused", async () => {
    // A password that is hashed at length would let the refusals before it be written by themselves.
    const here = await openPlaneForPeople();
    const [flooder, spy] = [await here.serviceToken("viewer"), await here.serviceToken("viewer")];
    for (let at = 0; at < 150; at++) await here.ask(`/users/${at}`, { token: flooder.token, method: "DELETE" });
    await here.ask("/audit-events", { token: spy.token, peer: "192.0.2.7" });
    const body = { email: "nobody@example.org", password: "a guess" };
    await here.ask("/session", { method: "POST", body, peer: "198.51.100.9" });
    const events = (await auditEvents(here)).map(({ actor, operation, count }) => ({ actor, operation, count }));
    const [ofFlooder, ofOthers] = [true, false].map((isFlooder) =>
      events.filter(({ actor }) => (actor.token_id === flooder.id) === isFlooder),
    );
    expect(ofOthers?.sort((one, other) => (one.operation < other.operation ? -1 : 1))).toEqual([
      {
        actor: { kind: "service", user_id: null, token_id: spy.id, address: "192.0.2.7", name: "viewer token" },
        operation: "list-audit-events",
        count: 1,
      },
      {
        actor: { kind: "nobody", user_id: null, token_id: null, address: "198.51.100.9", name: null },
        operation: "sign-in",
        count: 1,
      },
    ]);
    // The number of these events depends on the number of seconds that they took.
    expect(ofFlooder?.reduce((sum, { count }) => sum + count, 0)).toBe(150);
    await here.close();
  });

  test("are each counted once, whichever writings fail, and whatever is noted meanwhile", async () => {
    const here = await openPlane();
    const { database, controlPlane, service, clock } = here;
    const actor = { kind: "service", user_id: null, address: null };
    const round = fc.record({ fails: fc.boolean(), actors: fc.array(fc.nat({ max: 130 }), { maxLength: 60 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
        await database.change((db) => db.deleteFrom("audit_events").execute());
        let isFailing = false;
        const change: Database["change"] = (write) =>
          isFailing ? Promise.reject(new DatabaseUnavailable("It is away.")) : database.change(write);
        const refusals = createRefusals({ ...database, change }, controlPlane.sealer, service.log);
        let noted = 0;
        for (const { fails, actors } of rounds) {
          isFailing = fails;
          const writing = refusals.flush();
          for (const [at, who] of actors.entries()) {
            const object = { type: "user", id: `${at}` };
            const more = {
              operation: "delete-user",
              object,
              unitId: null,
              requestId: null,
              result: "refused",
            } as const;
            refusals.note({ at: clock.now, actor: { ...actor, token_id: `${who % 7}-${who}` }, ...more });
          }
          noted += actors.length;
          await writing;
        }
        isFailing = false;
        await refusals.flush();
        const events = await auditEvents(here);
        expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(noted);
      }),
      { numRuns: 15 },
    );
    await here.close();
  });
});

describe("T26: where an event cannot be written,", () => {
  test("a token is not made, and the one who asks gets none", async () => {
    const here = await openPlane();
    const { token } = await here.serviceToken("owner");
    const lift = await forbidEvents(here, "");
    const answer = await createToken("secret", root, { token }, here);
    expect({ status: answer.status, retry: answer.headers.get("retry-after"), body: answer.body }).toEqual({
      status: 503,
      retry: "1",
      body: {
        errors: [
          {
            error_code: 50301,
            error_message:
              "Nothing was done, because the audit trail cannot be written. Ask your administrator to run: holdfast audit verify",
          },
        ],
      },
    });
    await lift();
    expect(await walk(here, "/api-tokens", { token })).toHaveLength(1);
    expect((await createToken("secret", root, { token }, here)).status).toBe(201);
    await here.close();
  });
});

test("T24: after all kinds of changes no secret stands in any event, nor anywhere else in the database or the log", async () => {
  const secrets: string[] = [owner.token];
  for (let round = 0; round < 5; round++) {
    const made = (await createToken(`canary ${round}`, root, { headers: { "Idempotency-Key": `canary-${round}` } }))
      .body;
    const ask = { token: owner.token, method: "POST", body: { overlap_seconds: 60 } };
    const fresh = (await plane.ask(`/api-tokens/${made.id}/rotate`, ask)).body;
    secrets.push(made.token, fresh.token);
    await createToken(made.token, root, { token: made.token });
  }
  await plane.service.refusals.flush();
  plane.service.log.flush();
  const stored = (await readWhole(plane.databaseUrl)) + plane.logged.join("");
  const signatures = secrets.map((secret) => secret.split(".")[2] ?? "");
  expect(signatures.map((signature) => signature.length)).toEqual(secrets.map(() => 86));
  expect(signatures.filter((signature) => stored.includes(signature))).toEqual([]);
});
