import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { connect } from "./connection";

const request = { method: "GET", path: "/", headers: {} };

test("a request over a connection that the service has closed fails at once, instead of waiting", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = Object(server.address());
  const line = await connect(`http://127.0.0.1:${address.port}`);
  expect(await line.send(request)).toBe(200);
  // Until the close has arrived, a request may still be sent, and then fails with the close.
  await expect(line.send(request)).rejects.toThrow("The service closed the connection.");
  await expect(line.send(request)).rejects.toThrow("The service closed the connection.");
  server.close();
});
