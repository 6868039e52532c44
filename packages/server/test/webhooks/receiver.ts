import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request as a receiver got it. */
export interface ReceivedMessage {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Answer to a request; the number is that of the request. */
export type RespondToMessage = (response: ServerResponse, received: ReceivedMessage, index: number) => unknown;

/** A receiver of webhooks: a real server on a port of this machine. */
export interface Receiver {
  url: string;
  port: number;
  received: ReceivedMessage[];
  /** Number of accepted connections. */
  connections(): number;
  /** Answers from now on in another way: with a status, or as a function says. */
  answer(how: number | RespondToMessage): void;
  close(): Promise<void>;
}

export const statusAnswer =
  (status: number, headers: Record<string, string> = {}): RespondToMessage =>
  (response) =>
    response.writeHead(status, headers).end();

/** Starts a receiver that answers 204 at first. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedMessage[] = [];
  let respond: RespondToMessage = statusAnswer(204);
  let connections = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one = { path: request.url ?? "", headers, body: Buffer.concat(parts).toString() };
      received.push(one);
      respond(response, one, received.length - 1);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    answer(how) {
      respond = typeof how === "number" ? statusAnswer(how) : how;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
