import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { invitedUserV2, userV2 } from "@holdfast/api/resources/users";
import { useLink } from "../../src/access/one-time-links";
import { errorCodes, expectRefusal } from "../error-envelope";
import { type Ask, openPlane, type Plane, root } from "../harness";

let plane: Plane;
let north: string;
let ada: string;
let token: string;
let viewer: string;
let admin: string;
beforeAll(async () => {
  plane = await openPlane();
  north = await plane.addUnit("North");
  ada = await plane.addUser({ email: "ada@example.org", name: "Ada Lovelace", roles: [{ role: "owner" }] });
  token = (await plane.personalToken(ada)).token;
  [viewer, admin] = [await plane.roleId("viewer"), await plane.roleId("admin")];
});
afterAll(() => plane.close());

const change = (method: string, path: string, ask: Ask = {}) => plane.ask(path, { method, token, ...ask });
const isLinkGood = (link: string) =>
  plane.database.change((db) => useLink(db, link.split("#")[1] ?? "", "invitation", plane.clock.now));

let people = 0;
async function invited(roles: { role_id: string; organizational_unit_ids: string[] }[] = []) {
  people += 1;
  const body = {
    email: `guest-${people}@example.org`,
    full_name: `Guest ${people}`,
    access_control_configuration: roles,
  };
  return (await change("POST", "/users", { body })).body;
}

