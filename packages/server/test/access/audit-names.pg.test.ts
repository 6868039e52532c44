import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditEventV1 } from "@holdfast/api/resources/audit-events";
import { emptyChain, writeHead } from "../../src/audit/chain-head";
import { exportEvents } from "../../src/audit/export-events";
import { hashOf } from "../../src/audit/record-event";
import { verifyChain } from "../../src/audit/verify-chain";
import { verifyExport } from "../../src/audit/verify-export";
import { openPlane, type Plane, root } from "../harness";
import { addPerson, auditEvents, openPlaneForPeople, signIn } from "./people";

let plane: Plane;
let owner: { id: string; token: string };
beforeAll(async () => {
  plane = await openPlaneForPeople();
  owner = await plane.serviceToken("owner");
});
afterAll(() => plane.close());

const send = (method: string, path: string, body?: object, token = owner.token) =>
  plane.ask(path, { method, token, ...(body ? { body } : {}) });

/** Names in the events about something, oldest first: the actor, the object, and where. */
async function namesOf(id: string) {
  const events = (await auditEvents(plane)).filter(({ object }) => object?.id === id);
  return events.map(({ operation, actor, object }) => [operation, actor.name, object.name]);
}

describe("the names in an event are those of the time:", () => {
  test("of a person, by token and by session, and of what they made, renamed and deleted", async () => {
    const email = "ida@names.example";
    const ida = await addPerson(plane, { email, name: "Ida Berg", roles: [{ role: "owner" }] });
    const { token } = await plane.personalToken(ida);
    const { id } = (await send("POST", "/roles", { name: "Auditor", permissions: ["tasks:read"] }, token)).body;
    await send("PATCH", `/users/${ida}`, { full_name: "Ida Holm" });
    await send("PATCH", `/roles/${id}`, { name: "Reader" }, token);
    const session = await signIn(plane, email);
    await session.ask(`/roles/${id}`, { method: "DELETE" });
    expect(await namesOf(id)).toEqual([
      ["create-role", "Ida Berg", "Auditor"],
      ["update-role", "Ida Holm", "Reader"],
      ["delete-role", "Ida Holm", "Reader"],
    ]);
    expect(await namesOf(ida)).toEqual([
      ["update-user", "owner token", "Ida Holm"],
      ["sign-in", "Ida Holm", "Ida Holm"],
    ]);
    await plane.addUser({ roles: [{ role: "owner" }] });
    await session.ask(`/users/${ida}`, { method: "DELETE" });
    expect((await namesOf(ida)).at(-1)).toEqual(["delete-user", "Ida Holm", "Ida Holm"]);
  });

  test("of a token that is revoked, and of the service token that did it", async () => {
    const role_id = await plane.roleId("viewer");
    const { id } = (await send("POST", "/api-tokens", { name: "nightly", kind: "service", role_id })).body;
    await send("DELETE", `/api-tokens/${id}`);
    expect((await namesOf(id)).at(-1)).toEqual(["revoke-api-token", "owner token", "nightly"]);
  });

  test("none for a key, for a stranger, and for the service itself", async () => {
    await send("POST", "/keys");
    await plane.ask("/session", { method: "POST", body: { email: "none@names.example", password: "a guess" } });
    const events = await auditEvents(plane);
    const named = ({ operation, actor, object }: (typeof events)[number]) => [operation, actor.name, object?.name];
    expect(named(events.find(({ operation }) => operation === "rotate-key"))).toEqual([
      "rotate-key",
      "owner token",
      null,
    ]);
    expect(named(events.at(-1))).toEqual(["sign-in", null, null]);
  });
});

describe("T8: names do not tell more than the event does:", () => {
  test("what was refused has no name, be its id that of a thing in another unit", async () => {
    const [north, south] = [await plane.addUnit("North"), await plane.addUnit("South")];
    const hidden = await plane.addUser({ name: "Hidden Person", roles: [{ role: "viewer", unitId: south }] });
    const { token } = await plane.serviceToken("viewer", north);
    expect((await send("DELETE", `/users/${hidden}`, undefined, token)).status).toBe(403);
    expect(await namesOf(hidden)).toEqual([["delete-user", "viewer token", null]]);
  });

  test("the place that a unit leaves learns no new name, and the one that takes its contents no name at all", async () => {
    const above = await plane.addUnit("Above");
    const [from, to] = [await plane.addUnit("From", above), await plane.addUnit("To", above)];
    const moved = await plane.addUnit("Old name", from);
    await send("PATCH", `/organizational-units/${moved}`, { name: "New name", parent_id: to });
    const gone = await plane.addUnit("Secret project", from);
    expect((await send("DELETE", `/organizational-units/${gone}?move_to=${to}`)).status).toBe(204);
    const told = async (unit: string) => {
      const { token } = await plane.serviceToken("admin", unit);
      return (await plane.ask("/audit-events", { token })).text;
    };
    expect(await told(from)).not.toContain("New name");
    expect(await told(to)).toContain("New name");
    expect(await told(to)).not.toContain("Secret project");
    expect(await told(from)).toContain("Secret project");
  });
});

