import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { type CommandRequest, changeByCommand } from "../../src/start/change-by-command";
import { errorCodes } from "../error-envelope";
import { type Ask, openPlane, type Plane, root } from "../harness";
import { auditEvents } from "./people";

let plane: Plane;
let north: string;
let lower: string;
let south: string;
let owner: string;
let role: Record<DefaultRole, string>;
let northAdmin: string;
let token: string;
/** A viewer in the north who is an operator in the south, too. */
let person: string;

beforeAll(async () => {
  plane = await openPlane();
  north = await plane.addUnit("North");
  lower = await plane.addUnit("Lower", north);
  south = await plane.addUnit("South");
  owner = (await plane.serviceToken("owner")).token;
  const id = (name: DefaultRole) => plane.roleId(name);
  role = {
    owner: await id("owner"),
    admin: await id("admin"),
    operator: await id("operator"),
    reporter: await id("reporter"),
    viewer: await id("viewer"),
  };
  northAdmin = await plane.addUser({ roles: [{ role: "admin", unitId: north }] });
  token = (await plane.personalToken(northAdmin, north)).token;
});
afterAll(() => plane.close());
beforeEach(async () => {
  person = await plane.addUser({
    roles: [
      { role: "viewer", unitId: north },
      { role: "operator", unitId: south },
    ],
  });
});

type Config = { role_id: string; organizational_unit_ids: string[] }[];
const held = (role_id: string, ...organizational_unit_ids: string[]) => ({ role_id, organizational_unit_ids });
const change = (method: string, path: string, ask: Ask = {}) => plane.ask(path, { method, token, unit: north, ...ask });
const give = (user: string, access_control_configuration: Config, ask: Ask = {}) =>
  change("PATCH", `/users/${user}`, { body: { access_control_configuration }, ...ask });
const allOf = async (user: string): Promise<Config> =>
  (await plane.ask(`/users/${user}`, { token: owner })).body.access_control_configuration;

async function addRole(name: string, permissions: string[], unit: string): Promise<string> {
  const made = await plane.ask("/roles", { method: "POST", token: owner, unit, body: { name, permissions } });
  return made.body.id;
}

describe("what is given replaces", () => {
  test("what the caller sees and manages, and leaves the rest as it is and unseen", async () => {
    const { status, body } = await give(person, [held(role.operator, lower, north), held(role.operator, north)]);
    expect([status, body.organizational_unit_count]).toEqual([200, 2]);
    expect(body.access_control_configuration).toEqual([held(role.operator, ...[lower, north].sort())]);
    expect(await allOf(person)).toEqual([held(role.operator, ...[lower, north, south].sort())]);
  });

  test("nothing where the caller sees roles without managing them, so that an item can be sent back as it was", async () => {
    const both = await plane.addUser({
      roles: [
        { role: "admin", unitId: north },
        { role: "viewer", unitId: south },
      ],
    });
    const { token: theirs } = await plane.personalToken(both, north);
    const { body } = await plane.ask(`/users/${person}`, { token: theirs });
    expect(body.access_control_configuration).toEqual([held(role.operator, south), held(role.viewer, north)]);
    expect((await give(person, body.access_control_configuration, { token: theirs })).body).toEqual(body);
    expect(errorCodes(await give(person, [held(role.viewer, south)], { token: theirs }))).toEqual([40303]);
    expect((await give(person, [], { token: theirs })).body.access_control_configuration).toEqual([
      held(role.operator, south),
    ]);
  });

  test("all of it: without a role in the unit the user is no longer seen there", async () => {
    const { status, body } = await give(person, []);
    expect([status, body.access_control_configuration, body.organizational_unit_count]).toEqual([200, [], 0]);
    expect(errorCodes(await plane.ask(`/users/${person}`, { token }))).toEqual([40402]);
    expect(await allOf(person)).toEqual([held(role.operator, south)]);
  });
});

