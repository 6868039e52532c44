import { rmSync } from "node:fs";
import type { RawSettings } from "../../src/settings/settings";
import { type Answered, type Ask, makeFolder, type Plane, readAnswer, unitHeaderName } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { findSteadyPort } from "../steady-port";
import { type DocumentedProxy, type ProxyKind, type ProxyOptions, startProxy } from "./start-proxy";

/** Two nodes on one database, behind a proxy. */
export interface ProxyCluster {
  baseUrl: string;
  proxy: DocumentedProxy;
  /** The processes that run, in the order of the proxy's configuration. */
  nodes: [ServerProcess, ServerProcess];
  /** Plane on the same data, opened in this process. */
  plane: Plane;
  /** Sends a request to the proxy. */
  ask(path: string, ask?: Ask): Promise<Answered>;
  /** Ends a node with a signal and gives its exit code and how many milliseconds it took. */
  end(at: 0 | 1, signal: NodeJS.Signals): Promise<{ exitCode: number; took: number }>;
  /** Starts a node again that was ended. */
  revive(at: 0 | 1): Promise<void>;
  stop(): Promise<void>;
}

/** Starts two nodes and a proxy with its documented configuration in front. */
export async function startCluster(
  kind: ProxyKind,
  { flags = {}, change }: { flags?: RawSettings } & Pick<ProxyOptions, "change"> = {},
): Promise<ProxyCluster> {
  const folder = makeFolder();
  const [port, one, two] = await Promise.all([findSteadyPort(), findSteadyPort(), findSteadyPort()]);
  const baseUrl = `https://127.0.0.1:${port}`;
  const start = (nodePort: number) =>
    startProcess({ folder, flags: { base_url: baseUrl, port: String(nodePort), ...flags } });
  const nodes: ProxyCluster["nodes"] = [await start(one), await start(two)];
  const plane = await nodes[0].openBeside();
  const proxy = await startProxy(kind, { port, nodes: [one, two], ...(change === undefined ? {} : { change }) });
  return {
    baseUrl,
    proxy,
    nodes,
    plane,
    async ask(path, { method = "GET", token, accept, unit, headers = {} } = {}) {
      const sent = new Headers(headers);
      if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
      if (accept !== undefined) sent.set("Accept", accept);
      if (unit !== undefined) sent.set(unitHeaderName, unit);
      return readAnswer(await fetch(`${baseUrl}${path}`, { method, headers: sent, tls: { ca: proxy.certificate } }));
    },
    async end(at, signal) {
      const startedAt = performance.now();
      const exitCode = await nodes[at].stop(signal);
      return { exitCode, took: performance.now() - startedAt };
    },
    async revive(at) {
      nodes[at] = await start(nodes[at].port);
    },
    async stop() {
      await proxy.stop();
      await Promise.all(nodes.map((node) => node.stop("SIGINT")));
      await plane.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
