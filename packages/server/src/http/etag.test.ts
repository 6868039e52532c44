import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { etagOf, ifMatchHolds, ifNoneMatchHolds, itemEtag } from "./etag";

const restless = ["last_used"];
const item = (name: string, last_used: string | null) => itemEtag(JSON.stringify({ name, last_used }), restless);

test("If-None-Match is about all of an item, If-Match about what people change", () => {
  const [before, used, renamed] = [item("a", null), item("a", "today"), item("b", null)];
  expect([ifNoneMatchHolds(before, before), ifNoneMatchHolds(before, used), ifNoneMatchHolds(before, renamed)]).toEqual(
    [true, false, false],
  );
  expect([ifMatchHolds(before, before), ifMatchHolds(before, used), ifMatchHolds(before, renamed)]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each<[string, (etag: string) => string]>([
  ["alone", (etag) => etag],
  ["weakened by a proxy", (etag) => `W/${etag}`],
  ["in a list", (etag) => `"other" , ${etag},W/"third.fourth"`],
  ["as a star", () => " * "],
])("If-Match is understood %s", (_, given) => {
  expect(ifMatchHolds(given(item("a", null)), item("a", "today"))).toBe(true);
});

test("half an ETag, or one without its quotes, is none", () => {
  const etag = item("a", null);
  const [settled = "", all = ""] = etag.slice(1, -1).split(".");
  for (const given of [settled, all, `"${settled}"`, `"${all}"`, `${settled}.${all}`, `"x${etag.slice(1)}`, "", '"']) {
    expect([given, ifMatchHolds(given, etag), ifNoneMatchHolds(given, etag)]).toEqual([given, false, false]);
  }
});

test("an item in which nothing moves by itself has the ETag of its body", () => {
  const body = JSON.stringify({ name: "a.b" });
  expect([itemEtag(body, []), itemEtag(body, restless)]).toEqual([etagOf(body), etagOf(body)]);
  expect(ifMatchHolds(etagOf(body), etagOf(body))).toBe(true);
});

test("the name of a body is a hash for which nobody finds a second body", () => {
  expect(etagOf("one körper")).toBe(`"${createHash("sha256").update("one körper").digest("base64url")}"`);
});
