import { expect, test } from "bun:test";
import { aboveShare, overloaded } from "./admission";
import { createFairQueue, type FairQueueLimits } from "./fair-queue";
import { createRequestTimes, type TimeAccount } from "./request-time";

const limits: FairQueueLimits = {
  concurrent: 4,
  concurrentOfAccount: 4,
  concurrentAboveShare: 2,
  concurrentOfAccountAboveShare: 1,
  waiting: 6,
  waitingOfAccount: 4,
  burstOfAccount: 0,
  waitMs: 60_000,
};

/** A queue, and accounts that have used so many milliseconds of the last second. */
function queueOf(used: readonly number[], changed: Partial<FairQueueLimits> = {}) {
  const clock = { now: 0 };
  const times = createRequestTimes(() => clock.now);
  const accounts = used.map((milliseconds, at) => {
    const account = times.accountOf(`caller ${at}`, false);
    account.usedMs = milliseconds;
    return account;
  });
  const queue = createFairQueue({ ...limits, ...changed }, times, { overloaded, aboveShare });
  const begun: string[] = [];
  /** Takes a turn, and notes under a name when it begins or why it does not. Work is done when it begins after a wait. */
  function take(
    name: string,
    account: TimeAccount | undefined,
    { isGone = () => false, work = () => {} }: { isGone?: () => boolean; work?: () => void } = {},
  ): () => void {
    if (!account) throw new Error("There is no such account.");
    const turn = queue.take(account, isGone);
    if ("refusal" in turn) {
      begun.push(`${name} ${turn.refusal.status}`);
      return () => {};
    }
    if (!turn.wait) begun.push(name);
    turn.wait?.then(
      () => {
        begun.push(`${name} later`);
        work();
      },
      (error) => begun.push(`${name} ${error.status ?? error.name}`),
    );
    return turn.leave;
  }
  return { accounts, take, begun };
}

/** Waits for some ticks and for pauses: the queue begins at most one request in each. */
async function ticks(): Promise<void> {
  for (let tick = 0; tick < 10; tick++) await Bun.sleep(2);
}

test("R15: a caller above its fair share runs few requests at once; others begin at once", async () => {
  const { accounts, take, begun } = queueOf([900, 5, 5]);
  const [busy, light] = accounts;
  const leave = take("first", busy);
  take("second", busy);
  take("third", busy);
  take("other", light);
  await ticks();
  expect(begun).toEqual(["first", "other"]);
  leave();
  await ticks();
  expect(begun).toEqual(["first", "other", "second later"]);
});

test("R15: a caller whose requests take long leaves places for others, even within its share", async () => {
  const { accounts, take, begun } = queueOf([5, 5], { concurrent: 4, concurrentOfAccount: 2, waiting: 10 });
  const [slow, other] = accounts;
  const leave = take("first", slow);
  for (const name of ["second", "third"]) take(name, slow);
  await ticks();
  take("other", other);
  expect(begun).toEqual(["first", "second", "other"]);
  leave();
  await ticks();
  expect(begun).toEqual(["first", "second", "other", "third later"]);
});

test("R15: of those who wait, the one who has used the least is first", async () => {
  const { accounts, take, begun } = queueOf([900, 500, 5], { concurrent: 1 });
  const [most, more, light] = accounts;
  const leave = take("running", light);
  const turns = { most: take("most", most), more: take("more", more), light: take("light", light) };
  await ticks();
  expect(begun).toEqual(["running"]);
  leave();
  await ticks();
  turns.light();
  await ticks();
  turns.more();
  await ticks();
  expect(begun).toEqual(["running", "light later", "more later", "most later"]);
});

test("R15: a caller that waits with too many is refused with 429; 503 means that many callers wait", () => {
  const busy = queueOf([900, 5], { waitingOfAccount: 2 });
  for (let count = 0; count < 5; count++) busy.take(`request ${count}`, busy.accounts[0]);
  expect(busy.begun).toEqual(["request 0", "request 3 429", "request 4 429"]);
  const full = queueOf([5, 5, 5, 5], { concurrent: 0, waiting: 3 });
  for (const [at, account] of full.accounts.entries()) full.take(`request ${at}`, account);
  expect(full.begun).toEqual(["request 3 503"]);
});

