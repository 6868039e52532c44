import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { createAppOf } from "../../src/http/app";
import type { Endpoint } from "../../src/http/endpoint";
import { type HttpListener, listen } from "../../src/http/listen";
import type { ReplyBody } from "../../src/http/reply";
import { openPlane, type Plane } from "../harness";

/** A stream of the test's own, which says something when the test wants it to. */
function openSource() {
  const cancelled = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => begin(controller),
    cancel: () => cancelled.resolve(),
  });
  return {
    stream,
    cancelled: cancelled.promise,
    say: async (text: string) => (await begun).enqueue(new TextEncoder().encode(text)),
    fail: async (error: Error) => (await begun).error(error),
    end: async () => (await begun).close(),
  };
}

let plane: Plane;
let server: HttpListener;
let source: ReturnType<typeof openSource>;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());
beforeEach(() => {
  source = openSource();
  const at = (path: string, body: () => ReplyBody, cookies?: string[]): Endpoint => ({
    path,
    methods: {
      GET: { name: path, answer: () => ({ status: 200, headers: {}, body: body(), ...(cookies ? { cookies } : {}) }) },
    },
  });
  const app = createAppOf(plane.service, [
    at("/text", () => "täxt"),
    at("/cookie", () => "täxt", ["a=b", "c=d"]),
    at("/bytes", () => new Uint8Array([0, 255, 128, 10])),
    at("/stream", () => source.stream),
  ]);
  server = listen({
    host: "127.0.0.1",
    port: 0,
    idleSeconds: 1,
    answer: (request, connection) => app.fetch(request, connection),
  });
});
afterEach(() => server.stop());

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

/** Reads a body step by step. */
async function reading(response: Response) {
  const reader = response.body?.getReader();
  return async () => new TextDecoder().decode((await reader?.read())?.value);
}

/** Why streams broke, as the log says. */
function brokenStreams(): string[] {
  plane.service.log.flush();
  const lines = plane.logged.join("").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).flatMap(({ level, error }) => (level === "error" ? [error] : []));
}

test("a body may be text or bytes, and HEAD says how long it is", async () => {
  const [text, bytes] = [await ask("/text"), await ask("/bytes")];
  expect([await text.text(), [...(await bytes.bytes())]]).toEqual(["täxt", [0, 255, 128, 10]]);
  const heads = await Promise.all(["/text", "/bytes", "/cookie"].map((path) => ask(path, { method: "HEAD" })));
  expect(heads.map(({ headers }) => headers.get("content-length"))).toEqual(["5", "4", "5"]);
  expect(heads[2]?.headers.getSetCookie()).toEqual(["a=b", "c=d"]);
});

test("a stream is sent as it comes, and ends the connection with itself", async () => {
  await source.say("one");
  const response = await ask("/stream");
  const next = await reading(response);
  expect(await next()).toBe("one");
  await source.say("two");
  expect(await next()).toBe("two");
  await source.end();
  expect(await next()).toBe("");
  expect([response.headers.get("content-length"), response.headers.get("connection")]).toEqual([null, "close"]);
});

test("HEAD of a stream says nothing of its length and lets the source go", async () => {
  const head = await ask("/stream", { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, null]);
  await source.cancelled;
  expect(brokenStreams()).toEqual([]);
});

test("T38: an open stream is no request in flight", async () => {
  await source.say("one");
  const next = await reading(await ask("/stream"));
  expect([await next(), plane.service.admission.inFlight()]).toEqual(["one", 0]);
});

test("a stream may be silent for longer than a connection may be idle", async () => {
  const request = "GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const idle = connect(server.port, "127.0.0.1", () => idle.write(request));
  const cut = new Promise((resolve) => idle.on("close", resolve));
  idle.resume();
  await source.say("one");
  const next = await reading(await ask("/stream"));
  expect(await next()).toBe("one");
  // The runtime looks at idle connections every few seconds. What began before the stream is cut before it would be.
  await cut;
  await Bun.sleep(1_000);
  await source.say("two");
  expect(await next()).toBe("two");
}, 120_000);

test("the source of a stream is let go when the client leaves", async () => {
  const client = new AbortController();
  await source.say("one");
  const next = await reading(await ask("/stream", { signal: client.signal }));
  await next();
  client.abort();
  await source.cancelled;
  expect(brokenStreams()).toEqual([]);
});

test("a listener that stops ends its streams in good order, and waits for none", async () => {
  await source.say("one");
  const response = await ask("/stream");
  const [body] = await Promise.all([response.text(), server.stop()]);
  await source.cancelled;
  expect(body).toBe("one");
});

test("a stream whose source fails breaks off, which is logged", async () => {
  await source.say("one");
  const response = await ask("/stream");
  await source.fail(new Error("The source is gone."));
  await expect(response.text()).rejects.toThrow();
  expect(brokenStreams()).toEqual(["Error: The source is gone."]);
  expect((await ask("/text")).status).toBe(200);
});
