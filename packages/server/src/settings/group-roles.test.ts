import { expect, test } from "bun:test";
import { readGroupRoles } from "./group-roles";

const root = "00000000-0000-0000-0000-000000000000";
const unit = "3f0c9a3e-6d0b-4a52-9a36-1f3f0c1d2e4b";

test("groups and their roles are read from text", () => {
  expect(readGroupRoles(` backup-admins = Admin , cn=ops=viewer@${unit.toUpperCase()},`)).toEqual([
    { group: "backup-admins", role: "admin", unitId: root },
    { group: "cn=ops", role: "viewer", unitId: unit },
  ]);
  expect(readGroupRoles("")).toEqual([]);
});

test("and from JSON, where a group may have commas in its name and several roles", () => {
  expect(readGroupRoles(`{"cn=ops,dc=example":["operator","viewer@${unit}"],"all":"${unit}@${unit}"}`)).toEqual([
    { group: "cn=ops,dc=example", role: "operator", unitId: root },
    { group: "cn=ops,dc=example", role: "viewer", unitId: unit },
    { group: "all", role: unit, unitId: unit },
  ]);
});

test.each([
  "admins",
  "=admin",
  "admins=",
  "admins=admin@here",
  `admins=admin@${unit}@${unit}`,
  "{",
  '{"a":1}',
  '{"a":[]',
])("%p cannot be read", (text) => {
  expect(readGroupRoles(text)).toBeUndefined();
});
