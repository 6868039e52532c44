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
    expect(inspectJson(text)).toMatchObject({ depth, duplicatePath: undefined });
  });

  test.each([
    ['{"a":1,"a":2}', ["a"]],
    ['{"a":1,"b":{"c":1,"c":2}}', ["b", "c"]],
    ['[{"a":1},{"b":1,"b":2}]', [1, "b"]],
    ['{"a":[[1,{"x":2}],"b",[{},{"c":{"d":1,"d":2}}]]}', ["a", 2, 1, "c", "d"]],
    ['{"a" \t\r\n:1,"a":2}', ["a"]],
    ['{"a":1,"\\u0061":2}', ["a"]],
    ['{"":1,"":2}', [""]],
    ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
    ['{"\\"":1,"\\"":2}', ['"']],
    ['{"a":1,"a":2,"b":1,"b":2}', ["a"]],
  ])("finds the key that stands twice in %s, and where", (text, duplicatePath) => {
    expect(inspectJson(text).duplicatePath).toEqual(duplicatePath);
  });

  test.each(['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '["a","a"]', '{"a":"b\\":","b":1}'])(
    "finds none twice in %s",
    (text) => {
      expect(inspectJson(text).duplicatePath).toBeUndefined();
    },
  );

  test("finds no key twice in what was written from objects, and the depth that they have", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const { depth, values, duplicatePath } = inspectJson(JSON.stringify(value, null, space));
        expect([depth, duplicatePath]).toEqual([depthOf(value), undefined]);
        expect(values).toBeGreaterThanOrEqual(countValues(value));
      }),
    );
  });

  test("looks no further than to where there is more than there may be", () => {
    const limits = { depth: 3, values: 5 };
    expect(inspectJson("[".repeat(1_000_000), limits)).toEqual({ depth: 4, values: 4, duplicatePath: undefined });
    expect(inspectJson(`[${"1,".repeat(500_000)}1]`, limits)).toEqual({
      depth: 1,
      values: 6,
      duplicatePath: undefined,
    });
    expect(inspectJson('{"a":[1,2],"b":[3,4]}', limits)).toEqual({ depth: 2, values: 6, duplicatePath: undefined });
    expect(inspectJson('{"a":[1,2,3,4,5],"b":1,"b":2}', limits).duplicatePath).toBeUndefined();
  });

  test("takes a key as it stands if it cannot be read", () => {
    expect(inspectJson(String.raw`{"\a":1,"\a":2}`).duplicatePath).toEqual([String.raw`"\a"`]);
  });

  test("ends for every text, with no more depth than something is opened", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]"\\:, a') }), (text) => {
        const { depth, values } = inspectJson(text);
        expect(depth).toBeWithin(0, 1 + text.replace(/[^{[]/g, "").length);
        expect(values).toBeWithin(depth, 1 + text.replace(/[^{[,]/g, "").length);
      }),
    );
  });
});

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + countValues(inner), 0);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
