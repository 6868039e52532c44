import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type DefaultRole, defaultRoles } from "@holdfast/api/conventions/permissions";
import { root } from "../harness";
import { apiPaths, listOf, readings, reads, unitLists, unitPaths } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
let northAdmin: string;
beforeAll(async () => {
  plane = await openSeededPlane();
  northAdmin = (await plane.serviceToken("admin", plane.units.north)).token;
});
afterAll(() => plane.close());

const unknownUnit = "0198c3a1-5d2e-7abc-8def-0123456789ab";
const forbidden = {
  errors: [
    {
      error_code: 40301,
      error_message: "You hold no role in this organizational unit, or it does not exist. Name another one.",
    },
  ],
};

describe.each(apiPaths)("the unit of a request to %s", (path) => {
  const ask = (unit: string, token = plane.owner) => plane.ask(path, { token, unit });

  test.each(["root", "1", "no uuid", "00000000000000000000000000000000", `{${root}}`, `${root}0`, "*", "null"])(
    "cannot be %j",
    async (unit) => {
      const { status, body } = await ask(unit);
      expect([status, body]).toEqual([
        400,
        {
          errors: [
            {
              error_code: 40011,
              error_message:
                "The header x-svc-organizationalunit-context has to be the UUID of an organizational unit.",
              field: "x-svc-organizationalunit-context",
            },
          ],
        },
      ]);
    },
  );

  test("that does not exist and one that is not the caller's are refused with the same answer", async () => {
    const { north, south } = plane.units;
    const answers = [
      await ask(unknownUnit),
      await ask(unknownUnit, northAdmin),
      await ask(south, northAdmin),
      await ask(root, northAdmin),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([403, forbidden]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await ask(north, northAdmin)).status === 403).toBe(!unitPaths.includes(path));
  });
});

/** Number of items of a list in the unit in the south: one, but for the events of what was made there. */
async function countInSouth({ id }: { id: string }): Promise<number> {
  if (id !== "list-audit-events") return 1;
  const events = await plane.database.snapshot((db) =>
    db.selectFrom("audit_events").select("id").where("organizational_unit_id", "=", plane.units.south).execute(),
  );
  expect(events.length).toBeGreaterThan(1);
  return events.length;
}

describe.each(unitLists)("$name", ({ operation, accept }) => {
  const ids = async (unit: string | undefined, token = plane.owner) => {
    const { status, body } = await plane.ask(operation.path, {
      token,
      accept,
      ...(unit === undefined ? {} : { unit }),
    });
    expect([status, body.total_count]).toEqual([200, body._embedded.items.length]);
    return body._embedded.items.map(({ id }: { id: string }) => id);
  };

  test("acts in the unit that the token was made for where the header is missing or empty", async () => {
    const north = await ids(plane.units.north);
    expect(north.length).toBeGreaterThan(3);
    expect(await ids(undefined, northAdmin)).toEqual(north);
    expect(await ids("", northAdmin)).toEqual(north);
    expect(await ids("  ", northAdmin)).toEqual(north);
    expect(await ids(undefined)).toEqual(await ids(root));
  });

  test("reads the unit in any letter case, and with space around it", async () => {
    const north = await ids(plane.units.north);
    expect(await ids(plane.units.north.toUpperCase())).toEqual(north);
    expect(await ids(` ${plane.units.north} `)).toEqual(north);
  });

  test("has what is in the unit and below it, and nothing from beside or above it", async () => {
    const [north, harbour, south] = [
      await ids(plane.units.north),
      await ids(plane.units.harbour),
      await ids(plane.units.south),
    ];
    expect(harbour.length).toBeGreaterThan(3);
    expect(south).toHaveLength(await countInSouth(operation));
    expect(north).toEqual(expect.arrayContaining(harbour));
    expect(north).not.toEqual(expect.arrayContaining(south));
    expect(await ids(root)).toEqual(expect.arrayContaining([...north, ...south]));
  });

  test("lets a role reach every unit below the one in which it is held", async () => {
    expect(await ids(plane.units.harbour, northAdmin)).toEqual(await ids(plane.units.harbour));
  });

  test("keeps the unit's counts to itself", async () => {
    const { body } = await plane.ask(`${operation.path}?limit=100`, {
      token: plane.owner,
      unit: plane.units.south,
      accept,
    });
    expect([body.total_count, body.total_pages_count, Object.keys(body._links)]).toEqual([
      await countInSouth(operation),
      1,
      ["self", "first", "last"],
    ]);
  });
});

const unitReads = reads.filter(({ resource }) => unitLists.some((list) => list.resource === resource));

