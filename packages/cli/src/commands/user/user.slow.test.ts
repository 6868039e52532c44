import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import type { Queries } from "@holdfast/server/database/database";
import { roleNames } from "@holdfast/server/resources/roles/store";
import { addGrants } from "@holdfast/server/resources/users/store";
import { openCommandLine } from "../../../test/open-command-line";

const root = "00000000-0000-0000-0000-000000000000";
const { runHere, result, inDatabase: withDatabase, remove } = openCommandLine();
afterAll(remove);

const holdfast = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await runHere(args);
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode };
};

const inDatabase = <Result>(act: (db: Queries) => Promise<Result>) => withDatabase((database) => database.change(act));

let people = 0;
async function addUser(...args: string[]): Promise<string> {
  people += 1;
  return result("user", "create", "--email", `person-${people}@example.org`, "--name", `Person ${people}`, ...args);
}

/** A custom role, as it could have been made in its unit over the API. */
async function addRole(name: string, unitId: string): Promise<string> {
  const id = randomUUID();
  const role = {
    ...roleNames(name),
    id,
    description: "",
    permissions: '["tasks:read"]',
    organizational_unit_id: unitId,
    is_default: 0,
    created_at: 1,
  };
  await inDatabase((db) => db.insertInto("roles").values(role).execute());
  return id;
}

const openLinks = (userId: string) =>
  inDatabase((db) => db.selectFrom("one_time_links").select("user_id").where("user_id", "=", userId).execute());
const sessionsOf = (userId: string) =>
  inDatabase((db) => db.selectFrom("sessions").select("hash").where("user_id", "=", userId).execute());
const rolesOf = (userId: string) =>
  inDatabase((db) =>
    db.selectFrom("role_grants").select(["role_id", "organizational_unit_id"]).where("user_id", "=", userId).execute(),
  );
const lastEvents = (count: number) =>
  inDatabase(async (db) => {
    const events = db.selectFrom("audit_events").select("document").orderBy("number", "desc").limit(count);
    return (await events.execute()).map(({ document }) => JSON.parse(document));
  });
const lastEvent = async () => (await lastEvents(1))[0];

const units = { north: "", lower: "", south: "" };
beforeAll(async () => {
  units.north = await result("ou", "create", "--name", "North");
  units.lower = await result("ou", "create", "--name", "Lower", "--parent", units.north);
  units.south = await result("ou", "create", "--name", "South");
});

describe("an invitation that is open", () => {
  test("T9: is void once its user is given a role", async () => {
    const user = await addUser("--role", "viewer", "--ou", units.north);
    await result("user", "invite", user);
    expect(await openLinks(user)).toHaveLength(1);
    await result("user", "grant", user, "--role", "owner");
    expect(await openLinks(user)).toEqual([]);
  });

  test("T7: and a session are gone when a user is disabled, and stay so when the user is enabled", async () => {
    const user = await addUser("--role", "viewer");
    await result("user", "invite", user);
    const times = { created_at: 1, used_at: 1, expires_at: 9e15 };
    const session = { hash: "h", user_id: user, address: null, client: null, ...times };
    await inDatabase((db) => db.insertInto("sessions").values(session).execute());
    await result("user", "disable", user);
    await result("user", "enable", user);
    expect([await openLinks(user), await sessionsOf(user)]).toEqual([[], []]);
  });
});

describe("T9: a role of a unit", () => {
  test("is given there and below, by its name in any letter case or by its id, and nowhere else", async () => {
    const crew = await addRole("Night Crew", units.north);
    await addRole("night crew", units.south);
    const user = await addUser("--role", "NIGHT crew", "--ou", units.lower);
    await result("user", "grant", user, "--role", crew, "--ou", units.north);
    expect((await rolesOf(user)).map(({ role_id }) => role_id)).toEqual([crew, crew]);
    await result("user", "revoke", user, "--role", "Night crew", "--ou", units.lower);
    expect(await rolesOf(user)).toEqual([{ role_id: crew, organizational_unit_id: units.north }]);

    const elsewhere = (unit: string) =>
      `holdfast: There is no role "${crew}" that can be held in "${unit}". List the roles there.`;
    const elsewhereForToken = "holdfast: --role has to be a role that can be held in the organizational unit.";
    const token = ["token", "create", "--kind", "service", "--name", "t"];
    const refused: [string[], string][] = [
      [["user", "grant", user, "--role", crew], elsewhere(root)],
      [["user", "grant", user, "--role", crew, "--ou", units.south], elsewhere(units.south)],
      [[...token, "--role", crew, "--ou", units.south], elsewhereForToken],
      [[...token, "--role", "Night Crew"], elsewhereForToken],
    ];
    for (const [args, stderr] of refused) {
      expect(await holdfast(...args)).toEqual({ stdout: "", stderr, exitCode: 1 });
    }
    expect(await holdfast("user", "grant", user, "--role", "king", "--ou", units.lower)).toEqual({
      stdout: "",
      stderr: 'holdfast: There is no role "king". Choose one of Night Crew, admin, operator, owner, reporter, viewer.',
      exitCode: 1,
    });
    await result(...token, "--role", "night CREW", "--ou", units.lower);
    expect((await lastEvent()).after.role_id).toBe(crew);
  }, 120_000);

  test("that is held where it should never have been can be taken away", async () => {
    const stray = await addRole("Stray", units.south);
    const user = await addUser("--role", "viewer");
    const given = [{ role_id: stray, organizational_unit_id: units.north }];
    await inDatabase((db) => addGrants(db, user, given));
    await result("user", "revoke", user, "--role", "stray", "--ou", units.north);
    expect(await rolesOf(user)).toEqual([{ role_id: defaultRoles.viewer.id, organizational_unit_id: root }]);
  });
});

test("T8: the audit trail of a unit tells nothing of roles that a user holds elsewhere", async () => {
  const held = (unit: string) => ({ role_id: defaultRoles.viewer.id, organizational_unit_ids: [unit] });
  const user = await addUser("--role", "viewer", "--ou", units.south);
  expect(await lastEvent()).toMatchObject({
    operation: "create-user",
    organizational_unit_id: units.south,
    before: null,
    after: { id: user, access_control_configuration: [held(units.south)] },
  });
  await result("user", "grant", user, "--role", "viewer", "--ou", units.north);
  const granted = await lastEvent();
  expect(granted).toMatchObject({
    operation: "update-user",
    organizational_unit_id: units.north,
    before: null,
    after: { access_control_configuration: [held(units.north)], organizational_unit_count: 1 },
  });
  expect(JSON.stringify(granted)).not.toContain(units.south);
  await result("user", "disable", user);
  const [inRoot, ...elsewhere] = (await lastEvents(3)).reverse();
  expect(inRoot).toMatchObject({
    organizational_unit_id: root,
    before: { is_enabled: true, organizational_unit_count: 2 },
    after: { is_enabled: false, organizational_unit_count: 2 },
  });
  expect(elsewhere.map((event) => event.organizational_unit_id).sort()).toEqual([units.north, units.south].sort());
  expect(elsewhere.map(({ before, after }) => [before.is_enabled, after.is_enabled])).toEqual([
    [true, false],
    [true, false],
  ]);
});
