import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalId, parseUuid } from "./uuid";

test("a UUID is read in any letter case and given in lower case", () => {
  const anyCase = fc.uuid().chain((uuid) => fc.mixedCase(fc.constant(uuid)));
  fc.assert(
    fc.property(anyCase, (uuid) => parseUuid(uuid) === uuid.toLowerCase() && canonicalId(uuid) === uuid.toLowerCase()),
  );
});

test("the all-zero UUID is one", () => {
  expect(parseUuid("00000000-0000-0000-0000-000000000000")).toBe("00000000-0000-0000-0000-000000000000");
});

test.each([
  "",
  "root",
  "00000000000000000000000000000000",
  "{00000000-0000-0000-0000-000000000000}",
  "urn:uuid:00000000-0000-0000-0000-000000000000",
  "00000000-0000-0000-0000-00000000000",
  "00000000-0000-0000-0000-0000000000000",
  "00000000-0000-0000-0000-00000000000g",
  " 00000000-0000-0000-0000-000000000000",
  "00000000-0000-0000-0000-000000000000\n",
  "０0000000-0000-0000-0000-000000000000",
])("%j is no UUID", (text) => {
  expect(parseUuid(text)).toBeUndefined();
});

test("an id that is no UUID keeps its letter case", () => {
  expect(canonicalId("Job-7")).toBe("Job-7");
});
