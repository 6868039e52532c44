import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { findFreePort } from "../free-port";
import { type Answered, readAnswer } from "../harness";
import { metricsToken, startProcess } from "../process";
import { proxyKinds, startProxy } from "../proxies/start-proxy";
import { oneOf, size } from "../runs";
import { holdHalfSent } from "./half-sent";

// More than one address may have pending, so that some are cut all the time.
const clients = size({ default: 400, long: 2_000 });
const seconds = size({ default: 2, long: 60 });
const longest = seconds * 1000 + 60_000;

const server = await startProcess({ flags: { log_level: "warn" } });
const beside = await server.openBeside();
const { token } = await beside.serviceToken("viewer");
afterAll(async () => {
  await server.stop();
  await beside.close();
  rmSync(server.folder, { recursive: true, force: true });
});

/** Requests of others meanwhile, and the expected answers. */
const ordinary = [
  { method: "GET", path: "/healthz", status: 200 },
  { method: "GET", path: "/readyz", status: 200 },
  { method: "GET", path: "/metrics", status: 200 },
  { method: "GET", path: "/tasks?limit=1", status: 200 },
  { method: "POST", path: "/session", status: 422, body: "{}" },
];

interface Ordinary {
  method: string;
  path: string;
  body?: string;
}

/** Asks in turn for a while, and gives how often each path was answered with what, and the answers of the metrics. */
async function askMeanwhile(ask: (one: Ordinary) => Promise<Answered>) {
  const outcomes: Record<string, number> = {};
  const pending: number[] = [];
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline; await Bun.sleep(20)) {
    for (const one of ordinary) {
      const { status, text } = await ask(one);
      const outcome = `${one.method} ${one.path} ${status}`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      pending.push(Number(/^holdfast_request_bodies_pending (\d+)$/m.exec(text)?.[1] ?? 0));
    }
  }
  return { outcomes: Object.keys(outcomes).sort(), maxPending: Math.max(...pending) };
}

const expected = ordinary.map(({ method, path, status }) => `${method} ${path} ${status}`).sort();

function askAt(baseUrl: string, certificate?: string) {
  const tls = certificate === undefined ? {} : { tls: { ca: certificate } };
  return async ({ method, path, body }: Ordinary) => {
    const given = path === "/metrics" ? metricsToken : token;
    const headers = { Authorization: `Bearer ${given}`, "Content-Type": "application/json" };
    return readAnswer(
      await fetch(`${baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }), ...tls }),
    );
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !condition() && performance.now() < deadline; ) await Bun.sleep(20);
}

test(
  "T38: bodies that never arrive take nothing from others, and the oldest of them are cut",
  async () => {
    const attack = holdHalfSent(server.port, clients);
    await until(() => attack.sent() >= clients);
    const { outcomes, maxPending } = await askMeanwhile(askAt(`http://127.0.0.1:${server.port}`));
    attack.stop();
    expect(outcomes).toEqual(expected);
    expect([...attack.statuses.keys()]).toEqual([408]);
    // The control: as many were pending as one address may have, and a request of this address was let in beside them.
    expect(maxPending).toBe(250);
  },
  longest,
);

describe.each(oneOf(proxyKinds, { sqlite: "caddy", postgres: "caddy" }))("through %s", (kind) => {
  test(
    "T38: bodies that never arrive take nothing from others",
    async () => {
      const proxy = await startProxy(kind, { port: await findFreePort(), nodes: [server.port, server.port] });
      const attack = holdHalfSent(proxy.port, clients, proxy.certificate);
      await until(() => attack.sent() >= clients);
      const [proxied, direct] = await Promise.all([
        askMeanwhile(askAt(`https://127.0.0.1:${proxy.port}`, proxy.certificate)),
        askMeanwhile(askAt(`http://127.0.0.1:${server.port}`)),
      ]);
      attack.stop();
      await proxy.stop();
      expect(attack.sent()).toBeGreaterThanOrEqual(clients);
      const inside = expected.map((outcome) => outcome.replace("/metrics 200", "/metrics 404"));
      expect([proxied.outcomes, direct.outcomes]).toEqual([inside, expected]);
      // The others wait for the whole request themselves, so that no node sees a part of one.
      expect(direct.maxPending > 20).toBe(kind === "caddy");
    },
    longest,
  );
});

/** The one that is being answered is the question itself. */
const nothing = ["holdfast_requests_in_flight 1", "holdfast_request_bodies_pending 0"];

test("T38: when those who never finish have gone, nothing of them is left", async () => {
  let counts: string[] = [];
  for (const deadline = performance.now() + 60_000; counts[1] !== nothing[1] && performance.now() < deadline; ) {
    const { text } = await server.ask("/metrics", { token: metricsToken });
    counts = text.match(/^holdfast_request\w+ \d+$/gm) ?? [];
  }
  expect(counts).toEqual(nothing);
}, 120_000);
