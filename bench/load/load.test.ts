import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { load } from "./load";

let server: Server;
let url = "";
const seen = new Set<string>();

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.add(`${request.method} ${request.url} ${request.headers.authorization}`);
    const path = request.url ?? "";
    const answers: Record<string, () => void> = {
      "/whole": () => response.writeHead(200, { "Content-Length": 100_000 }).end("x".repeat(100_000)),
      "/chunks": () => {
        response.write("x".repeat(100_000));
        setTimeout(() => response.end("the rest"), 1);
      },
      "/refused": () => response.writeHead(503).end("busy"),
      "/errors": () => response.writeHead(200, { "Content-Length": 13 }).end('{"errors":[]}'),
    };
    answers[path]?.();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(() => void server.close());

const run = (path: string) => {
  const request = () => ({ method: "GET", path, headers: { Authorization: "Bearer x" } });
  return load({ url, pids: [process.pid], request, connections: 2, seconds: 0.05 });
};

test.each(["/whole", "/chunks"])("answers of %s are counted once they are whole", async (path) => {
  const { perSecond, median, p99, cpu } = await run(path);
  expect(perSecond).toBeGreaterThan(0);
  expect(median).toBeGreaterThan(0);
  expect(p99).toBeGreaterThanOrEqual(median);
  expect(cpu).toBeGreaterThanOrEqual(0);
  expect([...seen]).toContain(`GET ${path} Bearer x`);
});

test.each(["/refused", "/errors"])("an answer of %s makes the figures worthless", async (path) => {
  await expect(run(path)).rejects.toThrow("The answer was HTTP/1.1");
});
