import { refuse } from "@holdfast/api/conventions/api-error";
import type { Service } from "../service";
import type { MetricsAddress } from "../setting-declarations";
import { createApp } from "./app";
import type { Endpoint } from "./endpoint";
import { type Listener, listen } from "./listen";
import { isLoopback } from "./loopback";
import { metricsEndpoint } from "./metrics-endpoint";
import { namedMetricsListen } from "./named-metrics-listen";

const nothingElse: Endpoint = {
  path: "*",
  methods: {
    GET: {
      name: "unknown",
      answer() {
        throw refuse("pathUnknown", "This port has /metrics alone. Ask the port of the API for everything else.");
      },
    },
  },
};

/** Serves the metrics on a port of their own, for Prometheus on the same machine or in a network of operators. */
export async function listenForMetrics(
  service: Service,
  { host, port }: MetricsAddress,
  sharesPort: boolean,
): Promise<Listener> {
  const here = metricsEndpoint(service, { isOpen: true, namesItself: isLoopback(host) });
  const app = createApp(service, [here, nothingElse]);
  return namedMetricsListen(() =>
    listen({ host, port, sharesPort, answer: (request, peer) => app.fetch(request, { peer }) }),
  );
}
