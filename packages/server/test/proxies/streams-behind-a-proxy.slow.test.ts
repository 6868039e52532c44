import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readAnswer } from "../harness";
import { oneOf, size, timeLimit } from "../runs";
import { listen, type Watch } from "../streams/watch";
import { type ProxyCluster, startCluster } from "./start-cluster";
import { type ProxyKind, proxyKinds } from "./start-proxy";

/**
 * Number of seconds that a connection may be idle behind nginx: 60 as it is documented, which is also what nginx has by itself. The usual
 * run waits less: as with the documented time, a stream says something sooner, and a heartbeat is not held for so long.
 */
const maxIdle = size({ default: 20, long: 60 });
const pastIdle = (maxIdle + 3) * 1000;
const heldFor = size({ default: 15, long: 30 });

const withIdle = (text: string) => text.replaceAll("timeout 60s", `timeout ${maxIdle}s`);

// nginx closes what is idle by itself. The others do so by a setting, which the long run tries.
const kinds = oneOf(proxyKinds, { sqlite: "nginx", postgres: "nginx" });

/** Requests to each proxy at the same time: most of it is waiting. */
interface Asked {
  cluster: ProxyCluster;
  watched: Watch;
  /** Time until an event arrived that was caused at once, and one after a long silence, in milliseconds. */
  first: number;
  later: number;
  held: { status: number; took: number };
}

const asked: Record<ProxyKind, PromiseWithResolvers<Asked>> = {
  nginx: Promise.withResolvers(),
  caddy: Promise.withResolvers(),
  haproxy: Promise.withResolvers(),
};

async function askAll(cluster: ProxyCluster): Promise<Asked> {
  const { token } = await cluster.plane.serviceToken("operator");
  const send = (path: string, method = "GET", body?: object) =>
    fetch(`${cluster.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      tls: { ca: cluster.proxy.certificate },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const watched = listen(await send("/task-events"));
  await watched.until((heard) => heard.length > 0);

  /** Creates a task, and waits for the event. */
  async function timeEvent() {
    const startedAt = performance.now();
    const response = await send("/tasks", "POST", { category: "backup", type: "restic_backup" });
    const { body } = await readAnswer(response);
    const id: string = body.id;
    await watched.until((heard) => heard.some(({ data }) => data.id === id));
    return { id, took: performance.now() - startedAt };
  }

  const first = await timeEvent();
  const silentSince = performance.now();
  const heldSince = performance.now();
  const { status } = await send(`/tasks/${first.id}`, "PATCH", { wait_seconds: heldFor });
  const held = { status, took: performance.now() - heldSince };
  // A task that is not heard of for half of its lease would be said to be silent, which is an event.
  await Bun.sleep(pastIdle - (performance.now() - silentSince));
  const later = await timeEvent();
  return { cluster, watched, first: first.took, later: later.took, held };
}

beforeAll(() => {
  for (const kind of kinds) asked[kind].resolve(startCluster(kind, { change: withIdle }).then(askAll));
});
afterAll(async () => {
  for (const kind of kinds) {
    const { cluster, watched } = await asked[kind].promise;
    await watched.close();
    await cluster.stop();
  }
});

describe.each(kinds)("behind %s", (kind) => {
  test("an event arrives within 3 s, and so does one after a silence that would end an idle connection", async () => {
    const { first, later, watched } = await asked[kind].promise;
    expect(Math.max(first, later)).toBeLessThan(timeLimit(3_000));
    expect(watched.text().match(/^: /gm)?.length).toBeGreaterThanOrEqual(Math.floor(maxIdle / 15));
    expect(watched.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  }, 150_000);

  test(`a heartbeat that is held for ${heldFor} s is answered`, async () => {
    const { held } = await asked[kind].promise;
    expect([held.status, held.took > (heldFor - 1) * 1000]).toEqual([200, true]);
  }, 150_000);
});
