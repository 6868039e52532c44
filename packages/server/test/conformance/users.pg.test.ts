import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { userV1, userV2 } from "@holdfast/api/resources/users";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let token: string;
beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("owner")).token;
});
afterAll(() => plane.close());

const v1 = "application/api.svc.users=v1+json";
const userId = "0198c3a1-5d2e-7abc-8def-0123456789ab";

describe("a user", () => {
  test("in version 2 has all of its fields, in their order", async () => {
    const unit = await plane.addUnit("North");
    const inviter = await plane.addUser({ name: "Inviter" });
    await plane.addUser({
      id: userId,
      email: "Ada@Example.org",
      name: "Ada Lovelace",
      isConfirmed: false,
      inviterId: inviter,
      roles: [
        { role: "viewer", unitId: root },
        { role: "viewer", unitId: unit },
        { role: "admin", unitId: unit },
      ],
    });
    const [viewer, admin] = [await plane.roleId("viewer"), await plane.roleId("admin")];
    const { status, headers, body } = await plane.ask(`/users/${userId}`, { token });
    expect([status, headers.get("content-type")]).toEqual([200, "application/api.svc.users=v2+json"]);
    expect({ ...body, access_control_configuration: null }).toEqual({
      id: userId,
      email: "Ada@Example.org",
      full_name: "Ada Lovelace",
      is_confirmed: false,
      is_enabled: true,
      access_control_configuration: null,
      organizational_unit_count: 2,
      time_zone: "UTC",
      inviter,
      last_activity_timestamp: null,
      created_timestamp: "2026-11-15T12:00:00.000Z",
      _links: { self: { href: `/users/${userId}`, templated: false, type: "get" } },
    });
    expect(body.access_control_configuration).toHaveLength(2);
    expect(body.access_control_configuration).toContainEqual({
      role_id: viewer,
      organizational_unit_ids: [root, unit],
    });
    expect(body.access_control_configuration).toContainEqual({ role_id: admin, organizational_unit_ids: [unit] });
    expect(userV2.parse(body)).toEqual(body);
  });

  test("in version 1 has five fields", async () => {
    const { headers, body } = await plane.ask(`/users/${userId}`, { token, accept: v1 });
    expect(headers.get("content-type")).toBe(v1);
    expect(body).toEqual({
      id: userId,
      email: "Ada@Example.org",
      full_name: "Ada Lovelace",
      is_confirmed: false,
      is_enabled: true,
    });
    expect(userV1.parse(body)).toEqual(body);
  });

  test("who is disabled is still listed", async () => {
    const id = await plane.addUser({ name: "Gone", isEnabled: false });
    expect((await plane.ask(`/users/${id}`, { token })).body.is_enabled).toBe(false);
  });

  test("shows when the person last made a request", async () => {
    const id = await plane.addUser({ name: "Active", roles: [{ role: "viewer" }] });
    const personal = await plane.personalToken(id);
    await plane.ask("/tasks", { token: personal.token });
    await plane.service.tokenUse.flush();
    const { body } = await plane.ask(`/users/${id}`, { token });
    expect(body.last_activity_timestamp).toBe("2026-11-15T12:00:00.000Z");
  });
});

describe("users", () => {
  test("are sorted by lower-cased name in code-point order, then by id", async () => {
    const unit = await plane.addUnit("Sorted");
    const roles = [{ role: "viewer", unitId: unit } as const];
    const twins = ["11111111-0000-7000-8000-000000000000", "11111111-0000-7000-8000-000000000001"];
    const names = [
      "😀 face",
      "Ｚ wide",
      "émile",
      "Zoë",
      "zoe",
      "ADA",
      "ada b",
      "_under",
      "10",
      "9",
      "Ärger",
      "\u{10400}",
    ];
    for (const name of names) await plane.addUser({ name, roles });
    for (const id of twins.toReversed()) await plane.addUser({ id, name: "Twin", roles });
    const byCodePoint = (a: string, b: string) =>
      Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase()));
    const sorted = [...names, "Twin", "Twin"].sort(byCodePoint);
    expect(sorted.indexOf("Ｚ wide")).toBeLessThan(sorted.indexOf("😀 face"));
    for (const limit of [1, 4, 100]) {
      const seen: { id: string; full_name: string }[] = [];
      for (let start = 1; start <= Math.ceil(sorted.length / limit); start++) {
        const { body } = await plane.ask(`/users?limit=${limit}&start=${start}`, { token, unit });
        seen.push(...body._embedded.items);
      }
      expect(seen.map(({ full_name }) => full_name)).toEqual(sorted);
      expect(seen.filter(({ full_name }) => full_name === "Twin").map(({ id }) => id)).toEqual(twins);
    }
  });
});
