import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSealer } from "../secrets/seal";
import { type Cursor, type CursorPurpose, createCursors } from "./cursor";

const sealer = createSealer(new TextEncoder().encode("a key for tests alone"));
const purpose: CursorPurpose = { resource: "tasks", version: 1, unitId: "u", filter: null, limit: 100 };
const cursors = createCursors(sealer, purpose);
const cursor: Cursor = {
  direction: "next",
  place: { key: 1_793_491_200_000, id: "a task" },
  listSnapshot: { total: 12, watermark: 34, furthest: null },
};

test("a cursor is read back as it was written, whatever the place is called", () => {
  const oneKey = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "grapheme" }));
  const anyCursor = fc.record({
    direction: fc.constantFrom("next" as const, "prev" as const),
    place: fc.record({
      key: fc.oneof(oneKey, fc.array(oneKey, { minLength: 2, maxLength: 3 })),
      id: fc.string({ unit: "grapheme" }),
    }),
    listSnapshot: fc.record(
      {
        total: fc.maxSafeNat(),
        watermark: fc.maxSafeNat(),
        transactions: fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 7 }),
        furthest: fc.option(fc.maxSafeInteger()),
      },
      { requiredKeys: ["total", "watermark", "furthest"] },
    ),
  });
  fc.assert(
    fc.property(anyCursor, (one) => {
      expect(cursors.open(cursors.seal(one))).toEqual(one);
    }),
  );
});

test("T11 a cursor is refused for every other resource, version, unit, filter, limit and sort, and by another key", () => {
  const text = cursors.seal(cursor);
  const others: CursorPurpose[] = [
    { ...purpose, resource: "users" },
    { ...purpose, version: 2 },
    { ...purpose, unitId: "v" },
    { ...purpose, filter: "{}" },
    { ...purpose, filter: "null" },
    { ...purpose, limit: 99 },
    { ...purpose, list: "" },
    { ...purpose, list: "counts" },
    { ...purpose, sort: "name" },
    { ...purpose, sort: "-name" },
    { ...purpose, list: "", sort: "" },
  ];
  for (const other of others) expect(() => createCursors(sealer, other).open(text)).toThrow("This cursor was altered");
  const foreign = createSealer(new TextEncoder().encode("another key"));
  expect(() => createCursors(foreign, purpose).open(text)).toThrow("This cursor was altered");
});

test("a cursor tells nothing of what is in it, and can stand in an address as it is", () => {
  const text = cursors.seal(cursor);
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("a task");
});

test("equal pages have equal cursors, so that an ETag is the same in every process", () => {
  expect(cursors.seal(cursor)).toBe(
    createCursors(createSealer(new TextEncoder().encode("a key for tests alone")), purpose).seal(cursor),
  );
});
