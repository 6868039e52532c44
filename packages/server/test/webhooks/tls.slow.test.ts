import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { createOutbound } from "../../src/outbound/outbound";
import { makeFolder } from "../harness";

const folder = makeFolder();
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const made = Bun.spawnSync([
  ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2"],
  ...["-subj", "/CN=hook.example.org", "-addext", "subjectAltName=DNS:hook.example.org"],
]);
const trusted = readFileSync(cert, "utf8");
const seen: { host: string | undefined; name: unknown }[] = [];
const server = createServer({ key: readFileSync(key), cert: trusted }, (request, response) => {
  seen.push({ host: request.headers.host, name: Reflect.get(request.socket, "servername") });
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const port = typeof address === "object" ? address?.port : 0;
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const send = (host: string, options: { trusted?: string } = {}) =>
  createOutbound({
    allowed: ["127.0.0.0/8"],
    baseUrl: "http://holdfast.test",
    resolve: async () => ["127.0.0.1"],
    ...options,
  })
    .send({ url: `https://${host}:${port}/hook`, headers: {}, body: "{}" })
    .then(({ status }) => String(status))
    .catch((error) => error.message);

test("TLS asks for the name and compares the certificate with it, though the connection goes to an address", async () => {
  expect(made.exitCode).toBe(0);
  expect(await send("hook.example.org", { trusted })).toBe("204");
  expect(seen).toMatchObject([{ host: `hook.example.org:${port}` }]);
  expect(await send("other.example.org", { trusted })).toContain("ALTNAME");
  expect(await send("127.0.0.1", { trusted })).toContain("certificate is not accepted");
  expect(await send("hook.example.org")).toContain("certificate is not accepted");
  expect(seen).toHaveLength(1);
});