describe("T9 nobody gives or takes what they do not hold in that unit:", () => {
  test("a higher role, to others or to oneself", async () => {
    const refused = await give(person, [held(role.viewer, north), held(role.owner, lower)]);
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        errors: [
          {
            error_code: 40303,
            error_message:
              "You do not hold keys:read, keys:write in that organizational unit, so you can neither give nor take it.",
          },
        ],
      },
    ]);
    expect(errorCodes(await give(northAdmin, [held(role.owner, north)]))).toEqual([40303]);
    const body = { email: "x@example.org", full_name: "X", access_control_configuration: [held(role.owner, north)] };
    expect(errorCodes(await change("POST", "/users", { body }))).toEqual([40303]);
  });

  test("a higher role of somebody else cannot be taken away", async () => {
    const boss = await plane.addUser({ roles: [{ role: "owner", unitId: north }] });
    expect(errorCodes(await give(boss, []))).toEqual([40303]);
    expect((await give(boss, [held(role.owner, north), held(role.viewer, north)])).status).toBe(200);
  });

  test("a unit above, beside or that does not exist answers alike, byte for byte", async () => {
    const answers = await Promise.all(
      [root, south, crypto.randomUUID(), "none", "\0"].map((unit) => give(person, [held(role.viewer, north, unit)])),
    );
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await allOf(person)).toEqual([held(role.operator, south), held(role.viewer, north)]);
  });

  test("a role of another unit looks like one that does not exist; one from above is good below", async () => {
    const southern = await addRole("Southern", ["tasks:read"], south);
    const lowest = await addRole("Lowest", ["tasks:read"], lower);
    const northern = await addRole("Northern", ["tasks:read"], north);
    for (const id of [southern, lowest, crypto.randomUUID()]) {
      const refused = await give(person, [held(id, north)]);
      expect([refused.status, refused.body.errors[0].error_message]).toEqual([
        422,
        `There is no role "${id}" that can be held in "${north}". List the roles there.`,
      ]);
    }
    expect((await give(person, [held(northern, lower), held(lowest, lower)])).status).toBe(200);
  });

  test("a role of a unit is given by the operator nowhere else either, be it to a user or to a token", async () => {
    const roleId = await addRole("Homely", ["tasks:read"], north);
    const { controlPlane, service, clock } = plane;
    const settings = {
      base_url: service.baseUrl,
      base_url_aliases: [],
      host: "127.0.0.1",
      port: 8080,
      token_limit: 1_000,
    };
    const change = (operation: string, request: CommandRequest) =>
      changeByCommand({ ...controlPlane, settings, now: clock.now }, operation, () => request);
    const grant = async (unitId: string) => {
      const access_control_configuration = [...(await allOf(person)), held(roleId, unitId)];
      return change("update-user", { variables: { user_id: person }, body: { access_control_configuration } });
    };
    const mint = (unitId: string) =>
      change("create-api-token", {
        body: { name: "homely", kind: "service", organizational_unit_id: unitId, role_id: roleId },
      });
    for (const unit of [root, south]) {
      await expect(grant(unit)).rejects.toThrow(`There is no role "${roleId}" that can be held in "${unit}".`);
      await expect(mint(unit)).rejects.toThrow("has to be a role that can be held in the organizational unit");
    }
    await grant(lower);
    expect(await allOf(person)).toContainEqual(held(roleId, lower));
    const { once } = await mint(lower);
    expect((await plane.ask("/tasks", { token: once?.token ?? "" })).status).toBe(200);
  });

  test("whoever may manage users and not see them adds roles, and is shown none", async () => {
    const inviter = await addRole("Inviter", ["users:write", "tasks:report"], root);
    const user = await plane.addUser({ roles: [] });
    await give(user, [held(inviter, north)], { token: owner, unit: root });
    const { token: theirs } = await plane.personalToken(user, north);
    const added = await give(person, [held(role.reporter, north)], { token: theirs });
    expect([added.status, added.body.access_control_configuration]).toEqual([200, []]);
    expect(await allOf(person)).toContainEqual(held(role.viewer, north));
    expect(await allOf(person)).toContainEqual(held(role.reporter, north));
  });
});

