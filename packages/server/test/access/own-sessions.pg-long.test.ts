import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sessionHash } from "../../src/access/sessions";
import type { Plane } from "../harness";
import { addPerson, auditTrail, openPlaneForPeople, type SignedIn, signIn } from "./people";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlaneForPeople({ session_idle_minutes: "30", session_hours: "2" });
});
afterAll(() => plane.close());

/** Each test has people of its own. */
let number = 0;
let email: string;
beforeEach(async () => {
  number += 1;
  email = `person-${number}@sessions.example`;
  await addPerson(plane, { email, name: "Ida Berg" });
});

const at = (milliseconds: number) => new Date(milliseconds).toISOString();
const enter = (client: string, peer: string) => signIn(plane, email, { headers: { "User-Agent": client }, peer });
const list = async ({ ask }: SignedIn) => (await ask("/sessions")).body._embedded.items;
const currentId = async (session: SignedIn) =>
  (await list(session)).find((one: { is_current: boolean }) => one.is_current).id;
const ended = ({ ask }: SignedIn) => ask("/session").then(({ status }) => status === 401);

describe("one's own sessions", () => {
  test("are listed with when, from where and by what they were used, the last used first", async () => {
    const begun = plane.clock.now;
    const laptop = await enter("Laptop", "192.0.2.1");
    plane.clock.now += 60_000;
    const phone = await enter("Phone", "192.0.2.2");
    plane.clock.now += 60_000;
    await laptop.ask("/caller", { peer: "192.0.2.9", headers: { ...headersOf(laptop), "User-Agent": "Laptop 2" } });
    await plane.service.tokenUse.flush();
    const { status, body, text, headers } = await laptop.ask("/sessions");
    const link = { href: "/sessions", templated: false, type: "get" };
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      _embedded: {
        items: [
          {
            id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
            created_timestamp: at(begun),
            last_used_timestamp: at(begun + 120_000),
            address: "192.0.2.9",
            client: "Laptop 2",
            is_current: true,
          },
          {
            id: expect.any(String),
            created_timestamp: at(begun + 60_000),
            last_used_timestamp: at(begun + 60_000),
            address: "192.0.2.2",
            client: "Phone",
            is_current: false,
          },
        ],
      },
      _links: { self: link, first: link, last: link },
      current_count: 2,
      total_count: 2,
      start: "1",
      total_pages_count: 1,
      limit: 1000,
      filter_applied: null,
    });
    for (const { cookie } of [laptop, phone]) {
      expect(text).not.toContain(cookie);
      expect(text).not.toContain(sessionHash(cookie).slice(0, 12));
    }
  });

  test("are those of nobody else, and none that have ended", async () => {
    await addPerson(plane, { email: `other-${email}` });
    const idle = await enter("Idle", "192.0.2.1");
    plane.clock.now += 31 * 60_000;
    const mine = await enter("Mine", "192.0.2.1");
    const theirs = await signIn(plane, `other-${email}`);
    expect((await list(mine)).map(({ client }: { client: string }) => client)).toEqual(["Mine"]);
    expect([await ended(idle), await ended(theirs)]).toEqual([true, false]);
  });

  test("are ended one by one, by their id, in any letter case, and the trail tells", async () => {
    const [laptop, phone, tablet] = [
      await enter("Laptop", "192.0.2.1"),
      await enter("Phone", "192.0.2.2"),
      await enter("Tablet", "192.0.2.3"),
    ];
    const id = await currentId(phone);
    const answered = await laptop.ask(`/sessions/${id.toUpperCase()}`, { method: "DELETE" });
    expect([answered.status, answered.text, answered.headers.getSetCookie()]).toEqual([204, "", []]);
    expect([await ended(laptop), await ended(phone), await ended(tablet)]).toEqual([false, true, false]);
    expect((await auditTrail(plane)).at(-1)).toMatchObject({ operation: "end-session", result: "done", after: null });
    const again = await laptop.ask(`/sessions/${id}`, { method: "DELETE" });
    expect([again.status, again.body.errors[0].error_code]).toEqual([404, 40402]);
  });

  test("ending the one that asks signs the browser out", async () => {
    const laptop = await enter("Laptop", "192.0.2.1");
    const answered = await laptop.ask(`/sessions/${await currentId(laptop)}`, { method: "DELETE" });
    expect(answered.headers.getSetCookie()).toEqual(["holdfast_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"]);
    expect(await ended(laptop)).toBe(true);
  });

  test("T8: another person's answers like one that does not exist, and goes on", async () => {
    const mine = await enter("Mine", "192.0.2.1");
    await addPerson(plane, { email: `victim-${email}`, roles: [{ role: "owner" }] });
    const theirs = await signIn(plane, `victim-${email}`);
    const absent = "11111111-1111-4111-8111-111111111111";
    const ids = [await currentId(theirs), absent, sessionHash(theirs.cookie), theirs.cookie, "%00", "x".repeat(200)];
    const answers = await Promise.all(ids.map((id) => mine.ask(`/sessions/${id}`, { method: "DELETE" })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]?.status, await ended(theirs)]).toEqual([404, false]);
  });

  test("T22: are not ended without the CSRF token", async () => {
    const mine = await enter("Mine", "192.0.2.1");
    const path = `/sessions/${await currentId(mine)}`;
    const forged = await mine.ask(path, { method: "DELETE", headers: { ...headersOf(mine), "X-CSRF-Token": "" } });
    expect([forged.status, await ended(mine)]).toEqual([403, false]);
  });
});

