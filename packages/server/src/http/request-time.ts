/** The request time that one caller has used in the last second or so: a person, a service, or an address. */
export interface TimeAccount {
  /** The id of the person or service; an address if the caller is not identified. */
  readonly key: string;
  readonly isAddress: boolean;
  usedMs: number;
  decayedAt: number;
  lastRequestAt: number;
}

/** A request in flight, whose time is charged to an account. */
export interface RunningTime {
  /** Charges its time from now on, and what was charged for it until now, to another account. */
  moveTo(account: TimeAccount): void;
  end(): void;
}

/**
 * Counts how much time requests take, by who causes it. The time in which requests are in flight is divided evenly among them,
 * so that all accounts together use at most one second per second, on a database in this thread as on one elsewhere.
 */
export interface RequestTimes {
  accountOf(key: string, isAddress: boolean): TimeAccount;
  start(account: TimeAccount): RunningTime;
  /** Charges a request that was refused at once. */
  chargeRefusal(account: TimeAccount): void;
  /** Request time of about the last second, in milliseconds. */
  usedBy(account: TimeAccount): number;
  /** True if an account has used more than its fair share: an even part for each that is active, and for one newcomer. */
  isAboveShare(account: TimeAccount): boolean;
  /** True if at most one account is active. */
  isAlone(): boolean;
  /**
   * True if an account is above its share and uses far more than the others that are active. Of callers that use about as much as
   * each other none has to yield, however busy the service is.
   */
  mustYield(account: TimeAccount): boolean;
}

/** Time constant of the exponential decay: a caller that uses all of the time has an account of this value. */
const windowMs = 300;
/** Charged for each request, also a refused one: the runtime receives and sends it outside of what is measured here. */
const overheadMs = 0.1;
/** A caller has to yield if it uses this many times as much as the others do on average. */
const yieldsAbove = 2;
/** Accounts without a request for this long are idle. */
const idleMs = 1_000;
/** Then they are dropped. */
const keptMs = 10_000;
/** Interval at which running requests are charged and active accounts are counted. */
const settleEveryMs = 50;

/** Makes a count of request time, which is empty. */
export function createRequestTimes(now: () => number = () => performance.now()): RequestTimes {
  const accounts = new Map<string, TimeAccount>();
  const running = new Set<{ account: TimeAccount; since: number; charged: number }>();
  /** Advances by the time that each request in flight has had. */
  let virtualMs = 0;
  let advancedAt = now();
  let settledAt = Number.NEGATIVE_INFINITY;
  let active = 0;
  /** Time that all active accounts have used together. */
  let usedByActive = 0;

  function advance(): void {
    const at = now();
    if (running.size > 0) virtualMs += (at - advancedAt) / running.size;
    advancedAt = at;
  }

  function usedBy(account: TimeAccount): number {
    const at = now();
    if (at > account.decayedAt) {
      account.usedMs *= Math.exp((account.decayedAt - at) / windowMs);
      account.decayedAt = at;
    }
    return account.usedMs;
  }

  function charge(account: TimeAccount, milliseconds: number): void {
    account.usedMs = Math.max(0, usedBy(account) + milliseconds);
  }

  function settle(): void {
    settledAt = now();
    advance();
    for (const one of running) {
      charge(one.account, virtualMs - one.since);
      one.charged += virtualMs - one.since;
      one.since = virtualMs;
      one.account.lastRequestAt = settledAt;
    }
    active = 0;
    usedByActive = 0;
    for (const [key, account] of accounts) {
      const idle = settledAt - account.lastRequestAt;
      if (idle <= idleMs) {
        active += 1;
        usedByActive += usedBy(account);
      } else if (idle > keptMs) accounts.delete(key);
    }
  }

  function isAboveShare(account: TimeAccount): boolean {
    if (now() - settledAt >= settleEveryMs) settle();
    return usedBy(account) > windowMs / (active + 1);
  }

  return {
    usedBy,
    accountOf(id, isAddress) {
      const key = `${isAddress ? "address" : "caller"} ${id}`;
      const at = now();
      const account = accounts.get(key) ?? { key: id, isAddress, usedMs: 0, decayedAt: at, lastRequestAt: at };
      account.lastRequestAt = at;
      accounts.set(key, account);
      return account;
    },
    start(account) {
      advance();
      charge(account, overheadMs);
      const one = { account, since: virtualMs, charged: overheadMs };
      running.add(one);
      return {
        moveTo(other) {
          charge(one.account, -one.charged);
          charge(other, one.charged);
          one.account = other;
        },
        end() {
          advance();
          if (running.delete(one)) charge(one.account, virtualMs - one.since);
        },
      };
    },
    chargeRefusal: (account) => charge(account, overheadMs),
    isAboveShare,
    isAlone: () => active <= 1,
    mustYield(account) {
      if (!isAboveShare(account) || active <= 1) return false;
      const used = usedBy(account);
      return used > (yieldsAbove * Math.max(0, usedByActive - used)) / (active - 1);
    },
  };
}
