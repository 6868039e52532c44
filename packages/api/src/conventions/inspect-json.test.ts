import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inspectJson } from "./inspect-json";

describe("looking through JSON", () => {
  test.each([
    ["", 0],
    ["1", 0],
    ['"[{"', 0],
    ["{}", 1],
    ["[]", 1],
    ['{"a":{"b":[]}}', 3],
    ["[[],[[]]]", 3],
    ['{"a":"]}","b":{}}', 2],
    ['["\\"[[[["]', 1],
    ["[[[[[[", 6],
    ["]]]][", 1],
  ])("finds how deep %s is", (text, depth) => {
    expect(inspectJson(text)).toEqual({ depth, duplicateKey: undefined });
  });

  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"b":{"c":1,"c":2}}', "c"],
    ['[{"a":1},{"b":1,"b":2}]', "b"],
    ['{"a" \t\r\n:1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"a":1,"a":2,"b":1,"b":2}', "a"],
  ])("finds the key that stands twice in %s", (text, duplicateKey) => {
    expect(inspectJson(text).duplicateKey).toBe(duplicateKey);
  });

  test.each(['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '["a","a"]', '{"a":"b\\":","b":1}'])(
    "finds none twice in %s",
    (text) => {
      expect(inspectJson(text).duplicateKey).toBeUndefined();
    },
  );

  test("finds no key twice in what was written from objects, and the depth that they have", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        expect(inspectJson(JSON.stringify(value, null, space))).toEqual({
          depth: depthOf(value),
          duplicateKey: undefined,
        });
      }),
    );
  });

  test("ends for every text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]"\\:, a') }), (text) => inspectJson(text).depth >= 0),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
