import { refuse } from "@holdfast/api/conventions/api-error";
import { isLoopback } from "../settings/loopback";
import type { MetricsAddress } from "../settings/parsers";
import { createAppOf } from "./app";
import type { Endpoint } from "./endpoint";
import { type MetricsEndpointParts, metricsEndpoint } from "./endpoints/metrics-endpoint";
import { type HttpListener, listen } from "./listen";
import { namedMetricsListen } from "./named-metrics-listen";
import type { ExchangeParts } from "./request-pipeline";

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
  parts: ExchangeParts & MetricsEndpointParts,
  { host, port }: MetricsAddress,
  sharesPort: boolean,
): Promise<HttpListener> {
  const here = metricsEndpoint(parts, { isOpen: true, namesItself: isLoopback(host) });
  const app = createAppOf(parts, [here, nothingElse]);
  return namedMetricsListen(() =>
    listen({ host, port, sharesPort, answer: (request, connection) => app.fetch(request, connection) }),
  );
}
