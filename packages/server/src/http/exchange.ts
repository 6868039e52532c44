import { randomUUID } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import type { Service } from "../service";
import type { Endpoint, Exchange } from "./endpoint";
import { handleError } from "./handle-error";
import { receive } from "./receive";
import type { Reply } from "./reply";

const mostInFlight = 1_000;

/** Answers one request from beginning to end: limits, method, the endpoint itself, errors, headers, log and metrics. */
export async function exchange(
  service: Service,
  endpoint: Endpoint,
  request: Request,
  variables: Record<string, string>,
  peer: string,
): Promise<Response> {
  const startedAt = performance.now();
  const requestId = randomUUID();
  const seen: Exchange["seen"] = {};
  const headers: Record<string, string> = {};
  let reply: Reply;
  try {
    const address = receive(request, service.isOurHost);
    if (service.inFlight() > mostInFlight) {
      throw refuse("overloaded", "Too many requests are being answered. Try again in a moment.", {
        "Retry-After": "1",
      });
    }
    reply =
      methodReply(endpoint, request.method) ??
      (await endpoint.answer({ service, request, address, variables, requestId, peer, seen, headers }));
  } catch (error) {
    reply = handleError(error, requestId, service.log, service.onBroken);
  }
  const duration = performance.now() - startedAt;
  service.metrics.observe(endpoint.name, reply.status, duration / 1000);
  service.log.info("request", {
    request_id: requestId,
    method: request.method,
    path: pathOf(request.url),
    operation: endpoint.name,
    status: reply.status,
    duration_ms: Math.round(duration * 1000) / 1000,
    ...(seen.caller === undefined ? {} : { caller: seen.caller }),
    ...(seen.unitId === undefined ? {} : { organizational_unit_id: seen.unitId }),
    peer,
  });
  return respond(service, request, reply, { ...headers, "X-Request-Id": requestId });
}

/** Answers OPTIONS and refuses what is neither GET nor HEAD. A path that does not exist has no methods at all. */
function methodReply(endpoint: Endpoint, method: string): Reply | undefined {
  if (method === "GET" || method === "HEAD" || endpoint.path === "*") return undefined;
  const allow = { Allow: "GET, HEAD, OPTIONS" };
  if (method === "OPTIONS") return { status: 204, headers: allow, body: null };
  throw refuse("methodNotAllowed", `This path does not take ${method}. Use GET.`, allow);
}

/** Adds what every response has. */
function respond(service: Service, request: Request, reply: Reply, headers: Record<string, string>): Response {
  const { status, body } = reply;
  const all: Record<string, string> = {
    Vary: `Accept, Authorization, ${unitHeader(service.vendor)}`,
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(service.baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
    // While shutting down, clients are told to come back over a new connection, which reaches another process.
    ...(service.isReady() ? {} : { Connection: "close" }),
    ...headers,
    ...reply.headers,
  };
  if (request.method !== "HEAD" || body === null) return new Response(body, { status, headers: all });
  return new Response(null, { status, headers: { ...all, "Content-Length": String(Buffer.byteLength(body)) } });
}

/** The path for the log: never the query, which may hold what somebody typed by mistake. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.search(/[?#]/);
  return url.slice(Math.max(0, start), end < 0 ? undefined : end).slice(0, 200);
}
