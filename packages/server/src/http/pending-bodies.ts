import { refuse } from "@holdfast/api/conventions/api-error";

/** Receives a body until it is cut, and says how many bytes have come each time. */
export type Receive<Arrived> = (cut: AbortSignal, onBytes: (count: number) => void) => Promise<Arrived>;

export interface BodyLimits {
  pendingBodies: number;
  /** Of one address. A proxy that is not trusted is one address for all its clients, so this leaves room for many. */
  pendingBodiesOfAddress: number;
  /** Timeout for a body to arrive, in milliseconds, beside the time that slow lines need. */
  arrival: number;
  /** Number of bytes of a body that arrive in a millisecond on the slowest line. Received bytes give the rest more time. */
  slowestLine: number;
}

/** Requests whose bodies have not arrived: they keep nothing busy, and are bounded in number and time. */
export interface PendingBodies {
  /** Number of awaited bodies. Those that arrive in the tick in which they begin are not among them. */
  count(): number;
  /** Waits for a body. The signal says when it was cut; its reason is the answer. */
  receive<Arrived>(address: string, receive: Receive<Arrived>): Promise<Arrived>;
}

interface PendingBody {
  address: string;
  cutter: AbortController;
}

/** The runtime gives 12 s to the headers; together that is 15 s for those who send next to nothing. */
export const defaultBodyArrival = 3_000;

export const defaultBodyLimits: BodyLimits = {
  pendingBodies: 1_000,
  pendingBodiesOfAddress: 250,
  arrival: defaultBodyArrival,
  slowestLine: 32,
};

/** Makes a set of pending bodies, which is empty. */
export function createPendingBodies(limits: BodyLimits): PendingBodies {
  /** Those that began in this tick. */
  const begun = new Set<PendingBody>();
  const pending = new Set<PendingBody>();
  const ofAddress = new Map<string, Set<PendingBody>>();

  function add(address: string): PendingBody {
    const one = { address, cutter: new AbortController() };
    // At the end of the tick, because most bodies come with their headers: of those that have arrived none is awaited.
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

  return {
    count: () => pending.size,
    async receive(address, receive) {
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
    },
  };
}
