/** A request of the benchmark. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  /** 0 if the service closed the connection instead. */
  status: number;
  /** Milliseconds from the request to the last byte. */
  ms: number;
  text(): string;
}

export const isRejected = ({ status }: Pick<Answer, "status">): boolean => status < 200 || status >= 400;

/** A connection that sends one request after the other, and is opened again after the service has closed it. */
export interface Connection {
  send(request: Sent): Promise<Answer>;
  end(): void;
}

/** Connects over a plain socket: a client that costs little leaves the cores to the service. */
export async function connect(url: string): Promise<Connection> {
  const { hostname, port, host } = new URL(url);
  let chunks: Buffer[] = [];
  let head: { status: number; end: number; isChunked: boolean; isLast: boolean } | undefined;
  let missing = 0;
  let sentAt = 0;
  let answered = Promise.withResolvers<Answer>();
  let socket = await open();

  function readHead(): void {
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const text = all.toString("latin1", 0, end);
    head = {
      status: Number(text.slice(9, 12)),
      end,
      isChunked: /\r\ntransfer-encoding: chunked/i.test(text),
      isLast: /\r\nconnection: close/i.test(text),
    };
    missing = end + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0) - all.length;
  }

  function open() {
    const opened = { isClosed: false };
    const connected = Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, chunk) {
          chunks.push(chunk);
          if (head) missing -= chunk.length;
          else readHead();
          if (!head || (head.isChunked ? chunk.subarray(-5).toString("latin1") !== "0\r\n\r\n" : missing > 0)) return;
          const { status, end, isLast } = head;
          const received = chunks;
          if (isLast) opened.isClosed = true;
          const text = () => Buffer.concat(received).toString("utf8", end);
          answered.resolve({ status, ms: performance.now() - sentAt, text });
        },
        close() {
          // A connection that is no longer in use has nobody to answer.
          if (!opened.isClosed) answered.resolve({ status: 0, ms: performance.now() - sentAt, text: () => "" });
          opened.isClosed = true;
        },
      },
    });
    return connected.then((raw) => ({ raw, opened }));
  }

  return {
    async send({ method, path, headers, body = "" }) {
      sentAt = performance.now();
      if (socket.opened.isClosed) socket = await open();
      chunks = [];
      head = undefined;
      answered = Promise.withResolvers<Answer>();
      const length = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
      const lines = Object.entries({ Host: host, ...headers, ...length }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.raw.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
      return answered.promise;
    },
    end() {
      socket.opened.isClosed = true;
      socket.raw.end();
    },
  };
}

/** Opens several connections, and closes them after their use. */
export async function withConnections<Result>(
  url: string,
  count: number,
  use: (lines: readonly Connection[]) => Promise<Result>,
): Promise<Result> {
  const lines = await Promise.all(Array.from({ length: count }, () => connect(url)));
  try {
    return await use(lines);
  } finally {
    for (const line of lines) line.end();
  }
}
