import { afterAll, expect, test } from "bun:test";
import { findFreePort } from "../free-port";
import { root, unitHeaderName } from "../harness";
import { startProcess } from "../process";
import { proxyKinds, startProxy } from "../proxies/start-proxy";
import { sendRaw } from "../raw-connection";

const server = await startProcess();
const beside = await server.openBeside();
const { token } = await beside.serviceToken("owner");
const proxies = await Promise.all(
  proxyKinds.map(async (kind) => {
    const proxy = await startProxy(kind, { port: await findFreePort(), nodes: [server.port, server.port] });
    const send = (bytes: string, silence?: number) => sendRaw(proxy.port, bytes, silence, proxy.certificate);
    return { kind, ...proxy, send };
  }),
);
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await server.stop();
  await beside.close();
});

const host = "Host: 127.0.0.1\r\n";
const authorization = `Authorization: Bearer ${token}\r\n`;
const unit = `${unitHeaderName}: ${root}\r\n`;
/** A request that must not be seen as one: its path is looked for in the log. */
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;
/** Caddy goes by Transfer-Encoding where there is a Content-Length, too: what follows is a request of its own to it. */
const following = `GET /following HTTP/1.1\r\n${host}\r\n`;
const oddMethod = `FOO /odd-method HTTP/1.1\r\n${host}${authorization}\r\n`;
const get = (headers: string, path = "/") => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string) => `POST / HTTP/1.1\r\n${host}${headers}\r\n${body}`;

interface Attack {
  what: string;
  bytes: string;
  /** Statuses of the service itself. Through a proxy there may be a refusal of the proxy's instead. */
  statuses: number[];
  code?: number;
  requestsToCaddy?: number;
  /** Caddy blames the service for a body that it cannot read from the client. */
  isBadGatewayToCaddy?: true;
}

