import type { ApiError } from "@holdfast/api/conventions/api-error";
import type { RequestTimes, TimeAccount } from "./request-time";

export interface FairQueueLimits {
  /** Number of requests that run at once before others wait: in all, and of each caller, so that none keeps all places with slow ones. */
  concurrent: number;
  concurrentOfAccount: number;
  /** Number of requests of callers above their fair share that run at once while others are active: in all, and of each caller. */
  concurrentAboveShare: number;
  concurrentOfAccountAboveShare: number;
  /** Number of waiting requests: in all, and of each caller that has sent more than a burst. */
  waiting: number;
  waitingOfAccount: number;
  /** Number of requests of a caller that may begin to wait, until none of it does, before anything limits how many of it wait. */
  burstOfAccount: number;
  /** The longest wait of a request, in milliseconds. The time in which the process did not run is not counted. */
  waitMs: number;
}

/** The result of asking for a turn: a refusal, or a turn now or after a wait. */
type QueueTurn = { refusal: ApiError } | { wait?: Promise<void>; leave(): void };

/**
 * Lets requests begin. A caller within its fair share does not wait, unless the whole service is overloaded, and neither does one
 * that sends one request after the other: it cannot get far ahead. What is above that waits until everything that has arrived
 * was begun, and those who have used the least time are first.
 */
export interface FairQueue {
  take(account: TimeAccount, isGone: () => boolean): QueueTurn;
  /** True if a caller has to let others go first: several of its requests run or wait, and it uses far more than the others do. */
  mustYield(account: TimeAccount): boolean;
}

/** One iteration of the event loop, in which requests that have arrived begin one after the other. */
interface Tick {
  startedAt: number;
  begun: Map<TimeAccount, number>;
}

interface Waiting {
  /** Number of requests of its caller that began to wait since none of it did, itself included. */
  ofBurst: number;
  /** The number of the last check for requests that waited too long before this one came. */
  cameAfterCheck: number;
  /** The refusal if it has to make way or waits too long. */
  reason: ApiError;
  isGone: () => boolean;
  begin(): void;
  refuse(reason: unknown): void;
}

/** Requests of one of several callers that begin in one tick: it is not known yet what they cost, nor who comes next. */
const maxBegunPerTick = 4;
/** Requests of one tick run one after the other: after so many milliseconds of it, the next ones wait. */
const maxTickMs = 10;
/** If more than this many of a caller wait after its burst, the last one is to begin within this time, in milliseconds. */
const minWaitingOfAccount = 32;
const maxWaitOfManyMs = 100;
/** Time in which those who wait begin after a tick, as a multiple of what its arrivals took: refusing must not take most of it. */
const drainPerTick = 6;
const minDrainMs = 3;
/**
 * A pause after a request of a caller that has to yield, as a multiple of the time for which it kept the thread busy: others find
 * the thread idle for two thirds of the time.
 */
const pausePerRequest = 2;
/** No request keeps the thread busy for nearly as long. A process that was suspended would pause for as long again. */
const maxPauseMs = 500;
/** Checks of a request that waits before it is refused. */
const maxChecks = 10;

