import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { errorCodes, expectRefusal } from "../error-envelope";
import { openPlane } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");
await plane.addTasks(Array.from({ length: 3 }, () => ({})));
for (let person = 0; person < 3; person++) await plane.addUser({ roles: [{ role: "viewer" }] });

const served: [query: string, limit: number, start: string, count: number][] = [
  ["", 100, "1", 3],
  ["limit=", 100, "1", 3],
  ["limit=0", 100, "1", 3],
  ["limit", 100, "1", 3],
  ["limit=2", 2, "1", 2],
  ["limit=1000", 1000, "1", 3],
  ["limit=1001", 1000, "1", 3],
  ["limit=1000000000", 1000, "1", 3],
  [`limit=${"9".repeat(400)}`, 1000, "1", 3],
  ["start=", 100, "1", 3],
  ["start=2&limit=2", 2, "2", 1],
  ["start=1000000000", 100, "1000000000", 0],
  ["start=%31", 100, "1", 3],
];

test.each(served)("T19: ?%s is served", async (query, limit, start, count) => {
  for (const path of ["/tasks", "/users"]) {
    const { status, body } = await plane.ask(`${path}?${query}`, { token });
    expect(status).toBe(200);
    expect([body.limit, body.start, body.current_count, body._embedded.items.length]).toEqual([
      limit,
      start,
      count,
      count,
    ]);
    expect(body.total_count).toBe(3);
  }
});

test("T19: a page number beyond every number is an empty page", async () => {
  const { status, body } = await plane.ask(`/tasks?start=${"9".repeat(400)}`, { token });
  expect(status).toBe(200);
  expect(body._embedded.items).toEqual([]);
  expect(body._links.prev.href).toBe("/tasks?start=1&limit=100");
});

const oddNumbers = [
  "-1",
  "-0",
  "1.5",
  "1.0",
  "01",
  "00",
  "1e3",
  "1E3",
  "0x10",
  "%2B1",
  "+1",
  "%201",
  "1%20",
  "1%00",
  "1%0A",
  "1_000",
  "1,000",
  "٣",
  "１",
  "%D9%A3",
  "Infinity",
  "NaN",
  "null",
  "1;2",
  "[1]",
  "'1'",
  "1--",
  "1/**/",
];

test.each(oddNumbers)("T19: limit=%s and start=%s are refused, each with its own error", async (number) => {
  const answer = await plane.ask(`/tasks?limit=${number}&start=${number}`, { token });
  expectRefusal(answer);
  expect(errorCodes(answer)).toEqual([40003, 40003]);
});

const refused: [query: string, codes: number[]][] = [
  ["start=0", [40003]],
  ["limit=1&limit=1", [40002]],
  ["limit=&limit=1", [40002]],
  ["start=1&start=2", [40002]],
  ["filter=%7B%7D&filter=%7B%7D", [40002]],
  ["limit=1&%6Cimit=1", [40002]],
  ["limit[]=1", [40001]],
  ["Limit=1", [40001]],
  ["limit%00=1", [40001]],
  ["page=1", [40001]],
  ["limit=%ff", [40003]],
  ["limit=%", [40003]],
  ["%=1", [40001]],
  ["__proto__=1&constructor=1", [40001, 40001]],
];

test.each(refused)("T19: ?%s is refused", async (query, codes) => {
  for (const path of ["/tasks", "/users"]) {
    const answer = await plane.ask(`${path}?${query}`, { token });
    expectRefusal(answer);
    expect(answer.status).toBe(400);
    expect(errorCodes(answer)).toEqual(codes);
  }
});

test("T19: a limit is read exactly when it is decimal digits without a zero in front", async () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(..."0123456789+-.eE_ "), minLength: 1, maxLength: 6 }),
    fc.nat().map(String),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { status, body } = await plane.ask(`/tasks?limit=${encodeURIComponent(text.toWellFormed())}`, { token });
      const isNumber = /^(|0|[1-9][0-9]*)$/.test(text);
      expect(status).toBe(isNumber ? 200 : 400);
      expect(body.limit).toBe(isNumber ? Math.min(Number(text) || 100, 1000) : undefined);
    }),
    { numRuns: 2_000 },
  );
});
