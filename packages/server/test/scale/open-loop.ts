/** A request that was answered. */
export interface Answer {
  status: number;
  /** Milliseconds from the moment at which it was due: waiting for a connection counts. */
  took: number;
  saysWhenToRetry: boolean;
}

/** Who asks, and what. */
export interface Asking {
  url: string;
  token: string;
  /** The path of the n-th request. */
  path: (n: number) => string;
  seconds: number;
}

/** A connection, over which one request is sent after the other. It reads no more of an answer than its length. */
interface Line {
  ask(path: string, dueAt: number): void;
  end(): void;
}

/** Whatever follows is of the body, which is not looked at: the clients run beside the service that they measure. */
const longestHead = 4_096;

/** More clients than a service has places for. */
const mostLines = 1_500;

interface LineEvents {
  onAnswer(answer: Answer): void;
  /** The service may close a line over which nothing was asked for long. Undefined where no answer was awaited. */
  onClose?(dueAt: number | undefined): void;
}

async function openLine(
  { url, token }: Pick<Asking, "url" | "token">,
  { onAnswer, onClose = () => {} }: LineEvents,
): Promise<Line> {
  const { hostname, port, host } = new URL(url);
  let head = "";
  let missing = -1;
  let due: number | undefined;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        if (missing >= 0) missing -= chunk.length;
        else {
          const before = head.length;
          head += chunk.subarray(0, longestHead).toString("latin1");
          const end = head.indexOf("\r\n\r\n");
          if (end < 0) return;
          missing = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - before - chunk.length;
        }
        if (missing > 0) return;
        const saysWhenToRetry = /\r\nretry-after: \d/i.test(head);
        const took = performance.now() - (due ?? 0);
        due = undefined;
        onAnswer({ status: Number(head.slice(9, 12)), took, saysWhenToRetry });
      },
      close: () => onClose(due),
    },
  });
  return {
    ask(path, dueAt) {
      head = "";
      missing = -1;
      due = dueAt;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    },
    end: () => socket.end(),
  };
}

/** How many requests are answered in a second where a few clients ask one after the other. */
export async function measureCapacity({ path, seconds, ...where }: Asking): Promise<number> {
  let asked = 0;
  const startedAt = performance.now();
  const client = async () => {
    const over = Promise.withResolvers<void>();
    const line = await openLine(where, {
      onAnswer() {
        if (performance.now() - startedAt < 1000 * seconds) line.ask(path(asked++), 0);
        else over.resolve();
      },
    });
    line.ask(path(asked++), 0);
    await over.promise;
    line.end();
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return (1000 * asked) / (performance.now() - startedAt);
}

/**
 * Sends requests when they are due, whether or not the service keeps up, as many clients do that know nothing of each other.
 * A client that has its answer sends the next one; a new client connects where all are waiting.
 */
export async function askInOpenLoop({
  path,
  perSecond,
  seconds,
  ...where
}: Asking & { perSecond: number }): Promise<Answer[]> {
  const answers: Answer[] = [];
  const lines = new Set<Line>();
  const free = new Set<Line>();
  /** When those were due that no client has sent yet. */
  const waiting: number[] = [];
  let opening = 0;
  let sent = 0;
  const whole = Math.round(perSecond * seconds);

  function serve(line: Line): void {
    const dueAt = waiting.shift();
    if (dueAt === undefined) free.add(line);
    else line.ask(path(sent++), dueAt);
  }

  function send(dueAt: number): void {
    waiting.push(dueAt);
    const [line] = free;
    if (line && free.delete(line)) serve(line);
    else if (lines.size + opening < mostLines && opening < waiting.length) void open();
  }

  async function open(): Promise<void> {
    opening += 1;
    const line = await openLine(where, {
      onAnswer(answer) {
        answers.push(answer);
        serve(line);
      },
      onClose(dueAt) {
        lines.delete(line);
        free.delete(line);
        if (dueAt !== undefined) send(dueAt);
      },
    });
    opening -= 1;
    lines.add(line);
    serve(line);
  }

  const startedAt = performance.now();
  for (let due = 0; due < whole; await Bun.sleep(1)) {
    const until = Math.min(whole, Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    for (; due < until; due++) send(startedAt + (due * 1000) / perSecond);
  }
  while (answers.length < whole) await Bun.sleep(5);
  for (const line of lines) line.end();
  return answers;
}

/** The time within which so large a part was answered. */
export function percentile(answers: readonly Answer[], part: number): number {
  const times = answers.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}
