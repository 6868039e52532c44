import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "./parse-json";

test("a JSON text gives what it says", () => {
  const anyText = fc.jsonValue().map((value) => JSON.stringify(value));
  fc.assert(fc.property(anyText, (text) => expect(JSON.stringify(parseJson(text))).toBe(text)));
});

test.each(["", "{", "undefined", "{'a': 1}", "[1,]", "\ufeff{}"])("%j is no JSON", (text) => {
  expect(parseJson(text)).toBeUndefined();
});
