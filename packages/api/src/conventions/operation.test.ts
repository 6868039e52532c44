import { describe, expect, test } from "bun:test";
import { resources } from "../resources/index";
import { defaultVersion, isTemplated, itemVariable, type Resource, supportedVersions } from "./operation";
import { permissions } from "./permissions";

const bare = (versions: number[], preferred?: number): Resource => {
  const [first = 1, ...others] = versions;
  const declare = (version: number) => ({ version, operations: [] });
  return {
    name: "things",
    description: "",
    ...(preferred === undefined ? {} : { defaultVersion: preferred }),
    versions: [declare(first), ...others.map(declare)],
  };
};

test("versions come newest first, however they were declared", () => {
  expect(supportedVersions(bare([1, 10, 2]))).toEqual([10, 2, 1]);
});

test("the newest version is the default unless another one is named", () => {
  expect(defaultVersion(bare([1, 10, 2]))).toBe(10);
  expect(defaultVersion(bare([1, 10, 2], 2))).toBe(2);
});

test("an item is named by the last variable of its path, and a list by none", () => {
  const delivery = "/webhooks/{webhook_id}/deliveries/{delivery_id}";
  expect(itemVariable({ kind: "read", path: delivery })).toBe("delivery_id");
  expect(itemVariable({ kind: "write", path: `${delivery}/retry` })).toBe("delivery_id");
  expect(itemVariable({ kind: "write", path: "/webhooks" })).toBeUndefined();
  expect(itemVariable({ kind: "list", path: "/webhooks/{webhook_id}/deliveries" })).toBeUndefined();
});

test("a path with a variable is a template", () => {
  expect(isTemplated("/users/{user_id}")).toBe(true);
  expect(isTemplated("/users")).toBe(false);
});

describe("what is declared", () => {
  const operations = resources.flatMap((resource) =>
    resource.versions.flatMap(({ version, operations }) =>
      operations.map((operation) => ({ name: `${operation.id} v${version}`, resource, operation })),
    ),
  );

  test("users default to version 2 and have version 1, tasks default to version 1", () => {
    const told = resources.map((resource) => [resource.name, defaultVersion(resource), supportedVersions(resource)]);
    expect(told).toContainEqual(["users", 2, [2, 1]]);
    expect(told).toContainEqual(["tasks", 1, [1]]);
  });

  test.each([...resources])("$name has its default among its versions, each once", (resource) => {
    expect(supportedVersions(resource)).toContain(defaultVersion(resource));
    expect(new Set(supportedVersions(resource)).size).toBe(resource.versions.length);
  });

  test.each(operations)(
    "$name is called verb, dash, resource or a part of one of its items",
    ({ resource, operation }) => {
      const [verb, ...noun] = operation.id.split("-");
      expect(verb).toMatch(/^[a-z]+$/);
      const item = resource.name.replace(/ies$/, "y").replace(/s$/, "");
      // A schedule is a part of a monitor that is looked at before there is one.
      const names = new RegExp(`^(${resource.name}|${item}(-[a-z]+)?)$|^monitors schedule$`);
      expect([noun.join("-"), `${resource.name} ${noun.join("-")}`].some((name) => names.test(name))).toBe(true);
    },
  );

  test.each(operations)("$name asks for a permission that exists, or for none", ({ operation }) => {
    expect([null, ...Object.keys(permissions)]).toContain(operation.permission);
  });

  test("an operation id belongs to one resource", () => {
    const owners = Map.groupBy(operations, ({ operation }) => operation.id);
    const shared = [...owners].filter(([, owned]) => new Set(owned.map(({ resource }) => resource.name)).size > 1);
    expect(shared).toEqual([]);
  });
});
