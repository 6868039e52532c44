import { expect, test } from "bun:test";

import { control, oneOf, size, timeLimit } from "../runs";

import { prepareQuestions } from "./prepare-questions";
import { type ProxyCluster, startCluster } from "./start-cluster";
import { proxyKinds } from "./start-proxy";
import { countAnswered, startLoad, untilAnswering } from "./steady-load";
import { withoutRetries } from "./without-retries";

const rounds = size({ default: 1, long: 20 });
const nodes = Array.from({ length: rounds }, () => [0, 1] as const).flat();
/** Between one node and the next. The documentation says two seconds, to be on the safe side. */
const pause = 1_000;

/** Restarts one node after the other under load, and gives what its clients and whoever restarted it saw. */
async function restartNodes(cluster: ProxyCluster, nodes: readonly (0 | 1)[]) {
  const load = startLoad(cluster.proxy, await prepareQuestions(cluster));
  const ends: { exitCode: number; took: number }[] = [];
  const answeredByNew: number[] = [];
  await Bun.sleep(500);
  for (const at of nodes) {
    ends.push(await cluster.end(at, "SIGTERM"));
    await cluster.revive(at);
    await Bun.sleep(pause);
    await untilAnswering(cluster.nodes[at]);
    answeredByNew.push(countAnswered(cluster.nodes[at]));
  }
  return { ...(await load.finish()), ends, answeredByNew };
}

test.each(oneOf(proxyKinds, { sqlite: "nginx", postgres: "haproxy" }))(
  "R17: a rolling restart of two nodes behind %s at 300 requests a second fails none",
  async (kind) => {
    const cluster = await startCluster(kind, { flags: { drain_seconds: "2" } });
    const { failures, perSecond, ends, answeredByNew } = await restartNodes(cluster, nodes);
    await cluster.stop();
    expect(failures).toEqual({});
    expect(ends.map(({ exitCode }) => exitCode)).toEqual(ends.map(() => 0));
    expect(Math.max(...ends.map(({ took }) => took))).toBeLessThan(timeLimit(10_000));
    // Otherwise it would not have been the load that it is said to be, nor two nodes.
    expect(perSecond).toBeGreaterThan(size({ default: 20, long: 100 }));
    expect(Math.min(...answeredByNew)).toBeGreaterThan(0);
  },
  rounds * 30_000 + 120_000,
);

control(
  "R17: without going unready first and without asking again, requests would have failed",
  async () => {
    const cluster = await startCluster("haproxy", { flags: { drain_seconds: "0" }, change: withoutRetries });
    const { failures, answered } = await restartNodes(cluster, [0]);
    await cluster.stop();
    expect(answered).toBeGreaterThan(300);
    expect(Object.values(failures).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  },
  120_000,
);

test("R17: going unready first is enough for a proxy that never asks again", async () => {
  const cluster = await startCluster("haproxy", { flags: { drain_seconds: "2" }, change: withoutRetries });
  const { failures, answered } = await restartNodes(cluster, [0]);
  await cluster.stop();
  expect(answered).toBeGreaterThan(size({ default: 100, long: 300 }));
  expect(failures).toEqual({});
}, 120_000);
