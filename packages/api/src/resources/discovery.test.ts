import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { Resource } from "../conventions/operation";
import { describeResources, discoveryIndex } from "./discovery";

const list = {
  kind: "list",
  id: "list-things",
  method: "get",
  path: "/things",
  permission: "tasks:read",
  summary: "",
  item: z.object({}),
  filters: {},
} as const;
const read = {
  kind: "read",
  id: "read-thing",
  method: "get",
  path: "/things/{thing_id}",
  permission: "users:read",
  summary: "",
  item: z.object({}),
} as const;

const things: Resource = {
  name: "things",
  description: "",
  versions: [
    { version: 1, operations: [list] },
    { version: 2, operations: [list, read] },
  ],
};

describe("the discovery index", () => {
  test("has every version, newest first, and every operation by its id", () => {
    const index = describeResources([things], () => true);
    expect(index).toEqual({
      things: {
        supported_versions: ["v2", "v1"],
        v2: {
          "list-things": { href: "/things", type: "get", templated: false },
          "read-thing": { href: "/things/{thing_id}", type: "get", templated: true },
        },
        v1: { "list-things": { href: "/things", type: "get", templated: false } },
      },
    });
    expect<object>(discoveryIndex.parse(index)).toEqual(index);
  });

  test("keeps a version of which the caller may call nothing, as long as there is another", () => {
    expect(describeResources([things], ({ permission }) => permission === "users:read")).toEqual({
      things: {
        supported_versions: ["v2", "v1"],
        v2: { "read-thing": { href: "/things/{thing_id}", type: "get", templated: true } },
        v1: {},
      },
    });
  });

  test("leaves a resource out of which the caller may call nothing", () => {
    expect(describeResources([things], () => false)).toEqual({});
  });
});
