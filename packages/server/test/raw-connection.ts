import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** Answer over a connection. */
export interface ConnectionAnswer {
  /** The status of every response, in order. */
  statuses: number[];
  text: string;
  /** True if the server ended the connection. */
  isClosed: boolean;
}

/** Data that is sent later, in a packet of its own. */
export interface Rest {
  bytes: string;
  /** Milliseconds. */
  after: number;
}

/** Timeouts for the beginning of an answer and for the next piece of it, in milliseconds: a machine may be slow. */
const silenceTimeouts = { first: 20_000, later: 1_000 };

/**
 * Sends bytes as they are, and gives what comes back until the server closes or says nothing for a while, which is shorter
 * than usual where that is given. With a certificate to trust it does so over TLS.
 */
export function sendRaw(
  port: number,
  bytes: string,
  silence?: number,
  certificate?: string,
  rest?: Rest,
): Promise<ConnectionAnswer> {
  return new Promise((resolve) => {
    let text = "";
    const send = () => {
      socket.write(bytes, "latin1");
      if (rest) setTimeout(() => socket.writable && socket.write(rest.bytes, "latin1"), rest.after);
    };
    const socket =
      certificate === undefined
        ? connect(port, "127.0.0.1", send)
        : connectSecurely({ port, host: "127.0.0.1", ca: certificate }, send);
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      resolve({ statuses, text, isClosed });
    };
    let timer = setTimeout(finish, silence ?? silenceTimeouts.first, false);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(finish, silence ?? silenceTimeouts.later, false);
    });
    // A reset is one way of closing; the close that follows tells it.
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}
