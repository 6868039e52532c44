import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "./parse-json";

test("a JSON text gives what it says", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(parseJson(JSON.stringify(value))).toEqual(value)));
});

test.each(["", "{", "undefined", "{'a': 1}", "[1,]", "\ufeff{}"])("%j is no JSON", (text) => {
  expect(parseJson(text)).toBeUndefined();
});
