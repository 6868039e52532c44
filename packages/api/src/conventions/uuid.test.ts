import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalId, parseUuid, uuidV7 } from "./uuid";

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

test.each([
  [0, 0, 0, 0, "00000000-0000-7000-8000-000000000000"],
  [0x0192_3456_789a, 0xabc, 0x1234, 0x5678_9abc_def0, "01923456-789a-7abc-9234-56789abcdef0"],
  [2 ** 48 - 1, 0xfff, 2 ** 14 - 1, 2 ** 48 - 1, "ffffffff-ffff-7fff-bfff-ffffffffffff"],
])(
  "%d ms, turn %d and the random numbers %d and %d are one UUID of version 7",
  (milliseconds, turn, short, long, uuid) => {
    expect(uuidV7(milliseconds, turn, short, long)).toBe(uuid);
  },
);

test("UUIDs of version 7 sort by time, then by turn, whatever the random numbers are", () => {
  const below = (end: number) => fc.maxSafeNat().map((number) => number % end);
  const part = fc.tuple(below(2 ** 48), below(2 ** 12), below(2 ** 14), below(2 ** 48));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const byPlace = parts.toSorted(([a, b], [c, d]) => a - c || b - d).map(([time, turn]) => [time, turn]);
      const byText = parts.map((one) => [uuidV7(...one), one] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(byText.map(([, [time, turn]]) => [time, turn])).toEqual(byPlace);
    }),
  );
});

test("an id that is no UUID keeps its letter case", () => {
  expect(canonicalId("Job-7")).toBe("Job-7");
});
