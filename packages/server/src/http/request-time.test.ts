import { expect, test } from "bun:test";
import { createRequestTimes } from "./request-time";

/** Request times on a clock that the test sets. */
function onClock() {
  const clock = { now: 0 };
  return { clock, times: createRequestTimes(() => clock.now) };
}

test("R15: the time in which requests are in flight is divided among them, and is forgotten within seconds", () => {
  const { clock, times } = onClock();
  const [busy, light] = [times.accountOf("busy", false), times.accountOf("light", false)];
  const running = [times.start(busy), times.start(busy), times.start(busy), times.start(light)];
  clock.now = 100;
  for (const one of running) one.end();
  expect(times.usedBy(busy)).toBeCloseTo(75, 0);
  expect(times.usedBy(light)).toBeCloseTo(25, 0);
  // Nothing is charged while nothing is in flight.
  clock.now = 1_100;
  expect(times.usedBy(busy)).toBeCloseTo(75 * Math.exp(-1_000 / 300), 0);
  clock.now = 10_000;
  expect(times.usedBy(busy)).toBeLessThan(0.01);
});

test("R15: a fair share is an even part for each active caller and for one newcomer", () => {
  const { clock, times } = onClock();
  const first = times.accountOf("first", false);
  const use = (account: typeof first, milliseconds: number) => {
    const running = times.start(account);
    clock.now += milliseconds;
    running.end();
  };
  expect(times.isAboveShare(first)).toBe(false);
  use(first, 140);
  expect(times.isAboveShare(first)).toBe(false);
  use(first, 60);
  expect([times.isAboveShare(first), times.mustYield(first)]).toEqual([true, false]);
  const second = times.accountOf("second", false);
  use(second, 60);
  expect([times.mustYield(first), times.mustYield(second)]).toEqual([true, false]);
  // A service that was asked for nothing else for a while is free for all.
  clock.now += 1_000;
  expect(times.isAboveShare(first)).toBe(false);
});

test("R15: a request that is still running is charged as it goes, and follows its caller once that is known", () => {
  const { clock, times } = onClock();
  const [address, caller] = [times.accountOf("192.0.2.1", true), times.accountOf("192.0.2.1", false)];
  expect(address).not.toBe(caller);
  const running = times.start(address);
  clock.now = 600;
  expect(times.isAboveShare(address)).toBe(true);
  running.moveTo(caller);
  expect([times.isAboveShare(address), times.isAboveShare(caller)]).toEqual([false, true]);
  running.end();
  running.end();
  expect(times.usedBy(caller)).toBeCloseTo(600, 0);
});

test("the account of a caller is the same one for as long as it asks", () => {
  const { clock, times } = onClock();
  const account = times.accountOf("one", false);
  clock.now = 9_000;
  times.isAboveShare(account);
  expect(times.accountOf("one", false)).toBe(account);
  clock.now = 20_000;
  times.isAboveShare(account);
  expect(times.accountOf("one", false)).not.toBe(account);
});

test("R15: requests that are refused at once are charged, too: who sends thousands is above its share", () => {
  const { times } = onClock();
  const [flood, other] = [times.accountOf("flood", false), times.accountOf("other", false)];
  for (let count = 0; count < 6_000; count++) times.chargeRefusal(flood);
  expect([times.isAboveShare(flood), times.isAboveShare(other)]).toEqual([true, false]);
});

test("R15: of callers that use about as much as each other none has to yield; one that uses far more has to", () => {
  const { clock, times } = onClock();
  const askAll = () => ["a", "b", "c", "d"].map((key) => times.accountOf(key, false));
  const accounts = askAll();
  const useAll = (count: number) => {
    const running = askAll()
      .slice(0, count)
      .map((account) => times.start(account));
    clock.now += 60;
    for (const one of running) one.end();
  };
  for (let round = 0; round < 40; round++) useAll(4);
  expect(accounts.map((account) => times.isAboveShare(account))).toEqual([true, true, true, true]);
  expect(accounts.map((account) => times.mustYield(account))).toEqual([false, false, false, false]);
  for (let round = 0; round < 10; round++) useAll(1);
  expect(accounts.map((account) => times.mustYield(account))).toEqual([true, false, false, false]);
});
