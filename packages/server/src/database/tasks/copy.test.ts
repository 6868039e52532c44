import { expect, test } from "bun:test";
import fc from "fast-check";
import { copyValue } from "./copy";

const meanings: Record<string, string> = { "\\\\": "\\", "\\n": "\n", "\\r": "\r", "\\t": "\t" };

/** Reads a line as COPY does: values between tabs, \N for nothing, and a few characters behind a backslash. */
function readLine(line: string): (string | null)[] {
  return line
    .split("\t")
    .map((value) => (value === "\\N" ? null : value.replace(/\\./g, (found) => meanings[found] ?? found.slice(1))));
}

test("whatever is written as a line for COPY is read as it was, and stays on its line", () => {
  const anyText = fc.string({ unit: fc.constantFrom("\\", "\n", "\r", "\t", "N", ".", "a", "ü", "😀", '"', "'") });
  fc.assert(
    fc.property(fc.array(fc.option(anyText), { minLength: 1 }), (values) => {
      const line = values.map(copyValue).join("\t");
      expect(line).not.toMatch(/[\n\r]/);
      expect(readLine(line)).toEqual(values);
    }),
  );
});

test("numbers, nothing and what looks like an end are written so that they cannot be mistaken", () => {
  expect([0, -1, 1_762_000_000_000, null, "", "\\N", "\\."].map(copyValue)).toEqual([
    "0",
    "-1",
    "1762000000000",
    "\\N",
    "",
    "\\\\N",
    "\\\\.",
  ]);
});
