import { refuse } from "@holdfast/api/conventions/api-error";
import { createLoopTurns } from "./loop-turns";
import { createPace } from "./pace";

/** How much may go on at the same time. */
export interface TrafficLimits {
  inFlight: number;
  /** So many more are answered when they are reports: what happened must not be lost because many ask what happened. */
  moreReports: number;
  pendingBodies: number;
  /** Of one address. A proxy that is not trusted is one address for all its clients, so this leaves room for many. */
  pendingBodiesOfAddress: number;
  /** How long a body may take to arrive, in milliseconds, beside the time that slow lines need. */
  arrival: number;
  /** How much of a body arrives in a millisecond on the slowest line, in bytes. What comes gives the rest more time. */
  slowestLine: number;
}

/** Receives a body until it is cut, and says how many bytes have come each time. */
export type Receive<Arrived> = (cut: AbortSignal, onBytes: (count: number) => void) => Promise<Arrived>;

/** The place of one request among all that go on. */
export interface Place {
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

/** Counts requests, so that there are never more than can be served. This is the only place that does. */
export interface Traffic {
  /** How many requests are being answered. Those of which a part is still missing are not among them. */
  inFlight(): number;
  /** How many bodies are awaited. Those that arrive in the turn in which they begin are not among them. */
  pendingBodies(): number;
  /** Counts a request, or gives it no place when there are too many. Probes always have one. */
  begin(request: CountedRequest): Place | undefined;
}

/** What decides whether a request is answered when there are many. */
export interface CountedRequest {
  /** The address of its client. */
  addressOf: () => string;
  kind: "probe" | "report" | "other";
  /** Whether it came through a listener, as it does unless it is said. A process that asks itself may do so in one turn. */
  isFromListener?: boolean;
  /** Whether a body belongs to it. Until that has arrived it takes no time of a turn. */
  hasBody?: boolean;
}

interface PendingBody {
  address: string;
  cutter: AbortController;
}

/** The runtime gives 12 s to the headers; together that is 15 s for those who send next to nothing. */
export const usualBodyArrival = 3_000;

const usualLimits: TrafficLimits = {
  inFlight: 1_000,
  moreReports: 500,
  pendingBodies: 1_000,
  pendingBodiesOfAddress: 250,
  arrival: usualBodyArrival,
  slowestLine: 32,
};

/**
 * Of what is no report, no more are taken than were answered lately in so many seconds, because the last would wait longer; but
 * at least so many, however few were asked for before.
 */
const usualWait = { seconds: 0.25, least: 250 };
/** The same while requests are refused: then all that are taken wait as long. */
const waitInCrowd = { seconds: 0.1, least: 100 };
/** How long none has to have been refused until the crowd is gone, in milliseconds. */
const calm = 300;

/** The same for all: writing down where an error was made takes longer than the rest of a refusal. */
export const overloaded = refuse("overloaded", "Too many requests are being answered. Try again in a moment.", {
  "Retry-After": "1",
});

/** Makes a count of requests, in which there are none. */
export function createTraffic(changed: Partial<TrafficLimits> = {}, isTooMany = createLoopTurns()): Traffic {
  const limits = { ...usualLimits, ...changed };
  let inFlight = 0;
  const pace = createPace();
  let crowdedUntil = 0;
  /** Those that began in this turn of the event loop. */
  const begun = new Set<PendingBody>();
  const pending = new Set<PendingBody>();
  const ofAddress = new Map<string, Set<PendingBody>>();

  function mostOf(kind: CountedRequest["kind"]): number {
    if (kind === "report") return limits.inFlight + limits.moreReports;
    // The pace is asked for only where many are being answered: that is seldom, and costs more than to look here.
    if (inFlight < waitInCrowd.least) return limits.inFlight;
    const { seconds, least } = performance.now() < crowdedUntil ? waitInCrowd : usualWait;
    return Math.min(limits.inFlight, Math.max(least, seconds * pace.perSecond()));
  }

  /** Counts a request as in flight, unless there are too many. */
  function enter({ kind, isFromListener = true }: CountedRequest, isWhole: boolean): boolean {
    // Asked for each, so that all of them are counted.
    const isLate = isFromListener && isWhole && isTooMany() && kind === "other";
    if (isLate || (inFlight >= mostOf(kind) && kind !== "probe")) {
      crowdedUntil = performance.now() + calm;
      return false;
    }
    inFlight += 1;
    return true;
  }

  function add(address: string): PendingBody {
    const one = { address, cutter: new AbortController() };
    // At the end of the turn, because most bodies come with their headers: of those that have arrived none is awaited.
    if (begun.size === 0) setImmediate(awaitBegun);
    begun.add(one);
    return one;
  }

  function awaitBegun(): void {
    for (const one of begun) {
      // The oldest has had the most time, and who sends many that never arrive loses their own.
      const alike = ofAddress.get(one.address) ?? new Set();
      if (alike.size >= limits.pendingBodiesOfAddress) cutOldest(alike);
      else if (pending.size >= limits.pendingBodies) cutOldest(pending);
      pending.add(one);
      ofAddress.set(one.address, alike.add(one));
    }
    begun.clear();
  }

  function remove(one: PendingBody): void {
    begun.delete(one);
    pending.delete(one);
    const alike = ofAddress.get(one.address);
    alike?.delete(one);
    if (alike?.size === 0) ofAddress.delete(one.address);
  }

  function cut(one: PendingBody): void {
    remove(one);
    one.cutter.abort(
      refuse("bodyLate", "The body of this request did not arrive in time. Send it again, all at once.", {
        Connection: "close",
      }),
    );
  }

  function cutOldest(bodies: ReadonlySet<PendingBody>): void {
    const [oldest] = bodies;
    if (oldest) cut(oldest);
  }

  async function pend<Arrived>(address: string, receive: Receive<Arrived>): Promise<Arrived> {
    const one = add(address);
    let deadline = performance.now() + limits.arrival;
    let timer = setTimeout(look, limits.arrival);
    function look(): void {
      const rest = deadline - performance.now();
      if (rest > 0) timer = setTimeout(look, rest);
      // Not at once: what has arrived while the process was held up is read first.
      else setImmediate(() => (deadline > performance.now() ? look() : cut(one)));
    }
    try {
      return await receive(one.cutter.signal, (count) => {
        deadline += count / limits.slowestLine;
      });
    } finally {
      clearTimeout(timer);
      remove(one);
    }
  }

  return {
    inFlight: () => inFlight,
    pendingBodies: () => pending.size,
    begin(request) {
      if (!enter(request, !request.hasBody)) return undefined;
      let isInFlight = true;
      const leave = () => {
        if (isInFlight) inFlight -= 1;
        isInFlight = false;
      };
      return {
        async whileArriving(receive) {
          leave();
          const arrived = await pend(request.addressOf(), receive);
          if (!enter(request, true)) throw overloaded;
          isInFlight = true;
          return arrived;
        },
        async whileHeld(wait) {
          leave();
          try {
            await wait();
          } finally {
            inFlight += 1;
            isInFlight = true;
          }
        },
        end() {
          leave();
          pace.noteAnswer();
        },
      };
    },
  };
}
