import { afterAll, beforeAll, expect, test } from "bun:test";
import { runHoldfast, startProcess } from "../process";
import { timeLimit } from "../runs";
import { anyPages, askInOpenLoop, measureCapacity, percentile } from "./open-loop";

const small = 10_000;
const large = 1_000_000;
const rounds = 2_000;
/** So many lists ago was a total found that is known: a service remembers more. */
const known = 500;

type Service = Awaited<ReturnType<typeof openService>>;
let few: Service;
let many: Service;
beforeAll(async () => {
  few = await openService(small);
  many = await openService(large);
}, 900_000);
afterAll(async () => {
  await few.close();
  await many.close();
});

async function openService(tasks: number) {
  const server = await startProcess({ flags: { rate_limit: "0" } });
  expect((await runHoldfast(server.folder, ["demo", "--tasks", String(tasks)])).exitCode).toBe(0);
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("viewer");
  const headers = { Authorization: `Bearer ${token}` };
  return {
    asking: { url: server.baseUrl, token },
    /** Time that a page takes, in milliseconds. */
    async time(path: string): Promise<number> {
      const startedAt = performance.now();
      const response = await fetch(`${server.baseUrl}${path}`, { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      return performance.now() - startedAt;
    },
    async close() {
      await server.stop();
      await beside.close();
    },
  };
}

/** The time within which so large a part of them was answered. */
function within(part: number, times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Ratios of the times of the first to the second at p90 and p99. The very slowest say how busy the machine was. */
function compare(what: string, ours: readonly number[], other: readonly number[]): Record<"p90" | "p99", number> {
  const ratio = (part: number) => within(part, ours) / within(part, other);
  const ratios = { p90: ratio(0.9), p99: ratio(0.99) };
  say(`${what}: ${ratios.p90.toFixed(2)} times at 90 of 100, ${ratios.p99.toFixed(2)} times at 99 of 100`);
  return ratios;
}

test("R13: a page of a million tasks takes as long as one of ten thousand, and page 10,000 as long as page 1", async () => {
  const times: Record<"few" | "many" | "first" | "deep", number[]> = { few: [], many: [], first: [], deep: [] };
  // One after the other in each round, so that a slow moment of the machine meets all of them.
  for (let round = 0; round < rounds; round++) {
    const page = 1 + (round % 100);
    times.few.push(await few.time(`/tasks?limit=100&start=${page}`));
    times.many.push(await many.time(`/tasks?limit=100&start=${page}`));
    times.first.push(await many.time(`/tasks?limit=${50 + (round % 50)}`));
    times.deep.push(await many.time(`/tasks?limit=${50 + (round % 50)}&start=10000`));
  }
  expect(compare("A million tasks beside ten thousand", times.many, times.few).p99).toBeLessThan(1.5);
  expect(compare("Page 10,000 beside page 1", times.deep, times.first).p90).toBeLessThan(2);
}, 900_000);

test("R13: a total that has to be found makes a page of a million tasks little slower", async () => {
  const until = (moment: number) =>
    encodeURIComponent(JSON.stringify({ created_timestamp: { $lt: new Date(moment).toISOString() } }));
  const now = Date.now();
  /** Another moment each time within the last months. */
  const listUntil = (round: number, spelling: string) =>
    many.time(`/tasks?limit=100${spelling}filter=${until(now - 1_000_003 * (1 + round))}`);
  for (let round = 0; round < known; round++) await listUntil(round, "&");
  const times: Record<"found" | "known", number[]> = { found: [], known: [] };
  for (let round = 0; round < rounds; round++) {
    times.found.push(await listUntil(known + round, "&"));
    // Spelt differently, so that the page is read, too: after others, which have pushed it out of the database's memory.
    times.known.push(await listUntil(round, "&&"));
  }
  // Each list of ours has a total. One that is known costs nothing, so it is beside that that finding one is compared.
  expect(compare("A total that has to be found beside a known one", times.found, times.known).p90).toBeLessThan(1.2);
}, 900_000);

/** The lists a second of the row, and its milliseconds for 99 of 100 at half load. */
const ofRow = { perSecond: 1_500, slowest: 10 };

/** Measures the number of lists that a service with a million tasks can answer in a second, and the p99 at half of that load. */
async function measureHalfLoad(what: string, paths: readonly string[]) {
  await measureCapacity({ ...many.asking, paths, seconds: 5 });
  const capacity = await measureCapacity({ ...many.asking, paths, seconds: 10 });
  const perSecond = Math.min(capacity, ofRow.perSecond) / 2;
  const slowest: number[] = [];
  for (let round = 0; round < 3; round++) {
    const answers = await askInOpenLoop({ ...many.asking, paths, perSecond, seconds: 10 });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    slowest.push(percentile(answers, 0.99));
  }
  const written = slowest.map((time) => time.toFixed(1)).join(", ");
  say(
    `${what}: ${capacity.toFixed(0)} lists a second; of ${perSecond.toFixed(0)} a second 99 of 100 within ${written} ms`,
  );
  return { capacity, slowest: within(0.5, slowest) };
}

test("R13: a list that is asked for again and again is answered as often as it has to be, and at half of that nearly all at once", async () => {
  const { capacity, slowest } = await measureHalfLoad("The same page", ["/tasks?limit=100"]);
  expect(capacity).toBeGreaterThan(ofRow.perSecond);
  expect(slowest).toBeLessThan(timeLimit(ofRow.slowest));
}, 900_000);

test("R13: at half of what it can do, a service with a million tasks answers another page each time nearly at once", async () => {
  const { capacity, slowest } = await measureHalfLoad("Another page each time", anyPages(large));
  // Which machine does so many is printed, not asserted. On a slower one as many answers take longer.
  const slower = Math.max(1, ofRow.perSecond / capacity);
  expect(slowest).toBeLessThan(timeLimit(slower * ofRow.slowest));
}, 900_000);
