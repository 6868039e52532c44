import { describe, expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Caller } from "../access/caller";
import { authorize, mayCall } from "./authorize";

const person: Caller = {
  tokenId: "t",
  kind: "personal",
  userId: "u",
  limitedAs: "u",
  unitId: "north",
  roles: [{ unitId: "north", permissions: new Set<Permission>(["users:read"]) }],
};
const service: Caller = { ...person, kind: "service", userId: null };
const held = (...permissions: Permission[]) => new Set(permissions);

describe("who may call an operation", () => {
  test("somebody with its permission, or with one of the others that will do", () => {
    const operation = { permission: "tasks:read", otherPermissions: ["tasks:abort"] } as const;
    expect(mayCall(operation, person, held("tasks:read"))).toBe(true);
    expect(mayCall(operation, person, held("tasks:abort"))).toBe(true);
    expect(mayCall(operation, person, held("users:read"))).toBe(false);
    expect(mayCall(operation, person, held())).toBe(false);
  });

  test("somebody with all further permissions, too", () => {
    const operation = { permission: "roles:write", furtherPermissions: ["users:read", "users:write"] } as const;
    expect(mayCall(operation, person, held("roles:write", "users:read", "users:write"))).toBe(true);
    expect(mayCall(operation, person, held("roles:write", "users:read"))).toBe(false);
    expect(mayCall(operation, person, held("users:read", "users:write"))).toBe(false);
  });

  test("anybody if it needs none, but for what only services do", () => {
    expect(mayCall({ permission: null }, person, held())).toBe(true);
    expect(mayCall({ permission: null, isForServices: true }, person, held())).toBe(false);
    expect(mayCall({ permission: null, isForServices: true }, service, held())).toBe(true);
  });

  test("a person for themselves, and no service", () => {
    const operation = { permission: "users:write", allowsSelf: true } as const;
    expect(mayCall(operation, person, held())).toBe(true);
    expect(mayCall(operation, service, held())).toBe(false);
    expect(mayCall({ permission: "users:write" }, person, held())).toBe(false);
  });

  test("somebody who holds the permission in the root, if that is what it needs, whatever they hold in the unit", () => {
    const operation = { permission: "users:read", requiresRoot: true } as const;
    const atTheTop = (...permissions: Permission[]): Caller => ({
      ...person,
      roles: [...person.roles, { unitId: rootUnitId, permissions: held(...permissions) }],
    });
    expect(mayCall(operation, person, held("users:read"))).toBe(false);
    expect(mayCall(operation, atTheTop("tasks:read"), held("users:read"))).toBe(false);
    expect(mayCall(operation, atTheTop("users:read"), held())).toBe(true);
  });
});

describe("who may not call one is told", () => {
  const refusalOf = (...given: Parameters<typeof authorize>): string[] => {
    try {
      authorize(...given);
    } catch (error) {
      if (error instanceof ApiError) return error.body.errors.map((one) => `${one.error_code} ${one.error_message}`);
      throw error;
    }
    return [];
  };

  test("nothing if they may", () => {
    expect(refusalOf({ permission: "tasks:read" }, person, held("tasks:read"))).toEqual([]);
  });

  test("what is missing, and where", () => {
    expect(refusalOf({ permission: "tasks:read" }, person, held())).toEqual([
      "40302 This needs the permission tasks:read in the organizational unit. Ask an administrator for a role that has it.",
    ]);
    const further = { permission: "roles:write", furtherPermissions: ["users:read"], requiresRoot: true } as const;
    expect(refusalOf(further, person, held())).toEqual([
      "40302 This needs the permission roles:write and users:read in the root. Ask an administrator for a role that has it.",
    ]);
  });

  test("that only services do it", () => {
    expect(refusalOf({ permission: null, isForServices: true }, person, held())).toEqual([
      "40302 Only a service token can do this, for itself. As a person, create a new token instead.",
    ]);
  });
});