describe("T9 a whole person", () => {
  const escalationSteps: [string, (user: string, ask?: Ask) => ReturnType<Plane["ask"]>][] = [
    ["disabled", (user, ask) => change("PATCH", `/users/${user}`, { body: { is_enabled: false }, ...ask })],
    ["renamed", (user, ask) => change("PATCH", `/users/${user}`, { body: { full_name: "Other" }, ...ask })],
    ["deleted", (user, ask) => change("DELETE", `/users/${user}`, ask)],
    ["invited again", (user, ask) => change("POST", `/users/${user}/invitation`, ask)],
  ];

  for (const [deed, act] of escalationSteps) {
    test(`who holds a role elsewhere, or a higher one here, is not ${deed} by an admin of the unit`, async () => {
      const colleague = await plane.addUser({
        isConfirmed: false,
        roles: [
          { role: "viewer", unitId: north },
          { role: "viewer", unitId: south },
        ],
      });
      const boss = await plane.addUser({ isConfirmed: false, roles: [{ role: "owner", unitId: lower }] });
      const above = await plane.addUser({
        isConfirmed: false,
        roles: [{ role: "viewer" }, { role: "viewer", unitId: north }],
      });
      const refused = await Promise.all([act(colleague), act(boss), act(above)]);
      expect(refused.map(errorCodes)).toEqual([[40303], [40303], [40303]]);
      expect(new Set(refused.map((answer) => answer.text)).size).toBe(1);
      const own = await plane.addUser({ isConfirmed: false, roles: [{ role: "viewer", unitId: lower }] });
      expect([200, 201, 204]).toContain((await act(own)).status);
    });

    test(`T8 of another unit cannot be ${deed}: the answer is that of one who is not there, byte for byte`, async () => {
      const stranger = await plane.addUser({ roles: [{ role: "viewer", unitId: south }] });
      const [foreign, absent] = [await act(stranger), await act(crypto.randomUUID())];
      expect([foreign.status, foreign.text]).toEqual([404, absent.text]);
    });

    test(`is not ${deed} by a viewer, whether or not there is one`, async () => {
      const viewer = (await plane.serviceToken("viewer", north)).token;
      const [there, absent] = [await act(person, { token: viewer }), await act(crypto.randomUUID(), { token: viewer })];
      expect([errorCodes(there), there.text]).toEqual([[40302], absent.text]);
    });
  }

  test("is left alone by a change that says what is so already", async () => {
    const { body } = await plane.ask(`/users/${person}`, { token });
    const { full_name, is_enabled } = body;
    expect((await change("PATCH", `/users/${person}`, { body: { full_name, is_enabled } })).body).toEqual(body);
  });

  test("may be oneself: renamed, disabled and deleted, even with roles elsewhere", async () => {
    const self = await plane.addUser({
      roles: [
        { role: "admin", unitId: north },
        { role: "viewer", unitId: south },
      ],
    });
    const { token: own } = await plane.personalToken(self, north);
    const renamed = await change("PATCH", `/users/${self}`, { token: own, body: { full_name: "Myself" } });
    expect([renamed.status, renamed.body.full_name]).toEqual([200, "Myself"]);
    expect((await change("DELETE", `/users/${self}`, { token: own })).status).toBe(204);
    expect((await plane.ask("/users", { token: own })).status).toBe(401);
  });
});

