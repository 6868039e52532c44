import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { errorCatalogue } from "./error-catalogue";
import { type FilterFields, filterLimits, formatFilter, parseFilter } from "./filter";

const fields = {
  status: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "" },
  id: { kind: "id", operators: ["$eq", "$in"], description: "" },
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "" },
  created: { kind: "timestamp", operators: ["$gt", "$gte", "$lt", "$lte"], description: "" },
  is_muted: { kind: "flag", operators: ["$eq"], description: "" },
  "entity.value": { kind: "text", operators: ["$eq", "$contains"], description: "" },
} as const satisfies FilterFields;

const uuid = "0198c3a1-5d2e-7abc-8def-0123456789ab";

function understood(text: string) {
  const { filter, faults } = parseFilter(text, fields);
  expect(faults).toEqual([]);
  return filter;
}

function faultsOf(text: string) {
  const { filter, faults } = parseFilter(text, fields);
  return { filter, faults: faults.map(({ name, message }) => `${errorCatalogue[name].code} ${message}`) };
}

describe("a filter", () => {
  test("that is empty has no conditions", () => {
    expect(understood("{}")).toEqual([]);
    expect(understood(" \n{ }\t")).toEqual([]);
  });

  test("takes a bare text for equality", () => {
    expect(understood('{"status":"failed"}')).toEqual([{ field: "status", operator: "$eq", value: "failed" }]);
  });

  test("keeps every operator of every field", () => {
    expect(understood('{"name":{"$contains":"a","$begins_with":"b"},"status":{"$in":["x","y"],"$neq":"z"}}')).toEqual([
      { field: "name", operator: "$contains", value: "a" },
      { field: "name", operator: "$begins_with", value: "b" },
      { field: "status", operator: "$in", value: ["x", "y"] },
      { field: "status", operator: "$neq", value: "z" },
    ]);
  });

  test("takes true and false for a flag, with and without $eq, and writes them as they are", () => {
    const muted = [{ field: "is_muted", operator: "$eq", value: true }] as const;
    expect(understood('{"is_muted":true}')).toEqual(muted);
    expect(understood('{"is_muted":{"$eq":false}}')).toEqual([{ ...muted[0], value: false }]);
    expect(formatFilter(muted)).toBe('{"is_muted":{"$eq":true}}');
  });

  test.each(['"true"', "1", "0", "null", "[]"])("does not take %s for a flag", (value) => {
    const wanted = '40007 The $eq of "is_muted" has to be true or false.';
    expect(faultsOf(`{"is_muted":${value}}`)).toEqual({ filter: [], faults: [wanted] });
    expect(faultsOf(`{"is_muted":{"$eq":${value}}}`)).toEqual({ filter: [], faults: [wanted] });
  });

  test("may ask for one of none", () => {
    expect(understood('{"status":{"$in":[]}}')).toEqual([{ field: "status", operator: "$in", value: [] }]);
  });

  test("reads UUIDs in any letter case, and other ids as they are", () => {
    expect(understood(JSON.stringify({ id: { $in: [uuid.toUpperCase(), "Job-7"] } }))).toEqual([
      { field: "id", operator: "$in", value: [uuid, "Job-7"] },
    ]);
    expect(understood(JSON.stringify({ status: uuid.toUpperCase() }))).toEqual([
      { field: "status", operator: "$eq", value: uuid.toUpperCase() },
    ]);
  });

  test("reads timestamps as milliseconds, whatever their offset", () => {
    const at = Date.parse("2026-11-01T00:00:00Z");
    expect(understood('{"created":{"$gte":"2026-11-01T00:00:00Z","$lt":"2026-11-01T02:00:00+02:00"}}')).toEqual([
      { field: "created", operator: "$gte", value: at },
      { field: "created", operator: "$lt", value: at },
    ]);
  });

  test.each([
    ["$gt", 0],
    ["$gte", 1],
    ["$lt", 1],
    ["$lte", 0],
  ])("with %s moves a fraction below a millisecond so that whole ones compare alike", (operator, moved) => {
    const at = Date.parse("2026-11-01T00:00:00.123Z");
    const { filter, faults } = parseFilter(`{"created":{"${operator}":"2026-11-01T00:00:00.1230001Z"}}`, fields);
    expect(faults).toEqual([]);
    expect(filter.map(({ value }) => value)).toEqual([at + moved]);
  });

  test.each([
    ["", '40004 The filter is not valid JSON. Send one JSON object, such as {"status":"failed"}.'],
    ["{", '40004 The filter is not valid JSON. Send one JSON object, such as {"status":"failed"}.'],
    ["{'status':'failed'}", '40004 The filter is not valid JSON. Send one JSON object, such as {"status":"failed"}.'],
    ['{"status":"failed"} x', '40004 The filter is not valid JSON. Send one JSON object, such as {"status":"failed"}.'],
    ["[]", '40004 The filter has to be one JSON object, such as {"status":"failed"}.'],
    ["null", '40004 The filter has to be one JSON object, such as {"status":"failed"}.'],
    ['"failed"', '40004 The filter has to be one JSON object, such as {"status":"failed"}.'],
    ["1", '40004 The filter has to be one JSON object, such as {"status":"failed"}.'],
    [
      '{"status":"a","status":"b"}',
      '40004 The filter has the field "status" twice. Name it once, with all of its operators in one object.',
    ],
    [
      '{"status":"a","\\u0073tatus":"b"}',
      '40004 The filter has the field "status" twice. Name it once, with all of its operators in one object.',
    ],
    [
      '{"status":{"$eq":"a","$eq":"b"}}',
      '40004 The filter on "status" has the operator "$eq" twice. Keep one, or list both values in one $in.',
    ],
    ['{"name":{"$eq":"a","$eq":"b"}}', '40004 The filter on "name" has the operator "$eq" twice. Keep one.'],
    ['{"status":{"$neq":"a","$neq":"b"}}', '40004 The filter on "status" has the operator "$neq" twice. Keep one.'],
    ['{"colour":{"$eq":"a","$eq":"b"}}', '40004 The filter on "colour" has the operator "$eq" twice. Keep one.'],
    ['{"status":{"$in":[{"a":1,"a":2}]}}', '40004 The filter on "status" has the key "a" twice. Keep one.'],
    [
      '{"colour":"red"}',
      '40005 There is no filter on "colour". Filter by status, id, name, created, is_muted or entity.value.',
    ],
    [
      '{"Status":"a"}',
      '40005 There is no filter on "Status". Filter by status, id, name, created, is_muted or entity.value.',
    ],
    [
      '{"__proto__":"a"}',
      '40005 There is no filter on "__proto__". Filter by status, id, name, created, is_muted or entity.value.',
    ],
    [
      '{"constructor":"a"}',
      '40005 There is no filter on "constructor". Filter by status, id, name, created, is_muted or entity.value.',
    ],
    ['{"status":{"$contains":"a"}}', '40006 The field "status" has no operator "$contains". Use $eq, $in or $neq.'],
    ['{"status":{"$EQ":"a"}}', '40006 The field "status" has no operator "$EQ". Use $eq, $in or $neq.'],
    ['{"status":{"__proto__":"a"}}', '40006 The field "status" has no operator "__proto__". Use $eq, $in or $neq.'],
    [
      '{"created":"2026-11-01T00:00:00Z"}',
      '40006 The field "created" has no operator "$eq". Use $gt, $gte, $lt or $lte.',
    ],
    ['{"status":{}}', '40006 The filter on "status" has no operator. Use $eq, $in or $neq.'],
    ['{"status":1}', '40007 The $eq of "status" has to be a string.'],
    ['{"status":null}', '40007 The $eq of "status" has to be a string.'],
    ['{"status":true}', '40007 The $eq of "status" has to be a string.'],
    ['{"status":["a"]}', '40007 The $eq of "status" has to be a string.'],
    ['{"status":{"$eq":{"$eq":"a"}}}', '40007 The $eq of "status" has to be a string.'],
    ['{"status":{"$in":"a"}}', '40007 The $in of "status" has to be a list of strings.'],
    ['{"status":{"$in":["a",1]}}', '40007 The $in of "status" has to be a list of strings.'],
    [
      '{"created":{"$gt":"yesterday"}}',
      '40007 The $gt of "created" has to be an RFC 3339 timestamp such as "2026-11-01T00:00:00Z".',
    ],
    [
      '{"created":{"$gt":1793491200000}}',
      '40007 The $gt of "created" has to be an RFC 3339 timestamp such as "2026-11-01T00:00:00Z".',
    ],
    [
      '{"created":{"$gt":"2026-02-30T00:00:00Z"}}',
      '40007 The $gt of "created" has to be an RFC 3339 timestamp such as "2026-11-01T00:00:00Z".',
    ],
  ])("is refused where it is %s", (text, fault) => {
    expect(faultsOf(text)).toEqual({ filter: [], faults: [fault] });
  });

  test("tells every fault at once", () => {
    expect(faultsOf('{"colour":"red","status":{"$gt":"a","$in":3},"created":{"$lt":""}}').faults).toEqual([
      '40005 There is no filter on "colour". Filter by status, id, name, created, is_muted or entity.value.',
      '40006 The field "status" has no operator "$gt". Use $eq, $in or $neq.',
      '40007 The $in of "status" has to be a list of strings.',
      '40007 The $lt of "created" has to be an RFC 3339 timestamp such as "2026-11-01T00:00:00Z".',
    ]);
  });

  test("may have 8192 bytes and no more, counted in UTF-8", () => {
    const of = (bytes: number) => `{"name":"${"é".repeat((bytes - 11) / 2)}"}`;
    expect(new TextEncoder().encode(of(8193)).length).toBe(8193);
    expect(faultsOf(of(8191)).faults).toEqual([]);
    expect(faultsOf(of(8193)).faults).toEqual(["40008 Send a filter of at most 8192 bytes."]);
  });

  test("may be 5 levels deep and no more", () => {
    const of = (depth: number) => `{"status":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(faultsOf(of(5)).faults).toEqual(['40007 The $eq of "status" has to be a string.']);
    expect(faultsOf(of(6)).faults).toEqual(["40008 Nest a filter at most 5 levels deep."]);
    expect(faultsOf("[".repeat(8000)).faults).toEqual(["40008 Nest a filter at most 5 levels deep."]);
  });

  test("may have 50 conditions and no more", () => {
    const of = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, "a"])));
    expect(faultsOf(of(50)).faults).toHaveLength(50);
    expect(faultsOf(of(51)).faults).toEqual(["40008 Use at most 50 conditions in a filter."]);
  });

  test("counts every operator as a condition", () => {
    const operators = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`$${index}`, "a"]));
    expect(faultsOf(JSON.stringify({ status: operators })).faults).toEqual([
      "40008 Use at most 50 conditions in a filter.",
    ]);
  });

  test("may have 200 values in $in and no more", () => {
    const of = (count: number) => JSON.stringify({ status: { $in: Array(count).fill("a") } });
    expect(faultsOf(of(200)).faults).toEqual([]);
    expect(faultsOf(of(201)).faults).toEqual(['40008 The $in of "status" has 201 values; use at most 200.']);
  });

  test("never pollutes a prototype, whatever its keys are (T14)", () => {
    const key = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "status", "$eq", "$in");
    const value = fc.letrec((tie) => ({
      json: fc.oneof({ depthSize: "small" }, fc.string(), tie("object"), fc.array(tie("json"), { maxLength: 2 })),
      object: fc
        .array(fc.tuple(key, tie("json")), { maxLength: 3 })
        .map((pairs) => ({ text: `{${pairs.map(([name, inner]) => `"${name}":${write(inner)}`).join(",")}}` })),
    })).object;
    const before = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(value, (object) => {
        parseFilter(write(object), fields);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      }),
      { numRuns: 2000 },
    );
  });

  test("either is understood or has a fault, whatever is sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { filter, faults } = parseFilter(text, fields);
        expect(faults.length > 0 || filter.length === 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a filter written out", () => {
  test("is null where there is none", () => {
    expect(formatFilter([])).toBeNull();
  });

  test("has every operator, and timestamps in UTC", () => {
    const text = '{"status":"failed","created":{"$gte":"2026-11-01T02:00:00+02:00","$lt":"2026-11-02T00:00:00.5Z"}}';
    expect(formatFilter(understood(text))).toBe(
      '{"status":{"$eq":"failed"},"created":{"$gte":"2026-11-01T00:00:00.000Z","$lt":"2026-11-02T00:00:00.500Z"}}',
    );
  });

  test("is understood as the same filter again", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    const moment = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-30"), noInvalidDate: true });
    const filter = fc.record(
      {
        status: fc.oneof(text, fc.record({ $in: fc.array(text, { maxLength: 5 }) }), fc.record({ $neq: text })),
        name: fc.record({ $contains: text, $begins_with: text }),
        created: fc.record({ $gt: moment.map((date) => date.toISOString()) }),
        "entity.value": text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filter, (wanted) => {
        const first = understood(JSON.stringify(wanted));
        expect(understood(formatFilter(first) ?? "{}")).toEqual(first);
      }),
    );
  });
});

test("the limits of a filter are these", () => {
  expect(filterLimits).toEqual({ bytes: 8192, depth: 5, conditions: 50, values: 200 });
});

/** Writes JSON in which objects are texts already, so that their keys may repeat. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "object" && value !== null && "text" in value) return String(value.text);
  return JSON.stringify(value);
}
