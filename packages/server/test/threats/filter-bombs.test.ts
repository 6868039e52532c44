import { afterAll, expect, test } from "bun:test";
import { errorCodes, expectRefusal } from "../error-envelope";
import { openPlane } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");
await plane.addTasks([{ status: "failed" }, {}]);

const ask = (path: string, filter: string) => plane.ask(`${path}?filter=${encodeURIComponent(filter)}`, { token });
const nested = (depth: number) => `${'{"status":'.repeat(depth)}"x"${"}".repeat(depth)}`;
const inList = (count: number) =>
  JSON.stringify({ status: { $in: Array.from({ length: count }, (_, at) => `${at}`) } });
const conditions = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, "x"])));
/** A filter of exactly so many bytes. */
const sized = (bytes: number) => {
  const empty = '{"status":""}';
  return empty.replace('""', `"${"x".repeat(bytes - empty.length)}"`);
};

test("T13: a filter at each of its limits is served", async () => {
  const operators = JSON.stringify({ status: { $in: ["failed"], $neq: "queued" } });
  for (const filter of [sized(8192), inList(200), operators]) expect((await ask("/tasks", filter)).status).toBe(200);
});

const bombs: [what: string, filter: string, code: number][] = [
  ["8,193 bytes", sized(8193), 40008],
  ["8,192 characters, but more bytes", sized(8192).replace("xx", "éx"), 40008],
  ["6 levels", nested(6), 40008],
  ["800 levels of objects", nested(800), 40008],
  ["8,000 levels of lists", "[".repeat(8_000), 40008],
  ["4,000 levels, closed", "[".repeat(4_000) + "]".repeat(4_000), 40008],
  ["51 conditions", conditions(51), 40008],
  ["600 conditions", conditions(600), 40008],
  ["1,500 operators", `{"status":{${Array.from({ length: 600 }, (_, at) => `"$${at}":"x"`).join()}}}`, 40008],
  ["201 values", inList(201), 40008],
  ["1,000 values", inList(1_000), 40008],
  ["8,000 quotes", '"'.repeat(8_000), 40004],
  ["8,000 backslashes", `{"status":"${"\\".repeat(7_999)}`, 40004],
];

test.each(bombs)("T13: a filter of %s is refused", async (_what, filter, code) => {
  for (const path of ["/tasks", "/users"]) {
    const answer = await ask(path, filter.replace("status", path === "/tasks" ? "status" : "role_id"));
    expect(answer.status).toBe(400);
    expect(errorCodes(answer)).toEqual([code]);
    expectRefusal(answer);
  }
});

test.each([
  ["8,000 levels", nested(8_000)],
  ["1,500 conditions", conditions(1_500)],
  ["40,000 values", inList(40_000)],
])("T13: a filter of %s does not even fit into an address, or is refused", async (_what, filter) => {
  const answer = await ask("/tasks", filter);
  expect([400, 414]).toContain(answer.status);
  expectRefusal(answer);
});

test("T13: no bomb costs much more than a harmless filter", async () => {
  /** Milliseconds of a processor for each request: what else runs on the machine takes none of these. */
  const cost = async (filter: string) => {
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) await ask("/tasks", `${filter}${" ".repeat(round)}`);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 20_000;
  };
  const harmless = await cost(sized(8_000));
  const costs: number[] = [];
  for (const [, filter] of bombs) costs.push(await cost(filter));
  expect(Math.max(...costs)).toBeLessThan(Math.max(harmless, 1) * 5);
});
