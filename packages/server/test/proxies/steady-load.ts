import { connect } from "node:tls";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { ServerProcess } from "../process";

/** Result of a load. */
export interface LoadReport {
  answered: number;
  perSecond: number;
  /** Failures by kind, and their number. */
  failures: Record<string, number>;
}

export interface Load {
  finish(): Promise<LoadReport>;
}

/** A request, and the one answer to it that counts. */
export interface LoadRequest {
  path: string;
  token: string;
  body: string;
}

interface Answer {
  status: number;
  body: string;
  isLast: boolean;
}

const connections = 30;
const maxWaitMs = 60_000;

/**
 * Asks at a steady pace over connections that are kept. Nothing is tried again: what a client with a library would not
 * notice counts as a failure here.
 */
export function startLoad(
  { port, certificate }: { port: number; certificate: string },
  questions: readonly LoadRequest[],
  perSecond = 300,
): Load {
  const startedAt = performance.now();
  const failures: Record<string, number> = {};
  let answered = 0;
  let isOver = false;

  async function ask(connection: Connection, question: LoadRequest): Promise<boolean> {
    try {
      const { status, body, isLast } = await connection.ask(requestText(question));
      const failure = status !== 200 ? `status ${status}` : body !== question.body ? "another body" : undefined;
      answered += Number(failure === undefined);
      if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
      return !isLast;
    } catch (error) {
      const failure = errorMessage(error);
      failures[failure] = (failures[failure] ?? 0) + 1;
      return false;
    }
  }

  async function work(first: number): Promise<void> {
    let connection = openConnection(port, certificate);
    for (let number = first; !isOver; number += connections) {
      await Bun.sleep(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
      const question = questions[number % questions.length];
      if (question === undefined) throw new Error("There is nothing to ask.");
      if (await ask(connection, question)) continue;
      connection.close();
      connection = openConnection(port, certificate);
    }
    connection.close();
  }

  const workers = Array.from({ length: connections }, (_, first) => work(first));
  return {
    async finish() {
      isOver = true;
      await Promise.all(workers);
      return { answered, failures, perSecond: (answered * 1000) / (performance.now() - startedAt) };
    },
  };
}

/** Number of requests of a load that a node has answered since it was started. */
export function countAnswered({ printed }: Pick<ServerProcess, "printed">): number {
  return printed().split('"path":"/tasks"').length - 1;
}

/** Waits until the proxy gives a node something to answer. */
export async function untilAnswering(node: Pick<ServerProcess, "printed">): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (countAnswered(node) === 0 && performance.now() < deadline) await Bun.sleep(50);
}

interface Connection {
  ask(text: string): Promise<Answer>;
  close(): void;
}

function requestText({ path, token }: LoadRequest): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: identity\r\n\r\n`;
}

function openConnection(port: number, certificate: string): Connection {
  const socket = connect({ port, host: "127.0.0.1", ca: certificate });
  let received = Buffer.alloc(0);
  let settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  const fail = (reason: string) => settle?.reject(new Error(reason));
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const answer = readWhole(received);
    if (answer !== undefined) settle?.resolve(answer);
  });
  socket.on("error", (error) => fail(`connection failed: ${error.message}`));
  socket.on("close", () => fail(received.length === 0 ? "closed without an answer" : "closed within an answer"));
  return {
    async ask(text) {
      received = Buffer.alloc(0);
      const timer = setTimeout(fail, maxWaitMs, "no answer in time");
      try {
        return await new Promise<Answer>((resolve, reject) => {
          settle = { resolve, reject };
          if (socket.destroyed) fail("closed before the request");
          socket.write(text);
        });
      } finally {
        clearTimeout(timer);
        settle = undefined;
      }
    },
    close: () => socket.destroy(),
  };
}

/** Reads an answer as soon as all of it is there. */
function readWhole(received: Buffer): Answer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.toString("latin1", 0, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = received.subarray(headEnd + 4);
  if (body.length < length) return undefined;
  return { status, body: body.toString("utf8", 0, length), isLast: /^connection: *close/im.test(head) };
}