describe.each(unitReads)("$name", ({ resource, version, operation, accept }) => {
  const list = listOf({ resource, version });
  const read = (id: string, token: string, unit: string) =>
    plane.ask(operation.path.replace(/\{\w+\}/, id), { token, accept, unit });

  test("answers alike, byte for byte, for what does not exist and what the caller does not cover (T8)", async () => {
    const south = await plane.ask(list.operation.path, { token: plane.owner, unit: plane.units.south, accept });
    const foreign = south.body._embedded.items[0].id;
    const answers = [
      await read(foreign, northAdmin, plane.units.north),
      await read("0198c3a1-5d2e-7abc-8def-000000000000", northAdmin, plane.units.north),
      await read(foreign, plane.owner, plane.units.north),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const names = answers.map(({ headers }) => [...headers.keys()].join());
    expect(new Set(names).size).toBe(1);
    expect((await read(foreign, plane.owner, root)).status).toBe(200);
  });
});

describe("what a role allows", () => {
  const roles: DefaultRole[] = ["owner", "admin", "operator", "reporter", "viewer"];

  test.each(roles)("is what it says for the %s", async (role) => {
    const { token } = await plane.serviceToken(role);
    for (const { operation, accept } of readings) {
      const { status } = await plane.ask(operation.path.replace(/\{\w+\}/, "x"), { token, accept });
      const allowed: (string | null)[] = [null, ...defaultRoles[role].permissions];
      expect(status === 403).toBe(!allowed.includes(operation.permission));
    }
  });

  test("holds in the unit of the role and below, not elsewhere", async () => {
    const person = await plane.addUser({
      roles: [
        { role: "reporter", unitId: plane.units.south },
        { role: "viewer", unitId: plane.units.north },
      ],
    });
    const { token } = await plane.personalToken(person, plane.units.north);
    const code = async (unit: string) => {
      const { status, body } = await plane.ask("/tasks", { token, unit });
      return body.errors?.[0].error_code ?? status;
    };
    expect(await code(plane.units.north)).toBe(200);
    expect(await code(plane.units.harbour)).toBe(200);
    expect(await code(plane.units.south)).toBe(40302);
    expect(await code(root)).toBe(40301);
  });
});

describe("a user's roles", () => {
  let person: string;
  beforeAll(async () => {
    person = await plane.addUser({
      name: "Wide Person",
      roles: [
        { role: "owner" },
        { role: "admin", unitId: plane.units.south },
        { role: "viewer", unitId: plane.units.harbour },
        { role: "operator", unitId: plane.units.harbour },
      ],
    });
  });

  test("are neither shown nor counted where the caller does not cover the unit", async () => {
    const { harbour, south } = plane.units;
    const whole = await plane.ask(`/users/${person}`, { token: plane.owner, unit: harbour });
    expect(whole.body.organizational_unit_count).toBe(3);
    expect(whole.body.access_control_configuration).toHaveLength(4);
    const part = await plane.ask(`/users/${person}`, { token: northAdmin });
    expect(part.body.organizational_unit_count).toBe(1);
    expect(part.body.access_control_configuration.map(({ role_id }: { role_id: string }) => role_id).sort()).toEqual(
      [await plane.roleId("viewer"), await plane.roleId("operator")].sort(),
    );
    expect(part.text).not.toContain(root);
    expect(part.text).not.toContain(south);
  });

  test("cannot be found out by filtering either", async () => {
    const found = async (filter: object, token: string) => {
      const { body } = await plane.ask(`/users?filter=${encodeURIComponent(JSON.stringify(filter))}`, { token });
      return body._embedded.items.some(({ id }: { id: string }) => id === person);
    };
    const owner = { role_id: await plane.roleId("owner") };
    const south = { organizational_unit_id: plane.units.south };
    expect([await found(owner, plane.owner), await found(south, plane.owner)]).toEqual([true, true]);
    expect([await found(owner, northAdmin), await found(south, northAdmin)]).toEqual([false, false]);
    expect(await found({ organizational_unit_id: plane.units.harbour }, northAdmin)).toBe(true);
  });

  test("do not show the user above the unit of the request", async () => {
    const above = await plane.addUser({ roles: [{ role: "owner" }] });
    const { body } = await plane.ask("/users", { token: plane.owner, unit: plane.units.north });
    const ids = body._embedded.items.map(({ id }: { id: string }) => id);
    expect([ids.includes(person), ids.includes(above)]).toEqual([true, false]);
  });
});

test("a user without any role is listed in the root alone", async () => {
  const id = await plane.addUser({ name: "No Role" });
  const seen = async (unit: string) => {
    const { body } = await plane.ask("/users", { token: plane.owner, unit });
    const item = await plane.ask(`/users/${id}`, { token: plane.owner, unit });
    return [body._embedded.items.some((user: { id: string }) => user.id === id), item.status];
  };
  expect(await seen(root)).toEqual([true, 200]);
  for (const unit of Object.values(plane.units)) expect(await seen(unit)).toEqual([false, 404]);
});
