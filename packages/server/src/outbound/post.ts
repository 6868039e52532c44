import { connect as connectPlainly, isIP, type Socket } from "node:net";
import { connect as connectWithTls } from "node:tls";
import type { Target } from "./targets";

/** A message, and where it goes. */
export interface Post {
  target: Target;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Until when there has to be a connection, and until when an answer, in milliseconds of `performance.now()`. */
  connectBy: number;
  answerBy: number;
  /** Promise to await once there is a connection: the message before this one has left. */
  turn?: Promise<void>;
  /** Called when the message has left, or cannot leave any more. */
  onLeft?: () => void;
  /** Further certificates to trust. Only tests have any. */
  trusted?: string | undefined;
}

/** Answer, as far as it is read. */
export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
}

/** A message that was not answered; the message says why, in a few words. */
export class NotAnswered extends Error {
  override readonly name = "NotAnswered";
}

const maxHeadBytes = 32_768;

/**
 * Sends one message over a connection of its own, to the very addresses that were checked. It is written here and not with
 * fetch, because that resolves the name again, follows proxies of the environment and reads bodies. Only the head of the
 * answer is read.
 */
export async function post(given: Post): Promise<OutboundAnswer> {
  const { turn, onLeft = () => {}, answerBy } = given;
  try {
    const socket = await connectToAny(given);
    try {
      await turn;
      if (socket.destroyed) throw new NotAnswered("The connection was closed.");
      const answer = readHead(socket, answerBy);
      socket.write(writeRequest(given));
      onLeft();
      return await answer;
    } finally {
      socket.destroy();
    }
  } finally {
    onLeft();
  }
}

/** Connects to the first address that answers. */
async function connectToAny({ target, connectBy, trusted }: Post): Promise<Socket> {
  let failure = new NotAnswered("There was no time left to connect.");
  for (const [index, address] of target.addresses.entries()) {
    const left = connectBy - performance.now();
    if (left <= 0) break;
    try {
      return await connect(target, address, left / (target.addresses.length - index), trusted);
    } catch (error) {
      failure = new NotAnswered(shortReason(error));
    }
  }
  throw failure;
}

function connect(
  { isTls, name, port }: Target,
  address: string,
  within: number,
  trusted: string | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = isTls
      ? connectWithTls({
          host: address,
          port,
          // An address is no name that TLS could ask for; the certificate is compared with it all the same.
          ...(isIP(name) > 0 ? {} : { servername: name }),
          rejectUnauthorized: true,
          ALPNProtocols: ["http/1.1"],
          ...(trusted === undefined ? {} : { ca: trusted }),
        })
      : connectPlainly({ host: address, port });
    const timer = setTimeout(() => fail(new NotAnswered("There was no connection in time.")), within);
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    socket.once("error", fail);
    socket.once("close", () => fail(new NotAnswered("The connection was closed.")));
    socket.once(isTls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("close");
      socket.off("error", fail);
      // Errors from here on are noticed where the answer is read.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

function writeRequest({ target: { path, host }, headers, body }: Post): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    "Accept: */*",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Reads until the head of the final answer is there. What follows it is never read. */
function readHead(socket: Socket, answerBy: number): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const late = () => reject(new NotAnswered("There was no answer in time."));
    const timer = setTimeout(late, Math.max(0, answerBy - performance.now()));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.removeAllListeners("data");
      settle();
    };
    socket.on("data", (bytes: Buffer) => {
      head = Buffer.concat([head, bytes]);
      const found = parseHead(head.toString("latin1"));
      if (found instanceof Error) end(() => reject(found));
      else if (found) end(() => resolve(found));
      else if (head.length > maxHeadBytes) end(() => reject(new NotAnswered("The answer has too many headers.")));
    });
    socket.once("close", () => end(() => reject(new NotAnswered("The connection was closed without an answer."))));
    socket.once("error", (error) => end(() => reject(new NotAnswered(shortReason(error)))));
  });
}

/** The final answer in what has come so far; nothing where more has to come. */
function parseHead(text: string): OutboundAnswer | NotAnswered | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] ([1-9][0-9]{2})(?: |$)/.exec(first)?.[1]);
  if (!(status >= 100)) return new NotAnswered("The answer is not HTTP.");
  if (status < 200 && status !== 101) return parseHead(text.slice(end + 4));
  const retryAfter = lines.find((line) => /^retry-after:/i.test(line));
  return { status, retryAfter: retryAfter === undefined ? null : retryAfter.slice("retry-after:".length).trim() };
}

/** Why there was no answer, in a few words and without anything that the other side said. */
function shortReason(error: unknown): string {
  if (error instanceof NotAnswered) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|ALTNAME|SIGNATURE|ISSUER/.test(code)) return `The certificate is not accepted (${code}).`;
  return `The connection failed${code === "" ? "" : ` (${code})`}.`;
}