/** Makes a queue, which is empty. */
export function createFairQueue(
  limits: FairQueueLimits,
  times: RequestTimes,
  { overloaded, aboveShare }: { overloaded: ApiError; aboveShare: ApiError },
): FairQueue {
  const queues = new Map<TimeAccount, Waiting[]>();
  const running = new Map<TimeAccount, number>();
  let waiting = 0;
  let inAll = 0;
  let inAllAboveShare = 0;
  let tick: Tick | undefined;
  /** Duration of the last tick in which requests came. */
  let tickMs = 0;
  /** Until then, a request that ends lets the next one begin in the same tick. */
  let drainUntil = 0;
  let isScheduled = false;
  /** True if no request begins whose caller has to yield. */
  let isPaused = false;
  /** The time at which the first request ended since one of a caller that has to yield began; 0 if none has. */
  let firstEndAt = 0;
  let begunAt = 0;
  let intervalMs = 0;
  let checks = 0;
  let isCheckScheduled = false;

  function currentTick(): Tick {
    if (!tick) {
      tick = { startedAt: performance.now(), begun: new Map() };
      setImmediate(() => {
        tickMs = performance.now() - (tick?.startedAt ?? 0);
        tick = undefined;
      });
    }
    return tick;
  }

  /** True if a request may begin in the tick in which it came. */
  function mayRunAtOnce(account: TimeAccount): boolean {
    const { startedAt, begun } = currentTick();
    if (performance.now() - startedAt > maxTickMs || queues.has(account)) return false;
    const count = begun.get(account) ?? 0;
    if ((count >= maxBegunPerTick && !times.isAlone()) || mustYield(account, 1) || !mayRun(account, 1)) return false;
    begun.set(account, count + 1);
    return true;
  }

  /** True if a caller has to yield, counting further requests besides those that run or wait. */
  function mustYield(account: TimeAccount, further = 0): boolean {
    const count = (running.get(account) ?? 0) + (queues.get(account)?.length ?? 0) + further;
    return count > 1 && times.mustYield(account);
  }

  function mayRun(account: TimeAccount, further = 0): boolean {
    if (inAll >= limits.concurrent) return false;
    const own = running.get(account) ?? 0;
    if (own >= limits.concurrentOfAccount) return false;
    if (!mustYield(account, further)) return true;
    if (isPaused) return false;
    return inAllAboveShare < limits.concurrentAboveShare && own < limits.concurrentOfAccountAboveShare;
  }

  /** Counts a request as running. Gives the function that ends this. */
  function run(account: TimeAccount, isAbove: boolean): () => void {
    inAll += 1;
    if (isAbove) inAllAboveShare += 1;
    running.set(account, (running.get(account) ?? 0) + 1);
    return () => {
      firstEndAt ||= performance.now();
      inAll -= 1;
      if (isAbove) inAllAboveShare -= 1;
      const left = (running.get(account) ?? 1) - 1;
      if (left > 0) running.set(account, left);
      else running.delete(account);
      if (performance.now() < drainUntil) beginNext();
      else schedule();
    };
  }

  function schedule(): void {
    if (isScheduled || waiting === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      drainUntil = performance.now() + Math.min(maxTickMs, Math.max(minDrainMs, drainPerTick * tickMs));
      beginNext();
    });
  }

  function beginNext(): void {
    let next: TimeAccount | undefined;
    for (const account of queues.keys()) {
      const isBetter = !next || times.usedBy(account) < times.usedBy(next);
      if (isBetter && mayRun(account)) next = account;
    }
    if (!next) return;
    const one = remove(next, 0);
    noteInterval();
    if (one?.isGone()) one.refuse(new DOMException("The client has left.", "AbortError"));
    else if (one) begin(one, mustYield(next, 1));
    schedule();
  }

  /** Averages the time between two requests that begin after a wait. */
  function noteInterval(): void {
    const now = performance.now();
    intervalMs += (Math.min(now - begunAt, maxWaitOfManyMs) - intervalMs) / 10;
    begunAt = now;
  }

  function begin(one: Waiting, mustPause: boolean): void {
    const startedAt = performance.now();
    one.begin();
    if (!mustPause) return;
    firstEndAt = 0;
    isPaused = true;
    // After this tick, in which the request was answered, or until it has begun to wait for something else.
    setImmediate(() => {
      const pause = Math.min(maxPauseMs, pausePerRequest * ((firstEndAt || performance.now()) - startedAt));
      // The timer alone ends the pause: if a clock did, too, one that is a little early would wake nobody, and no other comes.
      setTimeout(() => {
        isPaused = false;
        schedule();
      }, Math.ceil(pause));
    });
  }

  function remove(account: TimeAccount, index: number): Waiting | undefined {
    const queue = queues.get(account) ?? [];
    const [one] = queue.splice(index, 1);
    if (queue.length === 0) queues.delete(account);
    if (one) waiting -= 1;
    return one;
  }

  function drop(account: TimeAccount, index: number): void {
    const one = remove(account, index);
    one?.refuse(one.reason);
  }

  /**
   * True if a caller has too many waiting. If it is the only one, its requests would only wait for each other, and those that are
   * accepted are to be answered soon. If it has to yield, waiting slows it down at a lower cost than refusing. A burst waits
   * however slow the service is, as after its start: it ends by itself. That of an address may be of many callers.
   */
  function isFull(account: TimeAccount, queue: readonly Waiting[]): boolean {
    const burst = account.isAddress ? limits.waiting : limits.burstOfAccount;
    if ((queue.at(-1)?.ofBurst ?? 0) < burst) return false;
    if (queue.length >= limits.waitingOfAccount) return true;
    return queue.length >= minWaitingOfAccount && queue.length * intervalMs > maxWaitOfManyMs && !mustYield(account);
  }

  /** Makes room by refusing the newest request of whom most are waiting. Returns false if that is this account. */
  function makeRoom(account: TimeAccount): boolean {
    let [maxLength, length] = [account, (queues.get(account)?.length ?? 0) + 1];
    for (const [one, queue] of queues) if (queue.length > length) [maxLength, length] = [one, queue.length];
    if (maxLength === account) return false;
    drop(maxLength, length - 1);
    return true;
  }

  function checkLater(): void {
    if (!isCheckScheduled) setTimeout(refuseOverdue, limits.waitMs / maxChecks).unref();
    isCheckScheduled = true;
  }

  /** Refuses what has waited too long. Counted in checks: after a suspension of the process one comes late, and not many at once. */
  function refuseOverdue(): void {
    isCheckScheduled = false;
    checks += 1;
    for (const [account, queue] of queues) {
      while (checks - (queue[0]?.cameAfterCheck ?? checks) > maxChecks) drop(account, 0);
    }
    if (waiting > 0) checkLater();
  }

  return {
    mustYield: (account) => mustYield(account),
    take(account, isGone) {
      const isAbove = times.isAboveShare(account);
      if (mayRunAtOnce(account)) return { leave: run(account, isAbove) };
      const queue = queues.get(account);
      const isOwnFull = queue !== undefined && isFull(account, queue);
      if (isOwnFull || (waiting >= limits.waiting && !makeRoom(account))) {
        times.chargeRefusal(account);
        return { refusal: isOwnFull || isAbove ? aboveShare : overloaded };
      }
      let leave = () => {};
      const wait = new Promise<void>((resolve, reject) => {
        const one: Waiting = {
          ofBurst: (queue?.at(-1)?.ofBurst ?? 0) + 1,
          cameAfterCheck: checks,
          reason: isAbove ? aboveShare : overloaded,
          isGone,
          begin() {
            leave = run(account, times.isAboveShare(account));
            resolve();
          },
          refuse: reject,
        };
        if (queue) queue.push(one);
        else queues.set(account, [one]);
      });
      if (waiting === 0) begunAt = performance.now();
      waiting += 1;
      checkLater();
      schedule();
      return { wait, leave: () => leave() };
    },
  };
}