test("R15: a burst of a caller waits, however slow the service is; of what comes after it the excess is refused", async () => {
  const changed = { waiting: 200, waitingOfAccount: 50, burstOfAccount: 100, concurrent: 1 };
  const { accounts, take, begun } = queueOf([5, 5], changed);
  const [burst, running] = accounts;
  const takeSlowly = () => {
    const leaveSlowly = take("burst", burst, {
      work() {
        Bun.sleepSync(20);
        leaveSlowly();
      },
    });
  };
  const leave = take("running", running);
  for (let count = 0; count < 60; count++) takeSlowly();
  leave();
  // Now the queue learns how slow the service is.
  await Bun.sleep(100);
  for (let count = 0; count < 40; count++) takeSlowly();
  expect(begun).not.toContain("burst 429");
  take("more", burst);
  expect(begun.at(-1)).toBe("more 429");
});

test("R15: where all room is taken, the newest of whoever waits with most makes way", async () => {
  const { accounts, take, begun } = queueOf([900, 5, 5], { concurrent: 0, waiting: 4 });
  for (let count = 0; count < 4; count++) take(`busy ${count}`, accounts[0]);
  take("other", accounts[1]);
  await ticks();
  expect(begun).toEqual(["busy 3 429"]);
});

test("a request whose client has left while it waited is not begun", async () => {
  const { accounts, take, begun } = queueOf([900, 5]);
  const leave = take("running", accounts[0]);
  take("left", accounts[0], { isGone: () => true });
  take("stays", accounts[0]);
  leave();
  await ticks();
  expect(begun).toEqual(["running", "left AbortError", "stays later"]);
});

test("what has waited too long is refused", async () => {
  const { accounts, take, begun } = queueOf([900, 5], { concurrent: 0, waitMs: 10 });
  take("above its share", accounts[0]);
  take("other", accounts[1]);
  const deadline = performance.now() + 60_000;
  while (begun.length < 2 && performance.now() < deadline) await Bun.sleep(20);
  expect(begun).toEqual(["above its share 429", "other 503"]);
});

test("what waits while the process does not run is not refused for that", async () => {
  const { accounts, take, begun } = queueOf([5, 5], { concurrent: 1, waitMs: 500 });
  const leave = take("running", accounts[0]);
  take("waits", accounts[1]);
  // As after SIGSTOP: every timer is overdue at once.
  Bun.sleepSync(1_000);
  await ticks();
  expect(begun).toEqual(["running"]);
  leave();
  await ticks();
  expect(begun).toEqual(["running", "waits later"]);
});

test("R15: of many requests that arrive together, a few of each caller begin at once, and one in each tick after that", async () => {
  const { accounts, take, begun } = queueOf([0, 0], {
    concurrent: 10,
    concurrentOfAccount: 10,
    waiting: 10,
    waitingOfAccount: 10,
  });
  for (let count = 0; count < 6; count++) take(`burst ${count}`, accounts[0]);
  take("other", accounts[1]);
  expect(begun).toEqual(["burst 0", "burst 1", "burst 2", "burst 3", "other"]);
  await ticks();
  expect(begun.slice(5)).toEqual(["burst 4 later", "burst 5 later"]);
});

test("R15: a caller that sends one request after the other never waits, however much it uses", async () => {
  const { accounts, take, begun } = queueOf([900, 5]);
  for (let round = 1; round <= 5; round++) {
    take("one", accounts[0])();
    await ticks();
  }
  expect(begun).toEqual(Array(5).fill("one"));
});

test("R15: requests of a caller above its share that wait for each other begin, each after a pause", async () => {
  const { accounts, take, begun } = queueOf([900, 5]);
  const [busy] = accounts;
  let leave = take("one", busy);
  for (let round = 1; round <= 40; round++) {
    const leaveNext = take("one", busy);
    // Keeps the thread busy for no whole number of milliseconds, as requests do.
    const until = performance.now() + 1 + (round % 10) / 10;
    while (performance.now() < until);
    leave();
    leave = leaveNext;
    for (let waited = 0; begun.length <= round && waited < 200; waited++) await Bun.sleep(1);
  }
  expect(begun).toEqual(["one", ...Array(40).fill("one later")]);
});

test("R15: after a request of a caller above its share, the thread is free for others for twice as long as it took", async () => {
  const { accounts, take, begun } = queueOf([900, 5], { concurrentOfAccountAboveShare: 2 });
  const [busy] = accounts;
  const busyMs = 20;
  let startedAt = 0;
  take("running", busy);
  const leave = take("first", busy, {
    work() {
      startedAt = performance.now();
      while (performance.now() < startedAt + busyMs);
      leave();
    },
  });
  take("second", busy);
  const deadline = performance.now() + 60_000;
  while (begun.length < 3 && performance.now() < deadline) await Bun.sleep(1);
  expect(begun).toEqual(["running", "first later", "second later"]);
  expect(performance.now() - startedAt).toBeGreaterThan(3 * busyMs - 2);
});