describe("T26: events of older versions, which have no names,", () => {
  const actor = { kind: "user", user_id: root, token_id: null, address: "192.0.2.1" };
  const older = (number: number, previous_hash: string) => ({
    id: `00000000-0000-4000-8000-00000000000${number}`,
    number,
    created_timestamp: "2026-11-01T00:00:00.000Z",
    actor,
    operation: "update-user",
    object: number === 2 ? null : { type: "user", id: root },
    organizational_unit_id: root,
    request_id: null,
    result: "done",
    reason: null,
    count: 1,
    before: null,
    after: { full_name: "Ada\u2028Lovelace" },
    previous_hash,
  });

  async function openOldPlane(): Promise<Plane> {
    const old = await openPlane();
    await old.database.change(async (db) => {
      let head = emptyChain;
      for (const number of [1, 2, 3]) {
        const document = JSON.stringify(older(number, head.hash)).replaceAll("\u2028", "\\u2028");
        head = { count: number, hash: hashOf(document) };
        const { object } = older(number, "");
        await db
          .insertInto("audit_events")
          .values({
            number,
            id: older(number, "").id,
            created_at: Date.parse("2026-11-01T00:00:00.000Z"),
            operation: "update-user",
            result: "done",
            actor_user_id: root,
            actor_token_id: null,
            object_type: object?.type ?? null,
            object_id: object?.id ?? null,
            organizational_unit_id: root,
            document,
            hash: head.hash,
          })
          .execute();
      }
      await writeHead(db, old.controlPlane.sealer, head);
    });
    return old;
  }

  test("verify and are exported as before, with newer ones after them, and are shown with null as names", async () => {
    const old = await openOldPlane();
    const { token } = await old.serviceToken("owner");
    const body = { name: "Auditor", permissions: ["tasks:read"] };
    expect((await old.ask("/roles", { method: "POST", token, body })).status).toBe(201);
    const { controlPlane, database, clock } = old;
    expect((await database.snapshot((db) => verifyChain(db, controlPlane.sealer))).end.count).toBe(4);
    const lines: string[] = [];
    await exportEvents(controlPlane, clock.now, (line) => {
      lines.push(`${line}\n`);
    });
    async function* bytes() {
      yield Buffer.from(lines.join(""));
    }
    expect((await verifyExport(bytes())).count).toBe(4);
    const { items } = (await old.ask("/audit-events", { token })).body._embedded;
    expect(items.map((item: unknown) => auditEventV1.safeParse(item).success)).toEqual([true, true, true, true]);
    expect(items.map(({ actor, object }: Record<string, { name: string }>) => [actor?.name, object?.name])).toEqual([
      ["owner token", "Auditor"],
      [null, null],
      [null, undefined],
      [null, null],
    ]);
    const { _links, hash, ...first } = items[3];
    expect(first).toEqual({
      ...older(1, emptyChain.hash),
      actor: { ...actor, name: null },
      object: { type: "user", id: root, name: null },
    });
    const read = await old.ask(`/audit-events/${first.id}`, { token });
    expect(read.body).toEqual(items[3]);
    await old.close();
  });

  test("with a name slipped into them are found to be altered", async () => {
    const old = await openOldPlane();
    await old.database.change(async (db) => {
      const row = await db
        .selectFrom("audit_events")
        .select("document")
        .where("number", "=", 2)
        .executeTakeFirstOrThrow();
      const document = row.document.replace('"192.0.2.1"', '"192.0.2.1","name":"Eve"');
      await db.updateTable("audit_events").set({ document }).where("number", "=", 2).execute();
    });
    const verified = old.database.snapshot((db) => verifyChain(db, old.controlPlane.sealer));
    await expect(verified).rejects.toThrow("Event 2 was altered");
    await old.close();
  });
});