const attacks: Attack[] = [
  {
    what: "Content-Length and Transfer-Encoding",
    bytes: post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${following}`),
    statuses: [400],
    requestsToCaddy: 2,
  },
  {
    what: "Transfer-Encoding and Content-Length",
    bytes: post("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", `0\r\n\r\n${following}`),
    statuses: [400],
    requestsToCaddy: 2,
  },
  {
    what: "two Transfer-Encodings",
    bytes: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: "an unknown Transfer-Encoding",
    bytes: post("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: "a space before the colon",
    bytes: post("Transfer-Encoding : chunked\r\n", `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: "two Content-Lengths",
    bytes: post(`Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n`, smuggled),
    statuses: [400],
  },
  { what: "a Content-Length with a sign", bytes: post("Content-Length: +5\r\n", "hello"), statuses: [400] },
  { what: "a negative Content-Length", bytes: post("Content-Length: -5\r\n", "hello"), statuses: [400] },
  {
    what: "a Content-Length beyond all numbers",
    bytes: post("Content-Length: 99999999999999999999\r\n", "hello"),
    statuses: [400],
  },
  {
    what: "a request in the body of a GET",
    bytes: get(`${host}${authorization}Content-Length: ${smuggled.length}\r\n`) + smuggled,
    statuses: [200],
  },
  {
    what: "a broken chunk",
    bytes: post("Transfer-Encoding: chunked\r\n", `zz\r\nhello\r\n0\r\n\r\n${smuggled}`),
    statuses: [400],
    isBadGatewayToCaddy: true,
  },
  {
    what: "a request in the trailers",
    bytes: post("Transfer-Encoding: chunked\r\n", `0\r\n${smuggled}`),
    statuses: [400],
    isBadGatewayToCaddy: true,
  },
  {
    what: "a request in the trailers, after what would be the end of the body",
    bytes: post("Transfer-Encoding: chunked\r\n", `0\r\nXX${smuggled}`),
    statuses: [400],
    isBadGatewayToCaddy: true,
  },
  { what: "lines that end in a bare LF", bytes: `GET / HTTP/1.1\nHost: 127.0.0.1\n\n`, statuses: [505] },
  {
    what: "one header that ends in a bare LF",
    bytes: `GET / HTTP/1.1\r\nHost: 127.0.0.1\nX: y\r\n\r\n`,
    statuses: [400],
  },
  { what: "a folded header", bytes: get(`${host}Authorization: Bearer\r\n ${token}\r\n`), statuses: [400] },
  { what: "a NUL in a header", bytes: get(`${host}X: a\0b\r\n`), statuses: [400] },
  { what: "a space in the method", bytes: `GE T / HTTP/1.1\r\n${host}\r\n`, statuses: [400] },
  { what: "HTTP/2 without being asked", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: [400] },
  { what: "something that is not HTTP", bytes: "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", statuses: [400] },
  { what: "no Host", bytes: get(""), statuses: [400] },
  { what: "two Hosts", bytes: get(`${host}Host: evil.example\r\n`), statuses: [400] },
  { what: "a Host that is not ours", bytes: get("Host: evil.example\r\n"), statuses: [400], code: 40012 },
  { what: "a Host with a space in it", bytes: get("Host: a b\r\n"), statuses: [400], code: 40013 },
  {
    what: "Authorization twice, the same",
    bytes: get(`${host}${authorization}${authorization}`),
    statuses: [400],
    code: 40010,
  },
  {
    what: "Authorization twice, different",
    bytes: get(`${host}${authorization}authorization: Bearer x\r\n`),
    statuses: [400],
    code: 40010,
  },
  {
    what: "the unit twice, the same",
    bytes: get(`${host}${authorization}${unit}${unit}`),
    statuses: [400],
    code: 40010,
  },
  {
    what: "the unit twice, once empty",
    bytes: get(`${host}${authorization}${unit}${unitHeaderName.toUpperCase()}:\r\n`),
    statuses: [400],
    code: 40010,
  },
  { what: "a token in the address", bytes: get(host, `/?access_token=${token}`), statuses: [401], code: 40101 },
  { what: "an address in full", bytes: get(`${host}${authorization}`, "http://127.0.0.1/"), statuses: [200] },
  { what: "an address in full without a token", bytes: get(host, "http://127.0.0.1/"), statuses: [401], code: 40101 },
  { what: "a tunnel", bytes: `CONNECT evil.example:80 HTTP/1.1\r\n${host}\r\n`, statuses: [400] },
  { what: "TRACE", bytes: `TRACE / HTTP/1.1\r\n${host}${authorization}\r\n`, statuses: [405], code: 40501 },
  {
    what: "a body of 2 MB that is only announced",
    bytes: post("Content-Length: 2000000\r\n", "hello"),
    statuses: [413],
    code: 41301,
  },
  { what: "headers of 40,000 bytes", bytes: get(`${host}X: ${"a".repeat(40_000)}\r\n`), statuses: [431], code: 43101 },
  { what: "an address of 40,000 characters", bytes: get(host, `/${"a".repeat(40_000)}`), statuses: [414], code: 41401 },
  {
    what: "an upgrade that we do not do",
    bytes: get(`${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`, "/healthz"),
    statuses: [200],
  },
];

const answers = await Promise.all(attacks.map(({ bytes }) => sendRaw(server.port, bytes)));
const proxied: Awaited<ReturnType<typeof attackThrough>>[] = [];
for (const proxy of proxies) proxied.push(await attackThrough(proxy));

/** Attacks through a proxy, while somebody else asks for two things in turn over the same proxy. */
async function attackThrough({ kind, port, certificate, send }: (typeof proxies)[number]) {
  let isOver = false;
  const bystander = async () => {
    const seen: string[] = [];
    const headers = { Authorization: `Bearer ${token}` };
    for (let turn = 0; !isOver || turn % 2 === 1; turn++) {
      const path = turn % 2 === 0 ? "/healthz" : "/users?limit=1";
      const answer = await fetch(`https://127.0.0.1:${port}${path}`, { headers, tls: { ca: certificate } });
      seen.push(`${answer.status} ${answer.headers.get("content-type")}`);
      await answer.arrayBuffer();
    }
    return seen;
  };
  const bystanding = bystander();
  // Some are never answered, because the proxy waits for the rest of them.
  const received = await Promise.all(attacks.map(({ bytes }) => send(bytes, 3_000)));
  // The service hangs up on these, which must not put it out of use for others.
  await Promise.all(Array.from({ length: 20 }, () => send(oddMethod)));
  isOver = true;
  return { kind, received, seen: await bystanding };
}

