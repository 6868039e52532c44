import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** Clients that never finish what they send. */
export interface HalfSent {
  /** Number of answers by status. */
  statuses: ReadonlyMap<number, number>;
  /** Number of those that have sent their half. */
  sent(): number;
  stop(): void;
}

const beforeNext = 250;

/**
 * Keeps so many connections open, on each of which a request to sign in was sent whose body does not come. One that is
 * closed is opened again. With a certificate to trust it is done over TLS.
 */
export function holdHalfSent(port: number, count: number, certificate?: string): HalfSent {
  const statuses = new Map<number, number>();
  const sockets = new Set<Socket>();
  let sent = 0;
  let isOver = false;
  // Small bodies are read in one piece, the others as they come.
  const halves = [1_000, 10_000].map(
    (length) =>
      `POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"`,
  );

  function open(): void {
    if (isOver) return;
    const send = () => {
      sent += 1;
      socket.write(halves[sent % halves.length] ?? "");
    };
    const socket =
      certificate === undefined
        ? connect(port, "127.0.0.1", send)
        : connectSecurely({ port, host: "127.0.0.1", ca: certificate }, send);
    sockets.add(socket);
    socket.on("data", (chunk) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1"))?.[1]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      setTimeout(open, beforeNext);
    });
  }

  // Not all in one moment: that alone would be too many.
  for (let opened = 0; opened < count; opened++) setTimeout(open, 2 * opened);
  return {
    statuses,
    sent: () => sent,
    stop() {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
