import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { listen } from "./listen";
import { createRespond } from "./respond";

const body = "é, 字 and 😀. ".repeat(30_000);
const respond = createRespond({ vendor: "svc", baseUrl: "http://127.0.0.1" });
/** Answers in a later turn of the event loop, as everything does that waits for a server. */
const listener = listen({
  host: "127.0.0.1",
  port: 0,
  answer: async ({ method }) => {
    await Bun.sleep(1);
    return respond.withWhole(method, { status: 200, headers: { ETag: '"one"' }, body }, {});
  },
});
afterAll(() => listener.stop());

/** Asks a few times over plain sockets, and writes how long the first piece of each answer was. */
const outsideClient = `
  const { connect } = require("node:net");
  const ask = () => new Promise((resolve, reject) => {
    const socket = connect(${listener.port}, "127.0.0.1");
    socket.write("GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n");
    socket.once("data", (piece) => { socket.destroy(); resolve(piece.length); });
    socket.on("error", reject);
  });
  const lengths = [];
  for (let n = 0; n < 20; n++) lengths.push(await ask());
  console.log(JSON.stringify(lengths));`;

test("a large body that is answered late comes in one piece with its headers", async () => {
  // A client in this process would read only after everything was sent.
  const client = Bun.spawn([process.execPath, "-e", outsideClient]);
  const lengths: number[] = JSON.parse(await new Response(client.stdout).text());
  expect(lengths.length).toBe(20);
  expect(Math.min(...lengths)).toBeGreaterThan(1_000);
});

/** Asks over a plain socket, waiting a little before each piece is read, and gives the answer. */
function readSlowly(pause: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect(listener.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  socket.on("data", (piece) => {
    pieces.push(Buffer.from(piece));
    socket.pause();
    setTimeout(() => socket.resume(), pause);
  });
  socket.on("close", () => resolve(Buffer.concat(pieces)));
  socket.on("error", reject);
  return promise;
}

test("clients that read slowly get all of it, and its length", async () => {
  for (const answer of await Promise.all([0, 1, 5, 5, 5].map(readSlowly))) {
    const end = answer.indexOf("\r\n\r\n") + 4;
    expect(answer.subarray(0, end).toString()).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
    expect(answer.subarray(end).toString()).toBe(body);
  }
});
