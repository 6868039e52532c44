import { connect, type Socket } from "node:net";

/** A request as it goes over the wire. */
export interface RawRequest {
  method: string;
  /** Path and query, as they are sent. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | undefined;
}

/** Answer of the server: an answer, or none within the time, or the end of the connection. */
export interface RawAnswer {
  status: number | "hang" | "cut";
  headers: Headers;
  text: string;
  /** Milliseconds. */
  duration: number;
}

const maxWaitMs = 30_000;

/** A client that sends bytes as they are over one connection, which it opens again when it was closed. */
export class RawClient {
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #wake = () => {};

  constructor(readonly port: number) {}

  async send(request: RawRequest): Promise<RawAnswer> {
    const startedAt = performance.now();
    const socket = this.#open();
    const { method, target, headers, body } = request;
    const length: [string, string][] = body ? [["Content-Length", String(body.length)]] : [];
    const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, "latin1"));
    if (body) socket.write(body);
    const answer = await this.#read(method, startedAt + maxWaitMs);
    const isOver = typeof answer.status === "string" || answer.headers.get("connection") === "close";
    if (isOver || this.#received.length > 0) this.close();
    return { ...answer, duration: performance.now() - startedAt };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket && !this.#isClosed) return this.#socket;
    this.#received = Buffer.alloc(0);
    this.#isClosed = false;
    const socket = connect(this.port, "127.0.0.1");
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      // Only the connection that is in use: an older one may end later.
      if (this.#socket === socket) this.#isClosed = true;
      this.#wake();
    });
    this.#socket = socket;
    return socket;
  }

  async #read(method: string, deadline: number): Promise<Omit<RawAnswer, "duration">> {
    const none = (status: "hang" | "cut") => ({ status, headers: new Headers(), text: "" });
    const head = await this.#take(() => {
      const end = this.#received.indexOf("\r\n\r\n");
      return end < 0 ? undefined : end + 4;
    }, deadline);
    if (typeof head === "string") return none(head);
    const [first = "", ...lines] = head.toString("latin1").trimEnd().split("\r\n");
    const status = Number(first.split(" ")[1]);
    const headers = new Headers(
      lines.map((line): [string, string] => [line.replace(/:.*/s, ""), line.replace(/^[^:]*: */s, "")]),
    );
    if (status === 100) return this.#read(method, deadline);
    const length = Number(headers.get("content-length") ?? 0);
    const isBodiless = method === "HEAD" || status === 204 || status === 304;
    const body = await this.#take(() => (isBodiless ? 0 : length), deadline);
    return typeof body === "string" ? none(body) : { status, headers, text: body.toString("utf8") };
  }

  async #take(length: () => number | undefined, deadline: number): Promise<Buffer | "hang" | "cut"> {
    for (;;) {
      const wanted = length();
      if (wanted !== undefined && this.#received.length >= wanted) {
        const taken = this.#received.subarray(0, wanted);
        this.#received = this.#received.subarray(wanted);
        return taken;
      }
      if (this.#isClosed) return "cut";
      const left = deadline - performance.now();
      if (left <= 0) return "hang";
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