test.each(attacks.map((attack, at) => ({ ...attack, at })))(
  "T17: $what is answered with $statuses",
  ({ at, statuses, code }) => {
    const answer = answers[at];
    expect(answer?.statuses).toEqual(statuses);
    expect(answer?.text).toMatch(code === undefined ? /^HTTP/ : new RegExp(`\\{"errors":\\[\\{"error_code":${code},`));
  },
);

test.each(proxied)("T17: through $kind no attack gets more answers than it made requests", ({ kind, received }) => {
  const surplus = attacks.filter(({ statuses, requestsToCaddy }, at) => {
    const requests = (kind === "caddy" ? requestsToCaddy : undefined) ?? statuses.length;
    return (received[at]?.statuses.length ?? 0) > requests;
  });
  expect(surplus.map(({ what }) => what)).toEqual([]);
  const faults = attacks.filter(({ isBadGatewayToCaddy }, at) => {
    const expected = [501, 505, ...(kind === "caddy" && isBadGatewayToCaddy ? [502] : [])];
    return received[at]?.statuses.some((status) => status >= 500 && !expected.includes(status));
  });
  expect(faults.map(({ what }) => what)).toEqual([]);
});

test.each(proxied)("T17: through $kind everybody else gets their own answers meanwhile", ({ seen }) => {
  const turn = ["200 application/json", "200 application/api.svc.users=v2+json"];
  expect(seen.length).toBeGreaterThan(20);
  expect(seen).toEqual(Array.from({ length: seen.length / 2 }, () => turn).flat());
});

const countPrinted = (path: string) => server.printed().split(`"path":"${path}"`).length - 1;

/** Waits until the log has so many requests for a path, and a moment longer, in which there could be more. */
async function untilPrinted(path: string, count: number): Promise<void> {
  for (const deadline = performance.now() + 60_000; countPrinted(path) < count && performance.now() < deadline; ) {
    await Bun.sleep(20);
  }
  await Bun.sleep(200);
}

test("T17: nothing that was smuggled in was ever executed, directly or through a proxy", async () => {
  const second = proxied.flatMap(({ kind, received }) =>
    received.flatMap(({ statuses }, at) =>
      kind === "caddy" && attacks[at]?.requestsToCaddy === 2 ? statuses.slice(1) : [],
    ),
  );
  await untilPrinted("/following", second.length);
  const printed = server.printed();
  expect([printed.includes('"path":"/"'), printed.includes("/smuggled")]).toEqual([true, false]);
  expect(countPrinted("/following")).toBe(second.length);
});

test("T17: two requests in one go are two requests, and are seen", async () => {
  const two = smuggled.replace("/smuggled", "/honest").repeat(2);
  const senders = [(bytes: string) => sendRaw(server.port, bytes), ...proxies.map(({ send }) => send)];
  const statuses = await Promise.all(senders.map(async (send) => (await send(two)).statuses));
  expect(statuses).toEqual(senders.map(() => [404, 404]));
  await untilPrinted("/honest", 2 * senders.length);
  expect(countPrinted("/honest")).toBe(2 * senders.length);
});

test("T17: a method that nobody knows is not executed", async () => {
  const { statuses, isClosed } = await sendRaw(server.port, oddMethod);
  expect([statuses, isClosed]).toEqual([[], true]);
  await Bun.sleep(100);
  expect(server.printed().includes("/odd-method")).toBe(false);
});
