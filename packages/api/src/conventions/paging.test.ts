import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import type { Fault } from "./api-error";
import { getLink } from "./hal";
import { defaultPageSizes, listEnvelope, parseLimit, parseStart } from "./paging";

const notDigits = [
  "-1",
  "+1",
  "1.5",
  "1.0",
  "01",
  "00",
  "1e3",
  "0x10",
  " 1",
  "1 ",
  "1_000",
  "٣",
  "３",
  "Ⅷ",
  "ten",
  "NaN",
  "Infinity",
  "1\n",
];

function limitOf(text: string | undefined) {
  const faults: Fault[] = [];
  return { limit: parseLimit(text, { default: 7, maximum: 70 }, faults), faults };
}

function startOf(text: string | undefined) {
  const faults: Fault[] = [];
  return { start: parseStart(text, faults), faults };
}

describe("the page size", () => {
  test.each([
    [undefined, 7],
    ["", 7],
    ["0", 7],
    ["1", 1],
    ["70", 70],
    ["71", 70],
    ["1000000000", 70],
    ["9".repeat(400), 70],
  ])("of %p is %d", (text, limit) => {
    expect(limitOf(text)).toEqual({ limit, faults: [] });
  });

  test.each(notDigits)("cannot be %j", (text) => {
    expect(limitOf(text).faults).toEqual([
      {
        name: "parameterInvalid",
        message: `The parameter limit is ${JSON.stringify(text)}. Give a whole number such as 100, in plain digits.`,
        field: "limit",
      },
    ]);
  });

  test("is 100 by default and 1000 at most", () => {
    expect(defaultPageSizes).toEqual({ default: 100, maximum: 1000 });
  });
});

describe("the page number", () => {
  test.each([
    [undefined, 1],
    ["", 1],
    ["1", 1],
    ["10", 10],
    ["1000000000", 1_000_000_000],
    ["9".repeat(400), 1e12],
  ])("of %p is %d", (text, start) => {
    expect(startOf(text)).toEqual({ start, faults: [] });
  });

  test.each(notDigits)("cannot be %j", (text) => {
    expect(startOf(text).faults).toEqual([
      {
        name: "parameterInvalid",
        message: `The parameter start is ${JSON.stringify(text)}. Give a page number such as 1, in plain digits.`,
        field: "start",
      },
    ]);
  });

  test("begins at 1, not at 0", () => {
    expect(startOf("0").faults).toEqual([
      { name: "parameterInvalid", message: "The first page is start=1.", field: "start" },
    ]);
  });
});

test("a number that was written plainly is read, and nothing else is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 5 }), fc.nat().map(String)), (text) => {
      const isPlain = text === "" || text === String(Number(text).toFixed(0)).replace(/^-.*|NaN|Infinity/, "no");
      expect(limitOf(text).faults.length === 0).toBe(isPlain);
    }),
  );
});

describe("the envelope of a list", () => {
  const envelope = listEnvelope(z.strictObject({ id: z.string() }));
  const page = {
    _embedded: { items: [{ id: "a" }] },
    _links: { self: getLink("/x"), first: getLink("/x"), last: getLink("/x") },
    current_count: 1,
    total_count: 1,
    start: "1",
    total_pages_count: 1,
    limit: 100,
    filter_applied: null,
  };

  test("may do without links to neighbours that do not exist", () => {
    expect(envelope.parse(page)).toEqual(page);
  });

  test.each(Object.keys(page))("needs %s", (field) => {
    const { [field]: _, ...others }: Record<string, unknown> = page;
    expect(envelope.safeParse(others).success).toBe(false);
  });

  test("has its page number as a text", () => {
    expect(envelope.safeParse({ ...page, start: 1 }).success).toBe(false);
  });
});
