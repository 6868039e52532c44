/** Streams of events that are open. */
export interface OpenStreams {
  /** Milliseconds that events took to come, since the report that caused them was answered. */
  delays: number[];
  /** How many bytes have come over all of them. */
  bytes(): number;
  /** How many events have come over the streams that are looked at, times the share of these. */
  events(): number;
  /** How many the service has closed. */
  closed(): number;
  /** Notes that the report which says `at <n>` was answered. */
  answered(n: number): void;
  end(): void;
}

interface Opening {
  url: string;
  tokens: readonly string[];
  perToken: number;
  query: string;
}

/** Only every so many streams are looked at: reading all of them would cost more than what is measured. */
const lookedAt = 20;
const openedTogether = 25;
/** Longer than what is looked for, of which a part may have come with the bytes before. */
const longestPart = 40;
const said = /"progress_message":"at (\d+)"/g;

/** Opens streams over a connection each, and waits until each has begun. */
export async function openStreams({ url, tokens, perToken, query }: Opening): Promise<OpenStreams> {
  const { hostname, port, host } = new URL(url);
  const answeredAt = new Map<number, number>();
  const delays: number[] = [];
  const sockets: { end(): void }[] = [];
  let bytes = 0;
  let events = 0;
  let closed = 0;
  let isOver = false;

  async function open(token: string, isLookedAt: boolean): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const seen = new Set<string>();
    let rest = "";
    const look = (text: string) => {
      const now = performance.now();
      for (const [, n = ""] of (rest + text).matchAll(said)) {
        const at = answeredAt.get(Number(n));
        if (at !== undefined && !seen.has(n)) delays.push(now - at);
        seen.add(n);
      }
      events += text.split("\nid: ").length - 1;
      rest = text.slice(-longestPart);
    };
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, chunk) {
          bytes += chunk.length;
          if (isLookedAt) look(chunk.toString("latin1"));
          const head = chunk.subarray(0, 12).toString("latin1");
          if (head === "HTTP/1.1 200") begun.resolve();
          else if (head.startsWith("HTTP/1.1 ")) begun.reject(new Error(`A stream was refused: ${head}`));
        },
        close() {
          if (!isOver) closed += 1;
          begun.reject(new Error("The service closed a stream before it began."));
        },
        error: (_, error) => begun.reject(error),
      },
    });
    sockets.push(socket);
    socket.write(`GET /task-events${query} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await begun.promise;
  }

  const wanted = tokens.flatMap((token) => Array.from({ length: perToken }, () => token));
  for (let from = 0; from < wanted.length; from += openedTogether) {
    const some = wanted.slice(from, from + openedTogether);
    await Promise.all(some.map((token, index) => open(token, (from + index) % lookedAt === 0)));
  }
  return {
    delays,
    bytes: () => bytes,
    events: () => events * lookedAt,
    closed: () => closed,
    answered: (n) => answeredAt.set(n, performance.now()),
    end() {
      isOver = true;
      for (const socket of sockets) socket.end();
    },
  };
}
