import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endOf, holdfast, spooled, start } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
const file = (name: string) => join(world.path, name);

function openssl(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { stderr: "pipe" });
  expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
}

/** Makes an authority of our own, and a certificate for localhost that it has signed. */
function makeCertificates(): void {
  const keyTo = (name: string) => ["-newkey", "rsa:2048", "-nodes", "-keyout", file(`${name}.key`)];
  openssl("req", "-x509", ...keyTo("ca"), "-days", "2", "-subj", "/CN=Private CA", "-out", file("ca.crt"));
  openssl("req", "-x509", ...keyTo("other"), "-days", "2", "-subj", "/CN=Other CA", "-out", file("other.crt"));
  openssl(
    ...["req", "-x509", ...keyTo("server"), "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-out", file("server.crt")],
  );
}

makeCertificates();
/** A proxy with TLS in front of the service. */
const proxy = Bun.serve({
  port: 0,
  tls: { cert: readFileSync(file("server.crt")), key: readFileSync(file("server.key")) },
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("host");
    const body = request.method === "GET" ? undefined : await request.arrayBuffer();
    return fetch(`${world.service().baseUrl}${pathname}${search}`, { method: request.method, headers, body });
  },
});
afterAll(async () => {
  await proxy.stop(true);
  await world.close();
});

const through = (authority: string) => ({
  HOLDFAST_URL: `https://localhost:${proxy.port}`,
  HOLDFAST_TOKEN: world.reporter,
  HOLDFAST_SPOOL: world.spool,
  NODE_EXTRA_CA_CERTS: authority,
});
const whoami = (environment: Record<string, string>) =>
  endOf(start([...holdfast, "whoami"], { cwd: world.path, environment }));

test("the command line and the runner trust an authority that NODE_EXTRA_CA_CERTS names", async () => {
  const asked = await whoami(through(file("ca.crt")));
  expect([asked.exitCode, asked.stdout.toString()]).toEqual([0, expect.stringContaining("reporter token")]);
  const ran = await world.run(["--name", "with TLS"], ["true"], { environment: through(file("ca.crt")) });
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, ""]);
  expect((await world.taskNamed("with TLS")).outcome).toBe("success");
});

test("a certificate of any other authority is refused, says what to set, and loses nothing", async () => {
  const asked = await whoami(through(file("other.crt")));
  expect(asked.exitCode).not.toBe(0);
  expect(asked.stderr.toString()).toContain(
    "its certificate is not valid here. Check the address and the certificate. If it is of an authority of your own, name that authority's certificate in NODE_EXTRA_CA_CERTS.",
  );
  const flags = ["--name", "waits", "--linger", "1s"];
  expect((await world.run(flags, ["true"], { environment: through(file("other.crt")) })).exitCode).toBe(0);
  expect([await world.taskNamed("waits"), spooled(world.spool).length]).toEqual([undefined, 1]);
  // Reports for the address of the proxy are delivered there once it is trusted.
  expect((await world.deliver(through(file("ca.crt")))).exitCode).toBe(0);
  expect((await world.taskNamed("waits")).outcome).toBe("success");
});
