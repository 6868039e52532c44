import { expect, test } from "bun:test";
import { openPlane, root } from "../harness";

const hour = 3_600_000;

test("T30: stepping the wall clock neither fills nor empties the rate limit", async () => {
  const plane = await openPlane({ rate_limit: "1" });
  const { token } = await plane.serviceToken("viewer", root, 30 * 24 * hour);
  const statuses: number[] = [];
  for (const step of [0, 24 * hour, -1 * hour, 1 * hour, 24 * hour]) {
    plane.clock.now += step;
    statuses.push((await plane.ask("/tasks", { token })).status);
  }
  await plane.close();
  // Two requests are the burst; days that pass on the wall clock alone add nothing.
  expect(statuses).toEqual([200, 200, 429, 429, 429]);
});

test("T30: the rate limit fills as real time passes", async () => {
  const plane = await openPlane({ rate_limit: "5" });
  const { token } = await plane.serviceToken("viewer");
  const burst = await Promise.all(Array.from({ length: 60 }, () => plane.ask("/tasks", { token })));
  expect(burst.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  const ask = async () => (await plane.ask("/tasks", { token })).status;
  const statuses = [await ask()];
  for (const deadline = performance.now() + 60_000; statuses.at(-1) !== 200 && performance.now() < deadline; ) {
    await Bun.sleep(50);
    statuses.push(await ask());
  }
  expect(statuses.at(-1)).toBe(200);
  await plane.close();
});

test("T30: expiry and the beginning of a token's life follow the wall clock, forwards and backwards", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("viewer", root, hour);
  const made = plane.clock.now;
  const statuses: number[] = [];
  for (const offset of [0, hour - 1000, hour, 24 * hour, 0, -60_000, -62_000, -hour, 0]) {
    plane.clock.now = made + offset;
    statuses.push((await plane.ask("/tasks", { token })).status);
  }
  await plane.close();
  expect(statuses).toEqual([200, 200, 401, 401, 200, 200, 401, 401, 200]);
});

test("T30: a clock that goes back breaks nothing that is being served", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("viewer", root, 48 * hour);
  plane.clock.now += 24 * hour;
  const first = await plane.ask("/tasks", { token });
  plane.clock.now -= 24 * hour;
  const second = await plane.ask("/tasks", { token });
  await plane.addTasks([{}]);
  const third = await plane.ask("/tasks", { token });
  await plane.close();
  expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
  expect([first.text === second.text, third.body.total_count]).toEqual([true, 1]);
});
