import { randomUUID } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import { afterParsing, isChunked } from "./chunked";
import type { Endpoint, Exchange, Handler, Method } from "./endpoint";
import { handleError } from "./handle-error";
import type { HttpParts } from "./http-parts";
import { noteRefusal } from "./note-refusal";
import { receive } from "./receive";
import type { Reply } from "./reply";
import type { Place } from "./traffic";

/** What an exchange is counted as whose client has left before the answer. It is never sent. */
const clientLeft = 499;

/** Answers one request from beginning to end. */
export type AnswerExchange = (
  endpoint: Endpoint,
  request: Request,
  variables: Record<string, string>,
  peer: string,
) => Promise<Response>;

/** Makes what all endpoints share: limits, method, errors, headers, log and metrics around the endpoint itself. */
export function createExchange(parts: HttpParts): AnswerExchange {
  const { log, metrics, isOurHost, clientAddress, isReady, traffic, onBroken } = parts;
  const common = commonHeaders(parts);

  return async (endpoint, request, variables, connected) => {
    const startedAt = performance.now();
    const peer = clientAddress(connected, request.headers);
    const requestId = randomUUID();
    const handler = handlerOf(endpoint, request.method);
    const seen: Exchange["seen"] = {};
    const headers: Record<string, string> = { ...common, "X-Request-Id": requestId };
    // While shutting down, clients have to use a new connection, which reaches another process.
    // After a chunked body, what else comes over the connection may not be a request.
    if (!isReady() || isChunked(request)) headers.Connection = "close";
    let place: Place | undefined;
    let reply: Reply;
    try {
      await afterParsing(request);
      const address = receive(request, isOurHost);
      place = traffic.begin({ address: peer, isProbe: handler?.isProbe === true });
      reply = handler
        ? await handler.answer({ parts, request, address, requestId, peer, place, variables, seen, headers })
        : methodReply(endpoint, request.method);
    } catch (error) {
      if (handler) noteRefusal(parts, { requestId, variables, seen }, handler.name, error);
      reply = isOfLeaving(error, request)
        ? { status: clientLeft, headers: {}, body: null }
        : handleError(error, requestId, log, onBroken);
    }
    place?.end();
    const duration = performance.now() - startedAt;
    const name = handler?.name ?? "method";
    const hasLeft = request.signal.aborted;
    const status = hasLeft ? clientLeft : reply.status;
    metrics.observe(name, status, duration / 1000);
    log[hasLeft ? "debug" : "info"]("request", {
      request_id: requestId,
      method: request.method,
      path: pathOf(request.url),
      operation: name,
      status,
      duration_ms: Math.round(duration * 1000) / 1000,
      caller: seen.caller,
      organizational_unit_id: seen.unitId,
      peer,
    });
    return respond(request.method, reply, Object.assign(headers, reply.headers));
  };
}

/** Whether something could not go on because the client has left: the runtime ends what still reads from it. */
function isOfLeaving(error: unknown, { signal }: Request): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}

/** What every response has, unless its endpoint says otherwise. */
function commonHeaders({ vendor, baseUrl }: HttpParts): Record<string, string> {
  return {
    Vary: `Accept, Authorization, ${unitHeader(vendor)}`,
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/** What answers a method. A path that does not exist has the same answer for all of them. */
function handlerOf({ path, methods }: Endpoint, method: string): Handler | undefined {
  if (path === "*" || method === "HEAD") return methods.GET;
  return isMethod(method) ? methods[method] : undefined;
}

function isMethod(method: string): method is Method {
  return ["GET", "POST", "PATCH", "DELETE"].includes(method);
}

/** Answers OPTIONS and refuses the other methods that a path does not have. */
function methodReply({ methods }: Endpoint, method: string): Reply {
  const known = Object.keys(methods).flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one]));
  const allow = { Allow: [...known, "OPTIONS"].join(", ") };
  if (method === "OPTIONS") return { status: 204, headers: allow, body: null };
  throw refuse("methodNotAllowed", `This path does not take ${method}. Use ${known.join(", ")}.`, allow);
}

function respond(method: string, { status, body, cookies }: Reply, headers: Record<string, string>): Response {
  if (cookies) {
    const pairs = [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["Set-Cookie", cookie])];
    return new Response(method === "HEAD" ? null : body, { status, headers: pairs });
  }
  if (method !== "HEAD" || body === null) return new Response(body, { status, headers });
  headers["Content-Length"] = String(Buffer.byteLength(body));
  return new Response(null, { status, headers });
}

/** The path for the log: never the query, which may contain a secret by mistake. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.search(/[?#]/);
  return url.slice(Math.max(0, start), end < 0 ? undefined : end).slice(0, 200);
}
