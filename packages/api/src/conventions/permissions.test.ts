import { expect, test } from "bun:test";
import { resources } from "../resources/index";
import { type DefaultRole, defaultRoles, permissions } from "./permissions";

const may = (role: DefaultRole) => new Set<string>(defaultRoles[role].permissions);

test("the default roles are these five", () => {
  expect(Object.keys(defaultRoles)).toEqual(["owner", "admin", "operator", "reporter", "viewer"]);
});

test.each(Object.keys(permissions))("%s is a resource, a colon and a verb", (permission) => {
  expect(permission).toMatch(/^[a-z]+(-[a-z]+)*:[a-z]+$/);
});

test("every permission that is offered guards an operation, or the giving of the role reporter", () => {
  const operations = resources.flatMap(({ versions }) => versions.flatMap((version) => version.operations));
  const guarding = new Set<string | null>(
    operations.flatMap(({ permission, otherPermissions = [] }) => [permission, ...otherPermissions]),
  );
  // Who gives a role has to hold what it allows, so a role that may give this one needs its permission.
  const given = may("reporter");
  expect(Object.keys(permissions).filter((name) => !guarding.has(name) && !given.has(name))).toEqual([]);
});

test("a viewer only reads", () => {
  expect([...may("viewer")].filter((permission) => !permission.endsWith(":read"))).toEqual([]);
  expect([...may("viewer")]).toEqual(expect.arrayContaining(["users:read", "tasks:read"]));
});

test("a reporter only reports tasks", () => {
  expect([...may("reporter")]).toEqual(["tasks:report"]);
});

test.each<[DefaultRole, DefaultRole, string[]]>([
  ["operator", "viewer", ["tasks:report"]],
  ["admin", "operator", ["users:write", "roles:write", "api-tokens:read", "api-tokens:write"]],
  ["owner", "admin", ["keys:read", "keys:write"]],
])("the %s may do what the %s may, and more", (role, lesser, more) => {
  expect([...may(lesser)].filter((permission) => !may(role).has(permission))).toEqual([]);
  expect([...may(role)]).toEqual(expect.arrayContaining(more));
  expect(more.filter((permission) => may(lesser).has(permission))).toEqual([]);
});

test("an owner may do everything", () => {
  expect([...may("owner")].sort()).toEqual(Object.keys(permissions).sort());
});
