import { expect, test } from "bun:test";

import { control, oneOf, size } from "../runs";

import { prepareQuestions } from "./prepare-questions";
import { type ProxyCluster, startCluster } from "./start-cluster";
import { proxyKinds } from "./start-proxy";
import { countAnswered, startLoad, untilAnswering } from "./steady-load";
import { withoutRetries } from "./without-retries";

const rounds = size({ default: 1, long: 20 });
const nodes = Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? 0 : 1));

/** Kills a node under load and starts it again, each in turn, and gives what the clients saw. */
async function killNodes(cluster: ProxyCluster, nodes: readonly (0 | 1)[]) {
  const load = startLoad(cluster.proxy, await prepareQuestions(cluster));
  const answeredByKilled: number[] = [];
  for (const at of nodes) {
    await untilAnswering(cluster.nodes[at]);
    await Bun.sleep(1_000);
    await cluster.end(at, "SIGKILL");
    answeredByKilled.push(countAnswered(cluster.nodes[at]));
    await Bun.sleep(500);
    await cluster.revive(at);
    await Bun.sleep(500);
  }
  return { ...(await load.finish()), answeredByKilled };
}

test.each(oneOf(proxyKinds, { sqlite: "caddy", postgres: "nginx" }))(
  "R18: a node that is killed behind %s at 300 requests a second fails none",
  async (kind) => {
    const cluster = await startCluster(kind);
    const { failures, perSecond, answeredByKilled } = await killNodes(cluster, nodes);
    await cluster.stop();
    expect(failures).toEqual({});
    // Otherwise it would not have been the load that it is said to be, nor a node that was in use.
    expect(perSecond).toBeGreaterThan(size({ default: 20, long: 40 }));
    expect(Math.min(...answeredByKilled)).toBeGreaterThan(0);
  },
  rounds * 30_000 + 120_000,
);

control(
  "R18: without asking again, requests would have failed",
  async () => {
    const cluster = await startCluster("haproxy", { change: withoutRetries });
    const { failures, answered } = await killNodes(cluster, [0]);
    await cluster.stop();
    expect(answered).toBeGreaterThan(300);
    expect(Object.values(failures).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  },
  120_000,
);
