import { expect, test } from "bun:test";
import { parseJson } from "@holdfast/api/conventions/parse-json";
import fc from "fast-check";
import { runs } from "../../test/runs";
import { findJsonFault } from "./json-fault";

test.each([
  ['{"port": 8080,}', 1, 15, 'a name in double quotes, such as "port"'],
  ['{\n  "port": 8080\n  "host": "a"\n}', 3, 3, "a comma or a closing brace"],
  ['{\r\n  "port" 8080\r\n}', 2, 10, "a colon"],
  ['{"port": 8080', 1, 14, "a comma or a closing brace"],
  ["{'port': 8080}", 1, 2, 'a name in double quotes, such as "port"'],
  ['{"port": 080}', 1, 10, "a value: a text in double quotes, a number, true or false"],
  ['{"host": localhost}', 1, 10, "a value: a text in double quotes, a number, true or false"],
  ['{"allowed_hosts": ["a" "b"]}', 1, 24, "a comma or a closing bracket"],
  ['// mine\n{"port": 8080}', 1, 1, "a value: a text in double quotes, a number, true or false"],
  ['{"port": 8080}\n}', 2, 1, "the end of the file"],
  ["", 1, 1, "a value: a text in double quotes, a number, true or false"],
])("%j is no JSON from line %d, column %d on", (text, line, column, expected) => {
  expect(findJsonFault(text)).toEqual({ line, column, expected });
});

const json = fc.json();
const broken = fc
  .tuple(json, fc.nat(), fc.constantFrom("", ",", '"', "}", "]", ":", "x", "0", "\\", "\n", "\u0001"))
  .map(([text, place, put]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + put + text.slice(at + 1);
  });

test("a text has a fault if the runtime does not parse it, and only then", () => {
  fc.assert(
    fc.property(fc.oneof(json, broken), (text) => {
      expect(findJsonFault(text) === undefined).toBe(parseJson(text) !== undefined);
    }),
    runs(2_000),
  );
});