describe("create-user", () => {
  test("invites somebody: 201, where to read the user, and a link that is in this answer alone", async () => {
    const config = [{ role_id: viewer, organizational_unit_ids: [north] }];
    const body = { email: " Bob@Example.org ", full_name: " Bob Brown ", access_control_configuration: config };
    const made = await change("POST", "/users", { body, headers: { "Idempotency-Key": "invite-bob" } });
    const { id, invitation_link, ...shown } = made.body;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/users/${id}`]);
    expect(shown).toEqual({
      email: "Bob@Example.org",
      full_name: "Bob Brown",
      is_confirmed: false,
      is_enabled: true,
      access_control_configuration: config,
      organizational_unit_count: 1,
      time_zone: "UTC",
      inviter: ada,
      last_activity_timestamp: null,
      created_timestamp: "2026-11-15T12:00:00.000Z",
      _links: { self: { href: `/users/${id}`, templated: false, type: "get" } },
    });
    expect(invitation_link).toMatch(/^http:\/\/holdfast\.test\/invitation#[\w-]{43}$/);
    expect(invitedUserV2.parse(made.body)).toEqual(made.body);
    const read = await plane.ask(`/users/${id}`, { token });
    expect([read.body, read.headers.get("etag")]).toEqual([{ id, ...shown }, made.headers.get("etag")]);
    const again = await change("POST", "/users", { body, headers: { "Idempotency-Key": "invite-bob" } });
    expect([again.status, again.body]).toEqual([201, { id, ...shown }]);
  });

  test("keeps of the link only a hash, and nothing of it in the audit trail or the log", async () => {
    const { invitation_link } = await invited();
    const secret = invitation_link.split("#")[1];
    const [links, events] = await plane.database.snapshot(async (db) => [
      await db.selectFrom("one_time_links").selectAll().execute(),
      await db.selectFrom("audit_events").select("document").execute(),
    ]);
    expect(JSON.stringify([links, events, plane.logged])).not.toContain(secret);
    expect(links.at(-1)).toMatchObject({ purpose: "invitation", expires_at: plane.clock.now + 7 * 86_400_000 });
  });

  test("by a program has no inviter", async () => {
    const service = (await plane.serviceToken("owner")).token;
    const body = { email: "by-program@example.org", full_name: "By Program" };
    expect((await change("POST", "/users", { token: service, body })).body.inviter).toBeNull();
  });

  const text = "The field";
  const wrong: [string, unknown, string[]][] = [
    [
      "no field at all",
      {},
      [`${text} "email" is missing. It has to be a text.`, `${text} "full_name" is missing. It has to be a text.`],
    ],
    [
      "an address and a name that are none",
      { email: "ada", full_name: " " },
      [
        `${text} "email" has to be an address such as ada@example.org.`,
        `${text} "full_name" has to be 1 to 200 characters on one line.`,
      ],
    ],
    [
      "a name of two lines",
      { email: "x@example.org", full_name: "a\nb" },
      [`${text} "full_name" has to be 1 to 200 characters on one line.`],
    ],
    [
      "a field that is not for the caller to set",
      { email: "x@example.org", full_name: "X", is_confirmed: true },
      ['The field "is_confirmed" cannot be set here. Leave it out.'],
    ],
    [
      "an unknown field of a grant",
      {
        email: "x@example.org",
        full_name: "X",
        access_control_configuration: [{ role_id: "a", organizational_unit_ids: [], until: 1 }],
      },
      ['There is no field "access_control_configuration.0.until". Leave it out.'],
    ],
    [
      "a role that is none, and a grant in no unit",
      {
        email: "x@example.org",
        full_name: "X",
        access_control_configuration: [{ role_id: "viewer", organizational_unit_ids: [] }],
      },
      [
        `${text} "access_control_configuration.0.role_id" has to be a UUID, not "viewer".`,
        `${text} "access_control_configuration.0.organizational_unit_ids" has to be one unit or more; leave the whole element out otherwise.`,
      ],
    ],
    [
      "more grants than anybody needs",
      {
        email: "x@example.org",
        full_name: "X",
        access_control_configuration: [0, 1].map(() => ({
          role_id: root,
          organizational_unit_ids: Array.from({ length: 501 }, () => crypto.randomUUID()),
        })),
      },
      [`${text} "access_control_configuration" has to be at most 1000 roles in units.`],
    ],
    [
      "more units and longer texts than anybody needs",
      {
        email: `${"x".repeat(243)}@example.org`,
        full_name: "x".repeat(1601),
        access_control_configuration: [
          { role_id: "x".repeat(129), organizational_unit_ids: Array.from({ length: 1001 }, () => root) },
        ],
      },
      [
        `${text} "email" has to be at most 254 characters.`,
        `${text} "full_name" has to be 1 to 200 characters on one line.`,
        `${text} "access_control_configuration.0.role_id" has to be at most 128 characters.`,
        `${text} "access_control_configuration.0.organizational_unit_ids" has to be a list of at most 1000.`,
      ],
    ],
  ];
  for (const [what, body, messages] of wrong) {
    test(`refuses ${what} with 422`, async () => {
      const refused = await change("POST", "/users", { body });
      expect([
        refused.status,
        refused.body.errors.map((error: { error_message: string }) => error.error_message),
      ]).toEqual([422, messages]);
    });
  }

  test("refuses an address that is taken in any letter case, and says nothing else about who has it", async () => {
    const body = { email: "ADA@EXAMPLE.ORG", full_name: "Eva" };
    const refused = await change("POST", "/users", { body });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        errors: [
          {
            error_code: 40902,
            error_message: "There is a user with that address already. Each address can be used once.",
            field: "/email",
          },
        ],
      },
    ]);
  });

  test("outside of the root has to give a role there or below, where the user is then listed", async () => {
    const lower = await plane.addUnit("Lower", north);
    const config = (unit: string) => [{ role_id: viewer, organizational_unit_ids: [unit] }];
    const create = async (access_control_configuration: unknown, email: string) =>
      (await change("POST", "/users", { unit: north, body: { email, full_name: "X", access_control_configuration } }))
        .status;
    expect([await create([], "none@example.org"), await create(config(root), "above@example.org")]).toEqual([422, 422]);
    expect(await create(config(lower), "below@example.org")).toBe(201);
    const list = await plane.ask("/users?filter=%7B%22name%22%3A%22below%40example.org%22%7D", { token, unit: north });
    expect(list.body._embedded.items).toHaveLength(1);
  });
});

describe("invite-user", () => {
  test("makes a new link, and the one before is void", async () => {
    const { id, invitation_link: first } = await invited();
    const { status, body } = await change("POST", `/users/${id}/invitation`);
    expect([status, await isLinkGood(first), body.id]).toEqual([201, undefined, id]);
    expect(await isLinkGood(body.invitation_link)).toMatchObject({ user_id: id });
    expect(await isLinkGood(body.invitation_link)).toBeUndefined();
  });

  test("refuses who has confirmed, who is disabled and who is not there", async () => {
    const { id } = await invited();
    await change("PATCH", `/users/${id}`, { body: { is_enabled: false } });
    const confirmed = await plane.addUser({});
    const asks = [id, confirmed, crypto.randomUUID(), "%00"].map((user) => change("POST", `/users/${user}/invitation`));
    expect((await Promise.all(asks)).map(errorCodes)).toEqual([[40906], [40906], [40402], [40402]]);
  });
});

describe("update-user", () => {
  test("renames, and the name is found and sorted by at once", async () => {
    const { id, invitation_link: _, ...before } = await invited();
    const { status, body } = await change("PATCH", `/users/${id}`, { body: { full_name: "Zoë ÄRGER" } });
    expect([status, body]).toEqual([200, { id, ...before, full_name: "Zoë ÄRGER" }]);
    expect(userV2.parse(body)).toEqual(body);
    const list = await plane.ask(`/users?filter=${encodeURIComponent('{"name":"zoë ärger"}')}`, { token });
    expect(list.body._embedded.items).toEqual([body]);
  });

  test("with an ETag changes only what the caller has read", async () => {
    const { id } = await invited();
    const etag = (await plane.ask(`/users/${id}`, { token })).headers.get("etag") ?? "";
    const first = await change("PATCH", `/users/${id}`, {
      body: { full_name: "First" },
      headers: { "If-Match": etag },
    });
    const second = await change("PATCH", `/users/${id}`, {
      body: { full_name: "Second" },
      headers: { "If-Match": etag },
    });
    const third = await change("DELETE", `/users/${id}`, { headers: { "If-Match": etag } });
    expect([first.status, second.status, third.status]).toEqual([200, 412, 412]);
    const current = { "If-Match": first.headers.get("etag") ?? "" };
    expect((await change("DELETE", `/users/${id}`, { headers: current })).status).toBe(204);
  });

  test("T7 disabling holds for the next request, ends sessions and makes invitations void", async () => {
    const { id, invitation_link } = await invited([{ role_id: viewer, organizational_unit_ids: [root] }]);
    const { token: theirs } = await plane.personalToken(id);
    const session = {
      hash: "h",
      user_id: id,
      created_at: 1,
      used_at: 1,
      expires_at: 9e15,
      address: null,
      client: null,
    };
    await plane.database.change((db) => db.insertInto("sessions").values(session).execute());
    expect((await plane.ask("/tasks", { token: theirs })).status).toBe(200);
    expect((await change("PATCH", `/users/${id}`, { body: { is_enabled: false } })).body.is_enabled).toBe(false);
    expect(errorCodes(await plane.ask("/tasks", { token: theirs }))).toEqual([40107]);
    expect(await isLinkGood(invitation_link)).toBeUndefined();
    expect(await plane.database.snapshot((db) => db.selectFrom("sessions").select("hash").execute())).toEqual([]);
    expect((await change("PATCH", `/users/${id}`, { body: { is_enabled: true } })).body.is_enabled).toBe(true);
    expect((await plane.ask("/tasks", { token: theirs })).status).toBe(200);
  });

  test("T9 giving more to somebody who was invited makes the open invitation void", async () => {
    const { id, invitation_link } = await invited();
    const body = { access_control_configuration: [{ role_id: admin, organizational_unit_ids: [root] }] };
    expect((await change("PATCH", `/users/${id}`, { body })).status).toBe(200);
    expect(await isLinkGood(invitation_link)).toBeUndefined();
  });

  test("refuses a body that says something wrong, and changes nothing then", async () => {
    const { id, invitation_link: _, ...before } = await invited();
    for (const body of [{ is_enabled: "no" }, { full_name: "New", email: "new@example.org" }, { full_name: "" }]) {
      const refused = await change("PATCH", `/users/${id}`, { body });
      expectRefusal(refused);
      expect(refused.status).toBe(422);
    }
    expect((await plane.ask(`/users/${id}`, { token })).body).toEqual({ id, ...before });
  });
});

describe("delete-user", () => {
  test("takes grants, sessions and personal tokens along, and leaves what the user did for others", async () => {
    const { id } = await invited([{ role_id: admin, organizational_unit_ids: [root] }]);
    const { token: theirs } = await plane.personalToken(id);
    const guest = { email: "guest-of-guest@example.org", full_name: "Guest of a guest" };
    const { body: left } = await change("POST", "/users", { token: theirs, body: guest });
    expect(left.inviter).toBe(id);
    const gone = await change("DELETE", `/users/${id}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect(errorCodes(await plane.ask("/tasks", { token: theirs }))).toEqual([40105]);
    expect(errorCodes(await plane.ask(`/users/${id}`, { token }))).toEqual([40402]);
    expect(errorCodes(await change("DELETE", `/users/${id}`))).toEqual([40402]);
    expect((await plane.ask(`/users/${left.id}`, { token })).body.inviter).toBeNull();
    const told = await plane.database.snapshot((db) =>
      db.selectFrom("audit_events").select("operation").where("actor_user_id", "=", id).execute(),
    );
    expect(told).toEqual([{ operation: "create-user" }]);
  });

  test("is for the whole person: an address can be invited again afterwards", async () => {
    const { id, email } = await invited();
    await change("DELETE", `/users/${id}`);
    expect((await change("POST", "/users", { body: { email, full_name: "Again" } })).status).toBe(201);
  });
});
