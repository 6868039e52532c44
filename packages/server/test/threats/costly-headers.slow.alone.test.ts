import { afterAll, expect, test } from "bun:test";
import { openPlane, unitHeaderName } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");
const authorization = `Bearer ${token}`;

/** The least time that a request takes, in milliseconds: what disturbs a measurement only ever adds to it. */
async function minTime(headers: Record<string, string>, path: string): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 30; round++) {
    const startedAt = performance.now();
    await plane.ask(path, { headers });
    min = Math.min(min, performance.now() - startedAt);
  }
  return min;
}

type Attack = (length: number) => { headers?: Record<string, string>; path?: string };
const attacks: [what: string, attack: Attack][] = [
  ["Accept of commas", (n) => ({ headers: { accept: ",".repeat(n) } })],
  ["Accept of entries", (n) => ({ headers: { accept: "*/*,".repeat(n / 4) } })],
  ["Accept of parameters", (n) => ({ headers: { accept: `*/*${";q=1".repeat(n / 4)}` } })],
  ["Accept of spaces before a q", (n) => ({ headers: { accept: `*/*;q${" ".repeat(n)}x` } })],
  ["Accept of quotes", (n) => ({ headers: { accept: '"'.repeat(n) } })],
  ["Accept of backslashes in quotes", (n) => ({ headers: { accept: `"${"\\".repeat(n)}` } })],
  ["Accept of pairs", (n) => ({ headers: { accept: `application/api.svc.${"a=v1&".repeat(n / 5)}b=v1+json` } })],
  ["Accept of digits", (n) => ({ headers: { accept: `application/api.svc.tasks=v${"1".repeat(n)}+json` } })],
  ["Authorization of spaces", (n) => ({ headers: { authorization: `Bearer ${" ".repeat(n)}x y` } })],
  ["Authorization of dots", (n) => ({ headers: { authorization: `Bearer ${".".repeat(n)}` } })],
  ["Authorization of one long word", (n) => ({ headers: { authorization: `Bearer ${"a".repeat(n)}` } })],
  ["an organizational unit of dashes", (n) => ({ headers: { [unitHeaderName]: "-".repeat(n) } })],
  ["an organizational unit of digits", (n) => ({ headers: { [unitHeaderName]: "0".repeat(n) } })],
  ["If-None-Match of entries", (n) => ({ headers: { "if-none-match": 'W/"a",'.repeat(n / 6) } })],
  ["a filter of brackets", (n) => ({ path: `/tasks?filter=${"[".repeat(n)}` })],
  ["a filter of quotes", (n) => ({ path: `/tasks?filter=${"%22".repeat(n / 3)}` })],
  ["a timestamp of digits", (n) => ({ path: `/tasks?filter=${at(`2026-11-01T00:00:00.${"0".repeat(n / 3)}`)}` })],
  ["a query of ampersands", (n) => ({ path: `/tasks?${"&".repeat(n)}` })],
  ["a query of parameters", (n) => ({ path: `/tasks?${"a&".repeat(n / 2)}` })],
  ["a limit of digits", (n) => ({ path: `/tasks?limit=${"1".repeat(n)}x` })],
  ["a cursor", (n) => ({ path: `/tasks?cursor=${"A".repeat(n)}` })],
  ["a path of slashes", (n) => ({ path: `/${"/".repeat(n)}` })],
  ["a path of dots", (n) => ({ path: `/${"../".repeat(n / 3)}tasks` })],
];

function at(timestamp: string): string {
  return encodeURIComponent(JSON.stringify({ created_timestamp: { $gt: timestamp } }));
}

test.each(attacks)("T15: twice as much of it takes about twice as long: %s", async (_what, attack) => {
  const measure = (length: number) => {
    const { headers = {}, path = "/tasks" } = attack(length);
    return minTime({ authorization, ...headers }, path);
  };
  await measure(1_000);
  const [once, twice] = [await measure(8_000), await measure(16_000)];
  // Quadratic work takes four times as long; work that takes no time at all has nothing to compare.
  expect(twice).toBeLessThan(Math.max(once * 3, 2));
});

test("T15: the measurement sees what is quadratic", () => {
  let steps = 0;
  const measure = (length: number) => {
    const startedAt = performance.now();
    for (let from = 0; from < length; from++) for (let to = from; to < length; to++) steps += to & from;
    return performance.now() - startedAt;
  };
  // In turn, so that what else the machine does slows both down.
  const rounds = Array.from({ length: 8 }, () => [measure(4_000), measure(8_000)] as const);
  const min = (which: 0 | 1) => Math.min(...rounds.map((round) => round[which]));
  expect(steps).toBeGreaterThan(0);
  expect(min(1)).toBeGreaterThan(min(0) * 3);
});

const tooLarge: [what: string, headers: Record<string, string>, status: number][] = [
  ["an Accept of 1,025 characters", { accept: `*/*;x=${"a".repeat(1_019)}` }, 431],
  ["an Accept of 21 entries", { accept: Array.from({ length: 21 }, () => "*/*").join() }, 400],
  ["headers of more than 32 KiB", { x: "a".repeat(32_768) }, 431],
];

test.each(tooLarge)("T15: %s is refused", async (_what, headers, status) => {
  expect((await plane.ask("/tasks", { headers: { authorization, ...headers } })).status).toBe(status);
});

test("T15: an Accept of 1,024 characters and 20 entries is served", async () => {
  const accept = Array.from({ length: 20 }, () => "*/*").join();
  expect(
    (await plane.ask("/tasks", { token, accept: `${accept};x=${"a".repeat(1_024 - accept.length - 3)}` })).status,
  ).toBe(200);
});
