import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { connect, isRejected, withConnections } from "./connection";

let server: Server;
let url = "";

const large = "ä".repeat(100_000);

beforeAll(async () => {
  server = createServer((request, response) => {
    const answers: Record<string, () => void> = {
      "/whole": () => response.writeHead(200, { "Content-Length": 200_000 }).end(large),
      "/chunks": () => {
        response.write("first ");
        setTimeout(() => response.end("last"), 5);
      },
      "/refused": () => response.writeHead(503, { "Content-Length": 4 }).end("busy"),
      "/echo": () => void request.pipe(response.writeHead(201, { "Content-Length": 3 })),
      "/broken": () => void request.destroy(),
      "/empty": () => response.writeHead(204).end(),
      "/last": () => response.writeHead(200, { Connection: "close", "Content-Length": 0 }).end(),
    };
    answers[request.url ?? ""]?.();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${Object(server.address()).port}`;
});

afterAll(() => void server.close());

test("one connection sends requests of all kinds one after the other", async () => {
  const ask = { method: "GET", headers: {} };
  const seen = await withConnections(url, 1, async ([line]) => {
    const answers = [];
    for (const path of ["/whole", "/chunks", "/refused", "/empty"]) answers.push(await line?.send({ ...ask, path }));
    answers.push(await line?.send({ method: "POST", path: "/echo", headers: {}, body: "odd" }));
    return answers;
  });
  expect(seen.map((answer) => answer?.status)).toEqual([200, 200, 503, 204, 201]);
  expect(seen[0]?.text()).toBe(large);
  expect(seen[1]?.text()).toContain("last");
  expect(seen[1]?.ms).toBeGreaterThan(2);
  expect(seen[4]?.text()).toBe("odd");
});

test("a connection is opened again after the service has closed it", async () => {
  const line = await connect(url);
  const ask = (path: string) => line.send({ method: "GET", path, headers: {} });
  expect((await ask("/last")).status).toBe(200);
  expect((await ask("/refused")).status).toBe(503);
  const broken = await ask("/broken");
  expect([broken.status, isRejected(broken)]).toEqual([0, true]);
  expect((await ask("/empty")).status).toBe(204);
  line.end();
});
