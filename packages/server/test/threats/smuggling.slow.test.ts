import { afterAll, expect, test } from "bun:test";
import { root, unitHeaderName } from "../harness";
import { startNginx } from "../nginx";
import { startProcess } from "../process";
import { sendRaw } from "../raw-connection";

const server = await startProcess();
const beside = await server.openBeside();
const { token } = await beside.serviceToken("owner");
const proxy = await startNginx(server.port, [""]);
const [proxyPort = 0] = proxy.ports;
afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await beside.close();
});

const host = "Host: 127.0.0.1\r\n";
const authorization = `Authorization: Bearer ${token}\r\n`;
const unit = `${unitHeaderName}: ${root}\r\n`;
/** A request that must not be seen as one: its path is looked for in the log. */
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;
const get = (headers: string, path = "/") => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string) => `POST / HTTP/1.1\r\n${host}${headers}\r\n${body}`;

interface Attack {
  what: string;
  bytes: string;
  /** What the service itself answers. Through a proxy there may be a refusal of the proxy's instead. */
  statuses: number[];
  code?: number;
}

const attacks: Attack[] = [
  {
    what: "Content-Length and Transfer-Encoding",
    bytes: post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: "Transfer-Encoding and Content-Length",
    bytes: post("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", `0\r\n\r\n${smuggled}`),
    statuses: [400],
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
    statuses: [405, 400],
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

test.each(attacks.map((attack, at) => ({ ...attack, at })))(
  "T17: $what is answered with $statuses",
  ({ at, statuses, code }) => {
    const answer = answers[at];
    expect(answer?.statuses).toEqual(statuses);
    expect(answer?.text).toMatch(code === undefined ? /^HTTP/ : new RegExp(`\\{"errors":\\[\\{"error_code":${code},`));
  },
);

test("T17: through nginx no attack gets more answers than it made requests", async () => {
  const proxied = await Promise.all(attacks.map(({ bytes }) => sendRaw(proxyPort, bytes)));
  const surplus = attacks.filter(({ statuses }, at) => (proxied[at]?.statuses.length ?? 0) > statuses.length);
  expect(surplus.map(({ what }) => what)).toEqual([]);
  expect(
    proxied.flatMap(({ statuses }) => statuses).filter((status) => status >= 500 && status !== 501 && status !== 505),
  ).toEqual([]);
});

test("T17: nothing that was smuggled in was ever executed, directly or through nginx", async () => {
  await Bun.sleep(200);
  const printed = server.printed();
  expect([printed.includes('"path":"/"'), printed.includes("/smuggled")]).toEqual([true, false]);
});

test("T17: two requests in one go are two requests, and are seen", async () => {
  const two = smuggled.replace("/smuggled", "/honest").repeat(2);
  expect((await sendRaw(server.port, two)).statuses).toEqual([404, 404]);
  expect((await sendRaw(proxyPort, two)).statuses).toEqual([404, 404]);
  await Bun.sleep(200);
  expect(server.printed().split('"path":"/honest"').length - 1).toBe(4);
});

test("T17: a method that nobody knows is not executed", async () => {
  const { statuses, isClosed } = await sendRaw(server.port, `FOO /odd-method HTTP/1.1\r\n${host}${authorization}\r\n`);
  expect([statuses, isClosed]).toEqual([[], true]);
  await Bun.sleep(100);
  expect(server.printed().includes("/odd-method")).toBe(false);
});
