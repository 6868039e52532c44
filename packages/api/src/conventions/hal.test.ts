import { expect, test } from "bun:test";
import { getLink, itemLinks, link, withUnderscoreNames } from "./hal";

test("a link to read something has a path, is no template and uses get", () => {
  expect(getLink("/tasks?start=2")).toEqual({ href: "/tasks?start=2", templated: false, type: "get" });
  expect(link.parse(getLink("/tasks"))).toEqual({ href: "/tasks", templated: false, type: "get" });
});

test("underscore names stand beside the plain ones and lead to the same place", () => {
  const self = getLink("/tasks");
  const next = getLink("/tasks?start=2");
  const links = { self, next };
  expect<object>(withUnderscoreNames(links)).toEqual({ self, next, _self: self, _next: next });
  expect(links).toEqual({ self, next });
});

test("an item's links have self and may have others", () => {
  expect(itemLinks.safeParse({ self: getLink("/a"), abort: getLink("/a/abort") }).success).toBe(true);
  expect(itemLinks.safeParse({ abort: getLink("/a/abort") }).success).toBe(false);
});
