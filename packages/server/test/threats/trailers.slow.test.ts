import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { connect } from "node:tls";
import { findFreePort } from "../free-port";
import { readAnswer } from "../harness";
import { startProcess } from "../process";
import { type DocumentedProxy, proxyKinds, startProxy } from "../proxies/start-proxy";
import { sendRaw } from "../raw-connection";
import { size } from "../runs";

const server = await startProcess();
const beside = await server.openBeside();
const { token } = await beside.serviceToken("owner");
afterAll(async () => {
  await server.stop();
  await beside.close();
  rmSync(server.folder, { recursive: true, force: true });
});

const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunks = "2\r\n{}\r\n";
const end = "0\r\n";
const trailers = "X-Trailer: 1\r\n\r\n";

/** Requests on every way that an answer can go: with the body read, without, and where no method takes one. */
const requests = [
  { what: "a body that is read", method: "POST", path: "/session", status: 422 },
  { what: "a body that is not read", method: "POST", path: "/roles", status: 401 },
  { what: "a path that does not exist", method: "POST", path: "/nothing", status: 404 },
  { what: "a GET", method: "GET", path: "/healthz", status: 200 },
  { what: "a method that the path does not have", method: "PUT", path: "/healthz", status: 405 },
];

describe.each(requests)("$what", ({ method, path, status }) => {
  test("T40: in chunks is answered once, and the connection is closed", async () => {
    const { statuses, text, isClosed } = await sendRaw(server.port, `${head(method, path) + chunks + end}\r\n`);
    expect([statuses, isClosed]).toEqual([[status], true]);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  test("T40: with trailers gets one answer, wherever the packets end", async () => {
    const whole = head(method, path) + chunks + end + trailers;
    const ends = [whole.length, ...[chunks, end, trailers].map((part) => whole.indexOf(part)), whole.length - 2];
    const answers = await Promise.all(ends.map((at) => sendInTwo(whole.slice(0, at), whole.slice(at))));
    expect(answers.map(({ statuses, isClosed }) => [statuses.length, isClosed])).toEqual(ends.map(() => [1, true]));
    for (const { statuses } of answers) expect([status, 400]).toContain(statuses[0] ?? 0);
  });

  test("T40: with trailers and a request behind them gets one answer", async () => {
    const next = "GET /following HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    const { statuses, isClosed } = await sendRaw(server.port, head(method, path) + chunks + end + trailers + next);
    expect([statuses, isClosed]).toEqual([[400], true]);
  });
});

/** Sends a request in two parts, with a pause after which the first has been looked at. */
async function sendInTwo(first: string, second: string) {
  return sendRaw(server.port, first, undefined, undefined, { after: 100, bytes: second });
}

test("T40: what the runtime has refused is not carried out", async () => {
  const create = [
    "POST /roles HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json",
    `Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ].join("\r\n");
  const body = (name: string) => {
    const text = JSON.stringify({ name, permissions: ["tasks:read"] });
    return `${text.length.toString(16)}\r\n${text}\r\n0\r\n`;
  };
  const refused = [
    await sendRaw(server.port, create + body("refused at once") + trailers),
    await sendInTwo(create, body("refused later") + trailers),
  ];
  const accepted = await sendRaw(server.port, `${create + body("accepted")}\r\n`);
  expect([...refused, accepted].map(({ statuses }) => statuses)).toEqual([[400], [400], [201]]);
  const { text } = await server.ask("/roles", { token });
  expect(["accepted", "refused at once", "refused later"].map((name) => text.includes(name))).toEqual([
    true,
    false,
    false,
  ]);
});

const asked = size({ default: 600, long: 10_000 });

/** Sends requests with trailers over and over, each over a connection of its own. */
async function attack({ port, certificate }: DocumentedProxy, isOver: () => boolean): Promise<number> {
  let sent = 0;
  for (; !isOver(); sent++) {
    const { method, path } = requests[sent % requests.length] ?? { method: "GET", path: "/" };
    await new Promise<void>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", ca: certificate }, () =>
        socket.write(head(method, path) + chunks + end + trailers),
      );
      socket.setTimeout(2_000, () => socket.destroy());
      socket.on("data", () => socket.destroy());
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  }
  return sent;
}

/** Asks for two things in turn, and gives the answers that were not the right ones. */
async function stand({ port, certificate }: DocumentedProxy, count: number): Promise<string[]> {
  const questions = ["/healthz", "/roles?limit=1"];
  const headers = { Authorization: `Bearer ${token}` };
  const right = await Promise.all(questions.map(async (path) => `200 ${(await server.ask(path, { token })).text}`));
  const got: string[] = [];
  for (let turn = 0; turn < count; turn++) {
    const path = questions[turn % questions.length];
    const { status, text } = await readAnswer(
      await fetch(`https://127.0.0.1:${port}${path}`, { headers, tls: { ca: certificate } }),
    );
    got.push(`${status} ${text}`);
  }
  return got.filter((answer, turn) => answer !== right[turn % right.length]);
}

test.each(proxyKinds)(
  "T40: through %s no client gets an answer that is not its own",
  async (kind) => {
    const proxy = await startProxy(kind, { port: await findFreePort(), nodes: [server.port, server.port] });
    let isOver = false;
    const attacking = Promise.all(Array.from({ length: 4 }, () => attack(proxy, () => isOver)));
    const standing = Array.from({ length: 10 }, () => stand(proxy, asked / 10));
    const foreign = (await Promise.all(standing)).flat();
    isOver = true;
    const sent = (await attacking).reduce((sum, one) => sum + one, 0);
    await proxy.stop();
    expect(foreign).toEqual([]);
    // The control: there were enough of them.
    expect(sent).toBeGreaterThan(asked / 20);
  },
  size({ default: 60_000, long: 300_000 }),
);