describe("the last owner of the root", () => {
  const demote = { access_control_configuration: [] };
  const act = (user: string, method: string, body?: unknown) =>
    plane.ask(`/users/${user}`, { method, token: owner, ...(body === undefined ? {} : { body }) });
  const attempts = (user: string) =>
    Promise.all([act(user, "PATCH", { is_enabled: false }), act(user, "PATCH", demote), act(user, "DELETE")]);

  test("cannot be disabled, demoted or deleted; tokens, owners elsewhere and who is only invited do not count", async () => {
    const last = await plane.addUser({ roles: [{ role: "owner" }] });
    await plane.addUser({ roles: [{ role: "owner", unitId: north }] });
    await plane.addUser({ roles: [{ role: "owner" }], isEnabled: false });
    const guest = await plane.addUser({ roles: [{ role: "owner" }], isConfirmed: false });
    expect((await attempts(last)).map(errorCodes)).toEqual([[40901], [40901], [40901]]);
    const { token: own } = await plane.personalToken(last);
    expect(errorCodes(await plane.ask(`/users/${last}`, { method: "DELETE", token: own }))).toEqual([40901]);
    expect((await plane.ask(`/users/${last}`, { token: owner })).body).toMatchObject({
      is_enabled: true,
      access_control_configuration: [held(role.owner, root)],
    });
    expect((await act(guest, "DELETE")).status).toBe(204);

    const next = await plane.addUser({ roles: [{ role: "owner" }] });
    const results = (await Promise.all([act(last, "DELETE"), act(next, "DELETE")])).map((answer) => answer.status);
    expect(results.sort()).toEqual([204, 409]);
  });

  test("counts even if nobody has confirmed yet", async () => {
    const fresh = await openPlane();
    const { token: first } = await fresh.serviceToken("owner");
    const guest = await fresh.addUser({ roles: [{ role: "owner" }], isConfirmed: false });
    const refused = await fresh.ask(`/users/${guest}`, { method: "DELETE", token: first });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        errors: [
          {
            error_code: 40901,
            error_message: "This is the last owner of the root. Make another user an owner of the root first.",
          },
        ],
      },
    ]);
    await fresh.close();
  });
});

describe("T8 the audit trail", () => {
  /** All that was told of the last request, the whole of it first. */
  const eventsOfLast = async () => {
    const events = (await auditEvents(plane)).filter(({ result }) => result === "done");
    return events.filter((event) => event.request_id === events.at(-1).request_id);
  };

  test("of a unit tells nothing of roles elsewhere, whoever makes the change", async () => {
    await change("PATCH", `/users/${person}`, { token: owner, body: { full_name: "Renamed" } });
    const events = await eventsOfLast();
    expect(events.map((one) => [one.operation, one.organizational_unit_id])).toContainEqual(["update-user", north]);
    const event = events.find((one) => one.organizational_unit_id === north);
    expect(event.before.access_control_configuration).toEqual([held(role.viewer, north)]);
    expect(event.after).toEqual({ ...event.before, full_name: "Renamed" });
  });

  test("tells of what reaches beyond the unit in the lowest unit that has all of it", async () => {
    await give(person, [held(role.viewer, north, lower), held(role.operator, south)], { token: owner });
    expect((await eventsOfLast())[0].organizational_unit_id).toBe(north);
    await give(person, [held(role.viewer, south)], { token: owner });
    const [whole, ...parts] = await eventsOfLast();
    expect(whole).toMatchObject({
      organizational_unit_id: root,
      before: { organizational_unit_count: 3 },
      after: { access_control_configuration: [held(role.viewer, south)] },
    });
    // And each unit that is concerned hears of its own part.
    const inSouth = parts.find((part) => part.organizational_unit_id === south);
    expect(inSouth).toMatchObject({
      before: { access_control_configuration: [held(role.operator, south)] },
      after: { access_control_configuration: [held(role.viewer, south)] },
    });
    const inLower = parts.find((part) => part.organizational_unit_id === lower);
    expect([inLower?.before.access_control_configuration, inLower?.after]).toEqual([[held(role.viewer, lower)], null]);
    expect(parts.map((part) => part.organizational_unit_id).sort()).toEqual([lower, north, south].sort());
  });
});
