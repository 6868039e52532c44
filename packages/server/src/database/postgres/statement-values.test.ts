import { expect, test } from "bun:test";
import { writtenValues } from "./statement-values";

test("values are written as the protocol carries them", () => {
  expect(writtenValues(["a", 1.5, 10n, true, null])).toEqual(["a", "1.5", "10", "true", null]);
});

test("a list is one value, and none of its texts can end it", () => {
  const [written] = writtenValues([['"', "\\", "},{", "NULL", "", null, 7]]) ?? [];
  expect(written).toBe('{"\\"","\\\\","},{","NULL","",NULL,7}');
});

test("what only the driver can write is left to it", () => {
  for (const value of [new Date(0), Buffer.from("a"), { a: 1 }, [["a"]], undefined]) {
    expect(writtenValues(["a", value])).toBeUndefined();
  }
});
