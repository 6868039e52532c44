/** A request that is sent over a connection of the bench. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** One connection, over which one request is sent after the other. */
export interface Connection {
  /** Gives the status, once the whole answer has come. */
  send(request: Sent): Promise<number>;
  end(): void;
}

/** Connects. It reads no more of an answer than its length, so that asking costs little beside what is measured. */
export async function connect(url: string): Promise<Connection> {
  const { hostname, port, host } = new URL(url);
  let head = "";
  let missing = 0;
  let answered = Promise.withResolvers<number>();
  let isClosed = false;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        if (head.includes("\r\n\r\n")) {
          missing -= chunk.length;
        } else {
          head += chunk.toString("latin1");
          if (!head.includes("\r\n\r\n")) return;
          missing = head.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - head.length;
        }
        if (missing <= 0) answered.resolve(Number(head.slice(9, 12)));
      },
      close() {
        isClosed = true;
        // Where no answer was awaited, the next request says so.
        answered.promise.catch(() => {});
        answered.reject(closed());
      },
      error: (_, error) => answered.reject(error),
    },
  });
  return {
    send({ method, path, headers, body = "" }) {
      // Nothing would ever come of it.
      if (isClosed) return Promise.reject(closed());
      head = "";
      answered = Promise.withResolvers<number>();
      const lines = Object.entries({ Host: host, ...headers, "Content-Length": String(Buffer.byteLength(body)) });
      socket.write(
        `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
      );
      return answered.promise;
    },
    end() {
      answered.promise.catch(() => {});
      socket.end();
    },
  };
}

const closed = () => new Error("The service closed the connection.");
