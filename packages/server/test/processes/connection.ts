import { connect } from "node:net";
import { type Answered, type Ask, readAnswer, unitHeaderName } from "../harness";
import { metricsToken } from "../process";

/** One connection that stays open, and so leads to the same process however many share the port. */
export interface Connection {
  /** The process at the other end. */
  pid: number;
  ask(path: string, ask?: Ask): Promise<Answered>;
  close(): void;
}

const searchTimeoutMs = 60_000;

/** Opens connections until there is one to each of so many processes; those that are to be left out do not count. */
export async function connectToEach(
  port: number,
  count: number,
  except: readonly number[] = [],
): Promise<[Connection, ...Connection[]]> {
  const found = new Map<number, Connection>();
  const deadline = performance.now() + searchTimeoutMs;
  while (performance.now() < deadline) {
    // One that is cut off led to a process that was about to end.
    const connection = await openConnection(port).catch(() => undefined);
    if (connection && !found.has(connection.pid) && !except.includes(connection.pid)) {
      found.set(connection.pid, connection);
    } else connection?.close();
    const [first, ...others] = found.values();
    if (first && found.size === count) return [first, ...others];
    await Bun.sleep(5);
  }
  throw new Error(`Of ${count} processes only ${[...found.keys()].join(", ")} answered.`);
}

async function openConnection(port: number): Promise<Connection> {
  let received: Buffer = Buffer.alloc(0);
  let onReceived = () => {};
  let failure: Error | undefined;
  const socket = connect(port, "127.0.0.1");
  const fail = (error: Error) => {
    failure ??= error;
    onReceived();
  };
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    onReceived();
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The connection was closed.")));

  /** Waits until what was received is long enough, and takes it. */
  async function take(length: () => number | undefined): Promise<Uint8Array<ArrayBuffer>> {
    for (;;) {
      const wanted = length();
      if (wanted !== undefined && received.length >= wanted) {
        const taken = Uint8Array.from(received.subarray(0, wanted));
        received = received.subarray(wanted);
        return taken;
      }
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        onReceived = resolve;
      });
    }
  }

  async function ask(path: string, { method = "GET", token, unit, headers = {}, body: given }: Ask = {}) {
    const sent = new Headers({ Host: `127.0.0.1:${port}`, ...headers });
    if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
    if (unit !== undefined) sent.set(unitHeaderName, unit);
    const sentBody = given === undefined ? "" : JSON.stringify(given);
    if (given !== undefined) sent.set("Content-Type", "application/json");
    if (given !== undefined) sent.set("Content-Length", String(Buffer.byteLength(sentBody)));
    const lines = [...sent].map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${sentBody}`);
    const head = await take(() => {
      const end = received.indexOf("\r\n\r\n");
      return end < 0 ? undefined : end + 4;
    });
    const [statusLine = "", ...headerLines] = new TextDecoder().decode(head).trimEnd().split("\r\n");
    const status = Number(statusLine.split(" ")[1]);
    const got = new Headers(
      headerLines.map((line): [string, string] => [line.replace(/:.*/, ""), line.replace(/.*?: */, "")]),
    );
    const body = await take(() => (isBodiless(status) ? 0 : Number(got.get("content-length") ?? 0)));
    return readAnswer(new Response(isBodiless(status) ? null : body, { status, headers: got }));
  }

  const { text } = await ask("/metrics", { token: metricsToken });
  return { pid: Number(/holdfast_info\{.*pid="(\d+)"/.exec(text)?.[1]), ask, close: () => socket.destroy() };
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}