const headersOf = ({ cookie, csrf }: SignedIn) => ({ Cookie: `holdfast_session=${cookie}`, "X-CSRF-Token": csrf });

describe("one's own name", () => {
  const rename = ({ ask }: SignedIn, body: unknown) => ask("/session/account", { method: "PATCH", body });

  test("is changed, found by filters, and told in every unit in which a role is held", async () => {
    const unit = await plane.addUnit("Hamburg");
    const person = `ida-${email}`;
    const id = await addPerson(plane, {
      email: person,
      name: "Ida Berg",
      roles: [{ role: "viewer" }, { role: "viewer", unitId: unit }, { role: "operator", unitId: unit }],
    });
    const session = await signIn(plane, person);
    const before = (await auditTrail(plane)).length;
    const answered = await rename(session, { full_name: "  Ida Bergström " });
    expect([answered.status, answered.body.user.full_name]).toEqual([200, "Ida Bergström"]);
    expect(answered.body).toEqual((await session.ask("/session")).body);
    const found = await session.ask(`/users?filter=${encodeURIComponent('{"name":"IDA BERGSTRÖM"}')}`);
    expect(found.body._embedded.items.map((user: { id: string }) => user.id)).toEqual([id]);
    const events = (await auditTrail(plane)).slice(before);
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event).toMatchObject({ operation: "update-account", after: { full_name: "Ida Bergström" } });
    }
  });

  test("stays as it is with another time zone, which mail shows times in", async () => {
    const session = await enter("Laptop", "192.0.2.1");
    const zoned = await rename(session, { time_zone: "Europe/Berlin" });
    expect([zoned.status, zoned.body.user]).toMatchObject([200, { full_name: "Ida Berg", time_zone: "Europe/Berlin" }]);
    const event = (await auditTrail(plane)).at(-1);
    expect(event).toMatchObject({ operation: "update-account", after: { time_zone: "Europe/Berlin" } });
    expect((await rename(session, { time_zone: "Moon/Base" })).body.errors).toMatchObject([
      {
        field: "/time_zone",
        error_message: 'The field "time_zone" has to be a time zone of the IANA database, such as Europe/Berlin.',
      },
    ]);
    await rename(session, { time_zone: "UTC" });
  });

  test.each([
    [{ full_name: " " }],
    [{ time_zone: "+02:00" }],
    [{ full_name: "a\u2028b".repeat(200) }],
    [{}],
    [{ full_name: "A", email: "a@b.c" }],
  ])("is not changed with %j", async (body) => {
    const session = await enter("Laptop", "192.0.2.1");
    expect((await rename(session, body)).status).toBe(422);
    expect((await session.ask("/session")).body.user.full_name).toBe("Ida Berg");
  });
});
