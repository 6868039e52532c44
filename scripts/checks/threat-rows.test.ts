import { expect, test } from "bun:test";
import { codeOf } from "./source-files";
import { unnamedRows } from "./threat-rows";

test("a row is named by any test that has it as a word", () => {
  const before = unnamedRows([]);
  expect(unnamedRows(['test("T5: a re-encoded token is refused", run);'])).toEqual(
    before.filter((row) => row !== "T5"),
  );
});

test("a longer number is another row", () => {
  expect(unnamedRows(['test("T50: something else", run);'])).toContain("T5");
});

test("a comment names no row", () => {
  expect(unnamedRows([codeOf({ path: "a.test.ts", text: "// T5 is still to do\nrun();" })])).toContain("T5");
});
