import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let token: string;
let north: string;
let harbour: string;

beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("owner")).token;
  north = await plane.addUnit("North");
  harbour = await plane.addUnit("Harbour", north);
  const people: [string, string][] = [
    ["Ada Lovelace", "countess@example.org"],
    ["ÉLODIE Straße", "elodie@example.org"],
    ["ΟΔΥΣΣΕΥΣ", "ithaca@example.org"],
    ["100% _sure_", "quote'\"@example.org"],
    ["Back\\slash", "back@example.org"],
    ["Ada Twin", "twin@EXAMPLE.com"],
    ["\u{10400}eseret", "deseret@example.org"],
  ];
  for (const [name, email] of people) await plane.addUser({ name, email, roles: [{ role: "viewer", unitId: north }] });
  await plane.addUser({ name: "Harbour Master", email: "hm@example.org", roles: [{ role: "admin", unitId: harbour }] });
  await plane.addUser({
    name: "Root Owner",
    email: "ro@example.org",
    roles: [{ role: "owner" }, { role: "viewer", unitId: harbour }],
  });
  await plane.addUser({ name: "Nobody", email: "nobody@example.org" });
});
afterAll(() => plane.close());

async function found(filter: unknown, unit = root): Promise<string[]> {
  const query = encodeURIComponent(JSON.stringify(filter));
  const { status, body, text } = await plane.ask(`/users?filter=${query}`, { token, unit });
  expect([status, text]).toEqual([200, text]);
  const names = body._embedded.items.map(({ full_name }: { full_name: string }) => full_name);
  expect(body.total_count).toBe(names.length);
  return names;
}

describe("the filter on a user's name", () => {
  test.each<[unknown, string[]]>([
    [{ $eq: "ada lovelace" }, ["Ada Lovelace"]],
    ["ADA LOVELACE", ["Ada Lovelace"]],
    ["Ada", []],
    ["COUNTESS@EXAMPLE.ORG", ["Ada Lovelace"]],
    [{ $begins_with: "ada" }, ["Ada Lovelace", "Ada Twin"]],
    [{ $begins_with: "lovelace" }, []],
    [{ $begins_with: "COUNT" }, ["Ada Lovelace"]],
    [{ $contains: "LOVE" }, ["Ada Lovelace"]],
    [{ $contains: "example.COM" }, ["Ada Twin"]],
    [{ $contains: "élodie" }, ["ÉLODIE Straße"]],
    [{ $contains: "elodie s" }, []],
    [{ $contains: "STRASSE" }, ["ÉLODIE Straße"]],
    [{ $contains: "οδυσσευς" }, ["ΟΔΥΣΣΕΥΣ"]],
    [{ $contains: "σευσ" }, ["ΟΔΥΣΣΕΥΣ"]],
    [{ $begins_with: "\u{10428}ESERET" }, ["\u{10400}eseret"]],
    [{ $contains: "%" }, ["100% _sure_"]],
    [{ $contains: "_" }, ["100% _sure_"]],
    [{ $begins_with: "%" }, []],
    [{ $eq: "100% _SURE_" }, ["100% _sure_"]],
    [{ $contains: "'\"" }, ["100% _sure_"]],
    [{ $contains: "\\" }, ["Back\\slash"]],
    [{ $contains: "K\\S" }, ["Back\\slash"]],
    [{ $contains: "\\%" }, []],
    [{ $contains: "\u0000" }, []],
    [{ $contains: "ada\u0000" }, []],
    [{ $contains: "\ud800" }, []],
    [{ $contains: "' or '1'='1" }, []],
    [{ $contains: "*" }, []],
    [{ $begins_with: "ada", $contains: "twin@" }, ["Ada Twin"]],
    [{ $begins_with: "twin", $contains: "Ada " }, ["Ada Twin"]],
    [{ $begins_with: "ada", $eq: "nobody" }, []],
  ])("%j finds %j", async (condition, names) => {
    expect(await found({ name: condition })).toEqual(names);
  });

  test("that contains nothing finds everybody", async () => {
    expect(await found({ name: { $contains: "" } })).toEqual(await found({}));
  });
});

describe("the filter on a user's role", () => {
  test("finds who holds it, in whatever unit below", async () => {
    expect(await found({ role_id: await plane.roleId("admin") })).toEqual(["Harbour Master"]);
    expect(await found({ role_id: { $eq: (await plane.roleId("admin")).toUpperCase() } })).toEqual(["Harbour Master"]);
  });

  test("finds who holds one of several", async () => {
    const roles = [await plane.roleId("admin"), await plane.roleId("owner")];
    expect(await found({ role_id: { $in: roles } })).toEqual(["Harbour Master", "Root Owner"]);
    expect(await found({ role_id: { $in: [] } })).toEqual([]);
  });

  test("finds nobody for a role that does not exist", async () => {
    expect(await found({ role_id: "no such role" })).toEqual([]);
  });
});

describe("the filter on a user's unit", () => {
  test("finds who holds a role in exactly that unit, not above or below it", async () => {
    expect(await found({ organizational_unit_id: harbour })).toEqual(["Harbour Master", "Root Owner"]);
    expect(await found({ organizational_unit_id: root })).toEqual(["Root Owner"]);
    expect(await found({ organizational_unit_id: harbour.toUpperCase() })).toEqual(["Harbour Master", "Root Owner"]);
  });

  test("finds who holds a role in one of several", async () => {
    expect(await found({ organizational_unit_id: { $in: [root, harbour] } })).toEqual(["Harbour Master", "Root Owner"]);
    expect(await found({ organizational_unit_id: { $in: [] } })).toEqual([]);
  });

  test("never widens the unit of the request", async () => {
    const south = await plane.addUnit("South");
    expect(await found({ organizational_unit_id: harbour }, south)).toEqual([]);
    expect(await found({ organizational_unit_id: root }, harbour)).toEqual(["Root Owner"]);
  });
});

test("all conditions have to hold", async () => {
  const viewer = await plane.roleId("viewer");
  expect(await found({ name: { $contains: "o" }, role_id: viewer, organizational_unit_id: harbour })).toEqual([
    "Root Owner",
  ]);
  expect(await found({ name: { $contains: "ada" }, organizational_unit_id: harbour })).toEqual([]);
});

test.each<[string, number, string]>([
  ['{"name":{"$in":["a"]}}', 40006, "$contains, $begins_with or $eq"],
  ['{"role_id":{"$contains":"a"}}', 40006, "$eq or $in"],
  ['{"organizational_unit_id":{"$neq":"a"}}', 40006, "$eq or $in"],
  ['{"email":"a"}', 40005, "name, role_id, organizational_unit_id or id"],
  ['{"name":7}', 40007, "a string"],
  ['{"role_id":{"$in":[7]}}', 40007, "a list of strings"],
  ['{"name":"a","name":"b"}', 40004, '"name"'],
  ["[]", 40004, "JSON object"],
])("the filter %s is refused, and the message says what would be right", async (filter, code, right) => {
  const { status, body } = await plane.ask(`/users?filter=${encodeURIComponent(filter)}`, { token });
  expect([status, body.errors.length, body.errors[0].error_code]).toEqual([400, 1, code]);
  expect(body.errors[0].error_message).toContain(right);
});
