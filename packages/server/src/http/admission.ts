import { type ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { LRUCache } from "lru-cache";
import { networkOf } from "../sign-in/network-of";
import { createFairQueue, type FairQueueLimits } from "./fair-queue";
import { type BodyLimits, createPendingBodies, defaultBodyLimits, type Receive } from "./pending-bodies";
import { createRequestTimes, type RequestTimes, type RunningTime, type TimeAccount } from "./request-time";

/** Limits of concurrent work. */
export interface AdmissionLimits extends BodyLimits, FairQueueLimits {
  inFlight: number;
  /** So many more are admitted if they are reports: what happened must not be lost because many ask what happened. */
  moreReports: number;
}

/** An admitted request. */
export interface AdmissionSlot {
  /** Resolves when it is its turn, and rejects with the reason if it is refused while it waits. Undefined: at once. */
  readonly turn: Promise<void> | undefined;
  /** Charges the request to a person or a service from now on. */
  charge(callerId: string): void;
  /** Waits for its turn if the caller that it is charged to now is above its fair share. Undefined: no need to wait. */
  requeue(): Promise<void> | undefined;
  /**
   * Waits for the rest of a request. Meanwhile it is a pending body and not in flight. The signal says when it was cut, to
   * make room for others or because it took too long; its reason is the answer.
   */
  whileArriving<Arrived>(receive: Receive<Arrived>): Promise<Arrived>;
  /** Waits with the answer. Meanwhile the request counts neither as in flight nor as a pending body. */
  whileHeld(wait: () => Promise<void>): Promise<void>;
  /** From now on the request counts no more: it is answered, or what is left of it keeps nothing busy. */
  end(): void;
}

/** Decides which requests are answered now, which wait and which are refused. This is the only place that does. */
export interface Admission {
  /** Number of requests that are being answered. Those that wait, also for a part of the request, are not among them. */
  inFlight(): number;
  pendingBodies(): number;
  /** True if a person or a service has used more than its fair share while others are active. */
  mustYield(callerId: string): boolean;
  /** Admits a request, or gives the reason if it is refused. Probes are always admitted. */
  begin(request: AdmittedRequest): AdmissionSlot | ApiError;
}

/** The properties of a request that admission depends on. */
export interface AdmittedRequest {
  /** The address of its client. */
  addressOf: () => string;
  kind: "probe" | "report" | "other";
  /** True if a report is so large that it is charged to its caller like everything else. */
  isBulk?: boolean;
  /** The header by which its caller will be identified. */
  credential?: string | null;
  /** True if it came through a listener, as it does unless it is said. A process that asks itself may do so in one tick. */
  isFromListener?: boolean;
  /** True if a body belongs to it. Until that has arrived it keeps nothing busy. */
  hasBody?: boolean;
  /** True if its client has left. */
  isGone?: () => boolean;
}

const defaultLimits: AdmissionLimits = {
  ...defaultBodyLimits,
  inFlight: 1_000,
  moreReports: 500,
  concurrent: 64,
  concurrentOfAccount: 20,
  concurrentAboveShare: 6,
  concurrentOfAccountAboveShare: 4,
  waiting: 640,
  waitingOfAccount: 128,
  burstOfAccount: 200,
  waitMs: 5_000,
};

/** Credentials of which the caller is known. A guess for the queue alone: each request is authenticated. */
const maxKnownCredentials = 10_000;

/** Refusals are constants: capturing a stack takes longer than the rest of a refusal. */
export const overloaded = refuse("overloaded", "Too many requests are being answered. Try again in a moment.", {
  "Retry-After": "1",
});
export const aboveShare = refuse(
  "rateExceeded",
  "Your requests take more than a fair share of this service while it is busy. Send fewer at a time, and try again in a second.",
  { "Retry-After": "1" },
);

/** Makes an admission without any requests. */
export function createAdmission(
  changed: Partial<AdmissionLimits> = {},
  times: RequestTimes = createRequestTimes(),
): Admission {
  const limits = { ...defaultLimits, ...changed };
  const bodies = createPendingBodies(limits);
  const queue = createFairQueue(limits, times, { overloaded, aboveShare });
  const callers = new LRUCache<string, string>({ max: maxKnownCredentials });
  let inFlight = 0;

  /** The account of a caller that sent this credential before; else that of its address. */
  function accountOf({ credential, addressOf }: AdmittedRequest): TimeAccount {
    const caller = credential ? callers.get(credential) : undefined;
    return caller === undefined ? times.accountOf(networkOf(addressOf()), true) : times.accountOf(caller, false);
  }

  function isFull(kind: AdmittedRequest["kind"]): boolean {
    return kind !== "probe" && inFlight >= limits.inFlight + (kind === "report" ? limits.moreReports : 0);
  }

  function admit(request: AdmittedRequest): AdmissionSlot | ApiError {
    const { kind, credential, isBulk = false, isFromListener = true, isGone = () => false } = request;
    const isCounted = isFromListener && (kind === "other" || (kind === "report" && isBulk));
    let account: TimeAccount | undefined;
    let running: RunningTime | undefined;
    let leaveQueue = () => {};
    let isInFlight = false;
    /** True if it was admitted as another account's. */
    let isRecharged = false;

    function enter(): void {
      inFlight += 1;
      isInFlight = true;
      if (account) running = times.start(account);
    }
    function leave(): void {
      if (!isInFlight) return;
      isInFlight = false;
      inFlight -= 1;
      running?.end();
      running = undefined;
      leaveQueue();
      leaveQueue = () => {};
    }
    /** Enters when it is its turn. */
    function take(): Promise<void> | ApiError | undefined {
      if (isFull(kind)) return overloaded;
      const turn = account && queue.take(account, isGone);
      if (turn && "refusal" in turn) return turn.refusal;
      if (turn) leaveQueue = turn.leave;
      if (turn?.wait) return turn.wait.then(enter);
      enter();
      return undefined;
    }
    function takeOrThrow(): Promise<void> | undefined {
      const taken = take();
      if (taken instanceof Error) throw taken;
      return taken;
    }

    // Probes, pings, heartbeats and other small reports are neither charged nor queued. Others are, once they have arrived.
    if (isCounted && !request.hasBody) account = accountOf(request);
    const taken = take();
    if (taken instanceof Error) return taken;
    return {
      turn: taken,
      charge(callerId) {
        if (!isCounted) return;
        if (credential) callers.set(credential, callerId);
        const own = times.accountOf(callerId, false);
        if (!account || own === account) return;
        running?.moveTo(own);
        account = own;
        isRecharged = true;
      },
      requeue() {
        if (!isRecharged || !account || !times.isAboveShare(account)) return undefined;
        isRecharged = false;
        leave();
        return takeOrThrow();
      },
      async whileArriving(receive) {
        leave();
        const arrived = await bodies.receive(request.addressOf(), receive);
        if (isCounted) account = accountOf(request);
        await takeOrThrow();
        return arrived;
      },
      async whileHeld(wait) {
        leave();
        try {
          await wait();
        } finally {
          enter();
        }
      },
      end: leave,
    };
  }

  return {
    inFlight: () => inFlight,
    pendingBodies: bodies.count,
    mustYield: (callerId) => queue.mustYield(times.accountOf(callerId, false)),
    begin: admit,
  };
}
