import { expect, test } from "bun:test";
import fc from "fast-check";
import { ageOf, maxAgeMs, parseSpool, type SpooledReport, type SpoolHeader } from "./spooled-report";

const header: SpoolHeader = {
  format: 1,
  task_id: "11111111-2222-4333-8444-555555555555",
  base_url: "http://holdfast.test",
  unit: null,
  boot_id: "boot",
};
const begin: SpooledReport = {
  sequence: 1,
  operation: "create",
  body: { category: "backup", type: "restic_backup" },
  wall_ms: 1000,
  monotonic_ms: 500,
};
const log: SpooledReport = {
  sequence: 2,
  operation: "log",
  body: { offset: 0, text: "words\n" },
  wall_ms: 2000,
  monotonic_ms: 1500,
};
const end: SpooledReport = {
  sequence: 3,
  operation: "update",
  body: { status: "completed" },
  wall_ms: 3000,
  monotonic_ms: 2500,
};
const textOf = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

test("what is not acknowledged is pending, in order", () => {
  expect(parseSpool(textOf(header, begin, log, { acked: 1 }, end))).toEqual({
    header,
    pending: [log, end],
    begin,
    newest: end,
    last: 3,
    hasEnd: true,
  });
});

test("wherever a power cut tears a file, it has no end that was not written whole", () => {
  const whole = textOf(header, begin, log, end);
  const headerLength = textOf(header).length;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length - 2 }), (length) => {
      const parsed = parseSpool(whole.slice(0, length));
      expect(parsed?.hasEnd ?? false).toBe(false);
      expect(parsed !== undefined).toBe(length >= headerLength - 1);
    }),
  );
});

test.each([
  ["nothing", ""],
  ["another format", textOf({ ...header, format: 2 }, begin)],
  ["an id that is none", textOf({ ...header, task_id: "../../etc/passwd" }, begin)],
  ["no unit", textOf({ ...header, unit: 7 }, begin)],
])("no spool file: %s", (_, text) => {
  expect(parseSpool(text)).toBeUndefined();
});

test("lines of another shape are passed over", () => {
  const lines = [
    { ...log, body: null },
    { ...log, body: {} },
    { ...begin, operation: "delete" },
    { sequence: 9 },
    [],
    { acked: "9" },
  ];
  expect(parseSpool(textOf(header, ...lines, { ...end, wall_ms: "x" }))).toMatchObject({
    pending: [],
    last: 0,
    hasEnd: false,
  });
});

test("an age is taken from the machine's own clock, and from the wall's after a restart", () => {
  const now = { wallMs: 60_000, monotonicMs: 4500, bootId: "boot" };
  expect(ageOf(begin, header, now)).toBe(4000);
  expect(ageOf(begin, header, { ...now, bootId: "another" })).toBe(59_000);
  expect(ageOf({ ...begin, monotonic_ms: null }, header, now)).toBe(59_000);
  expect(ageOf(begin, { ...header, boot_id: null }, now)).toBe(59_000);
  expect(ageOf(begin, header, { ...now, bootId: null, wallMs: 0 })).toBe(0);
  expect(ageOf(begin, header, { ...now, bootId: null, wallMs: maxAgeMs * 3 })).toBe(maxAgeMs);
});
