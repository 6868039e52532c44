import { expect, test } from "bun:test";
import { strayNormalising } from "./composing";

const path = "packages/server/src/sign-in/password.ts";

test.each([
  ["a call", 'const text = given.normalize("NFC");'],
  ["a call on the next line", 'const text = given\n  .normalize("NFC");'],
  ["a call where something may be missing", "const text = given?.normalize();"],
])("T37: %s is found", (_, text) => {
  expect(strayNormalising([{ path, text }])).toEqual([
    `${path} normalises text. Use compose of packages/api/src/conventions/compose.ts.`,
  ]);
});

test.each([
  ["a comment", '// not with .normalize("NFC")\nrun();', path],
  ["another name that begins like it", "paths.normalizeAll();", path],
  ["the one place", 'export const a = b.normalize("NFC");', "packages/api/src/conventions/compose.ts"],
  ["a test", 'expect("a".normalize("NFD")).toBe("a");', "packages/server/src/sign-in/password.test.ts"],
])("%s is no fault", (_, text, where) => {
  expect(strayNormalising([{ path: where, text }])).toEqual([]);
});
