import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { throughput } from "./throughput";

let server: Server;
let url = "";
let seen = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen += 1;
    response.writeHead(request.url === "/refused" ? 503 : 200, { "Content-Length": 2 }).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${Object(server.address()).port}`;
});

afterAll(() => void server.close());

const visit = (path: string) =>
  throughput(url, { connections: 2, seconds: 0.05 }, (ask) => ask({ method: "GET", path, headers: {} }));

test("all requests that were answered count", async () => {
  const startedAt = performance.now();
  const { perSecond, rejected } = await visit("/");
  const max = seen / 0.05;
  const min = (1000 * seen) / (performance.now() - startedAt);
  expect(rejected).toBe(0);
  expect(perSecond).toBeWithin(Math.floor(min), Math.ceil(max));
});

test("a rejected request does not count as answered", async () => {
  seen = 0;
  expect(await visit("/refused")).toEqual({ perSecond: 0, rejected: seen });
});
