/**
 * The clients of the load tests, as a program of their own: garbage of the tests is collected elsewhere, so that an answer does
 * not wait for that. Reads what to ask from its input, and writes the answers.
 */
import type { Answers, LoopPlan } from "./open-loop";

/** A connection, over which one request is sent after the other. It reads no more of an answer than its length. */
interface Line {
  ask(path: string, dueAt: number): void;
  end(): void;
}

const nothing = Buffer.alloc(0);

/** Requests of all connections: each is sent with the next token. */
let asked = 0;

/** More clients than a service has places for. */
const maxLines = 1_500;

type OnAnswer = (took: number, status: number, saysWhenToRetry: boolean) => void;

interface LineEvents {
  /** It took so many milliseconds from the moment at which it was due: waiting for a connection counts. */
  onAnswer: OnAnswer;
  /** The service may close a line over which nothing was asked for long. Undefined where no answer was awaited. */
  onClose?(dueAt: number | undefined): void;
}

async function openLine(
  { url, token }: Pick<LoopPlan, "url" | "token">,
  { onAnswer, onClose = () => {} }: LineEvents,
): Promise<Line> {
  const { hostname, port, host } = new URL(url);
  const tokens = typeof token === "string" ? [token] : token;
  const endings = tokens.map((one) => ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${one}\r\n\r\n`);
  const anonymous = ` HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  /** Bytes of an answer before its headers were whole. */
  let begun: Buffer = nothing;
  let missing = -1;
  let due = 0;
  let isAwaited = false;
  let status = 0;
  let saysWhenToRetry = false;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        if (missing >= 0) missing -= chunk.length;
        else {
          const come = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
          const end = come.indexOf("\r\n\r\n");
          if (end < 0) {
            begun = Buffer.from(come);
            return;
          }
          // The body is not looked at: the clients run beside the service that they measure.
          const head = come.toString("latin1", 0, end);
          status = Number(head.slice(9, 12));
          saysWhenToRetry = status !== 200 && /\r\nretry-after: \d/i.test(head);
          missing = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - come.length;
        }
        if (missing > 0) return;
        isAwaited = false;
        onAnswer(performance.now() - due, status, saysWhenToRetry);
      },
      close: () => onClose(isAwaited ? due : undefined),
    },
  });
  return {
    ask(path, dueAt) {
      begun = nothing;
      missing = -1;
      due = dueAt;
      isAwaited = true;
      socket.write(`GET ${path}${endings[asked++ % endings.length] ?? anonymous}`);
    },
    end: () => socket.end(),
  };
}

/** A few clients ask one after the other, for so many seconds. */
async function askInTurn(
  { paths, seconds, connections = 8, reconnects = false, ...where }: LoopPlan,
  note: OnAnswer,
): Promise<void> {
  let sent = 0;
  const next = () => paths[sent++ % paths.length] ?? "/";
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt >= 1000 * seconds;
  const client = async () => {
    do {
      const over = Promise.withResolvers<void>();
      const line = await openLine(where, {
        onAnswer(...answer) {
          note(...answer);
          if (reconnects || isOver()) over.resolve();
          else line.ask(next(), performance.now());
        },
        onClose: () => over.resolve(),
      });
      line.ask(next(), performance.now());
      await over.promise;
      line.end();
    } while (!isOver());
  };
  await Promise.all(Array.from({ length: connections }, client));
}

/**
 * Sends requests when they are due, whether or not the service keeps up, as many clients do that know nothing of each other.
 * A client that has its answer sends the next one; a new client connects where all are waiting.
 */
async function askWhenDue({ paths, seconds, ...where }: LoopPlan, perSecond: number, note: OnAnswer): Promise<void> {
  const lines = new Set<Line>();
  const free = new Set<Line>();
  /** When those were due that no client has sent yet. */
  const waiting: number[] = [];
  let opening = 0;
  let sent = 0;
  let answered = 0;
  const whole = Math.round(perSecond * seconds);

  function serve(line: Line): void {
    const dueAt = waiting.shift();
    if (dueAt === undefined) free.add(line);
    else line.ask(paths[sent++ % paths.length] ?? "/", dueAt);
  }

  function send(dueAt: number): void {
    waiting.push(dueAt);
    const [line] = free;
    if (line && free.delete(line)) serve(line);
    else if (lines.size + opening < maxLines && opening < waiting.length) void open();
  }

  async function open(): Promise<void> {
    opening += 1;
    const line = await openLine(where, {
      onAnswer(...answer) {
        answered += 1;
        note(...answer);
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
    const until = Math.min(whole, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    for (; due < until; due++) send(startedAt + (due * 1000) / perSecond);
  }
  while (answered < whole) await Bun.sleep(5);
  for (const line of lines) line.end();
}

const question: LoopPlan = await Bun.stdin.json();
// Numbers alone, because an object for each answer would be garbage to collect.
const answers: Answers = { took: [], status: [], saysWhenToRetry: [], milliseconds: 0 };
const note: OnAnswer = (took, status, saysWhenToRetry) => {
  answers.took.push(took);
  answers.status.push(status);
  answers.saysWhenToRetry.push(saysWhenToRetry ? 1 : 0);
};
const startedAt = performance.now();
await (question.perSecond === undefined ? askInTurn(question, note) : askWhenDue(question, question.perSecond, note));
answers.milliseconds = performance.now() - startedAt;
await Bun.write(Bun.stdout, JSON.stringify(answers));
process.exit(0);
