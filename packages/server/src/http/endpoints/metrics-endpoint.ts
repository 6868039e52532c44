import { timingSafeEqual } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import type { Metrics } from "../../telemetry/metrics";
import type { Endpoint, Handler } from "../endpoint";

/** Parts that showing metrics needs. */
export interface MetricsEndpointParts {
  metricsToken: string | undefined;
  metrics: Metrics;
}

/** A port on which metrics are asked for. */
export interface MetricsPort {
  /** True if they are shown there without a token. */
  isOpen: boolean;
  /** True if what runs is named without a token, too: its version and its process. */
  namesItself: boolean;
}

/** The figures for Prometheus. Where metrics_token is set, it is asked for on every port. */
export function metricsEndpoint(
  { metricsToken, metrics }: MetricsEndpointParts,
  { isOpen, namesItself }: MetricsPort,
): Endpoint {
  const answer = async (headers: Headers) => {
    if (metricsToken === undefined && !isOpen) {
      throw refuse(
        "pathUnknown",
        "There are no metrics at this address. Set metrics_token, or give them a port of their own with metrics_listen.",
      );
    }
    if (metricsToken !== undefined && !isSame(headers.get("authorization") ?? "", `Bearer ${metricsToken}`)) {
      throw refuse("tokenMissing", "Send the token of the setting metrics_token: Authorization: Bearer <token>.", {
        "WWW-Authenticate": 'Bearer realm="holdfast metrics"',
      });
    }
    const body = await metrics.render({ namesItself: metricsToken !== undefined || namesItself }).catch(() => {
      throw refuse("overloaded", "The other processes did not say what they have done. Try again in a moment.", {
        "Retry-After": "1",
      });
    });
    return {
      status: 200,
      headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" },
      body,
    };
  };
  // A probe, so that figures can be read however many requests there are to answer.
  const handler: Handler = { name: "metrics", kind: "probe", answer: ({ request }) => answer(request.headers) };
  return { path: "/metrics", methods: { GET: handler } };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
