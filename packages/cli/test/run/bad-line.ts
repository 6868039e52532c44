import { createServer, Socket } from "node:net";
import type { Dice } from "../../../server/test/random";
import { findSteadyPort } from "../../../server/test/steady-port";

/** State of the network path to the service. */
export type Weather =
  | "fair"
  /** Who connects, or is connected, is thrown out. */
  | "refusing"
  /** Nothing passes, in neither direction: a partition. */
  | "silent"
  /** One piece in five comes late, as one does that was lost and sent again; one connection in ten is never heard of again. */
  | "lossy"
  /** Connections end in the middle of requests and answers. */
  | "cutting"
  /** A proxy in front of the service answers with this status. */
  | 401
  | 429
  | 500
  | 503;

/** A way to a service that a test can spoil. */
export interface BadLine {
  baseUrl: string;
  turn(weather: Weather): void;
  close(): void;
}

interface Pair {
  near: Socket;
  far: Socket;
  isLost: boolean;
}

/** Starts a way to a port of this machine. */
export async function startBadLine(target: number, dice: Dice): Promise<BadLine> {
  const port = await findSteadyPort();
  const pairs = new Set<Pair>();
  let weather: Weather = "fair";

  /** Delay of a piece, in milliseconds. */
  const delay = () => (weather === "lossy" && dice(5) === 0 ? 200 + dice(600) : 0);

  function join(pair: Pair, from: Socket, to: Socket): void {
    let passes = 200 + dice(4_000);
    let previous = Promise.resolve();
    from.on("data", (data) => {
      if (typeof weather === "number") {
        if (from === pair.near) from.end(answerWith(weather));
        return;
      }
      const late = delay();
      // In order, however late one of them is.
      previous = previous.then(() => Bun.sleep(late)).then(() => void (to.destroyed || to.write(data)));
      passes -= data.length;
      if (weather === "cutting" && passes < 0) previous = previous.then(() => end(pair));
    });
    from.on("error", () => {});
    from.on("close", () => {
      pairs.delete(pair);
      void previous.then(() => to.destroy());
    });
  }

  function end({ near, far }: Pair): void {
    near.resetAndDestroy();
    far.destroy();
  }

  const server = createServer((near) => {
    const pair: Pair = { near, far: new Socket(), isLost: weather === "lossy" && dice(10) === 0 };
    pairs.add(pair);
    join(pair, near, pair.far);
    join(pair, pair.far, near);
    pair.far.connect(target, "127.0.0.1");
    if (weather === "refusing") end(pair);
    if (weather === "silent" || pair.isLost) for (const socket of [near, pair.far]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    turn(next) {
      weather = next;
      for (const pair of pairs) {
        if (next === "refusing") end(pair);
        for (const socket of [pair.near, pair.far]) {
          if (next === "silent") socket.pause();
          else if (!pair.isLost) socket.resume();
        }
      }
    },
    close() {
      server.close();
      for (const pair of pairs) end(pair);
    },
  };
}

function answerWith(status: number): string {
  const body = JSON.stringify({ errors: [{ error_code: status * 100, error_message: "This is the proxy." }] });
  const headers = [
    `HTTP/1.1 ${status} Answer`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    ...(status === 429 ? ["Retry-After: 1"] : []),
    "Connection: close",
  ];
  return `${headers.join("\r\n")}\r\n\r\n${body}`;
}
