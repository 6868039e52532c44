import { randomUUID } from "node:crypto";
import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import type { Log } from "../telemetry/log";
import type { Recorder } from "../telemetry/registry";
import { type Admission, aboveShare, overloaded } from "./admission";
import { afterParsing, isChunked } from "./chunked";
import type { ClientAddress } from "./client-address";
import { countExchanges } from "./count-exchanges";
import type { Endpoint, Exchange, Handler, Method } from "./endpoint";
import { handleError } from "./handle-error";
import type { AllowSilence, SendStream } from "./listen";
import { logOverload } from "./log-overload";
import { loggedPath } from "./logged-path";
import { noteRefusal, type RefusalParts } from "./note-refusal";
import { pathOf, receive } from "./receive";
import type { Reply, ReplyBody } from "./reply";
import { createRespond, type RespondParts } from "./respond";

/** Status that counts an exchange whose client has left before the answer. It is never sent. */
const clientLeft = 499;

/** Requests that take longer are logged at `info`. */
const slowRequestMs = 1_000;

/** Reports with larger bodies count as request time of their caller, in bytes. Heartbeats and progress are smaller. */
const bulkReport = 4_096;

/** Where a request came from, and what the listener does for its answer. */
export interface Origin {
  peer: string;
  /** Undefined where nothing listens, as in most tests. */
  sendStream?: SendStream;
  allowSilence?: AllowSilence;
}

const asItIs: SendStream = (source) => source;

/** Parts that every exchange needs, whatever its endpoint. */
export interface ExchangeParts extends RespondParts, RefusalParts {
  log: Log;
  metrics: Recorder;
  isOurHost: (host: string) => boolean;
  clientAddress: ClientAddress;
  /** True if a load balancer should send requests here. */
  isReady: () => boolean;
  admission: Admission;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

/** Answers one request from beginning to end. */
export type RequestPipeline<Parts> = (
  endpoint: Endpoint<Parts>,
  request: Request,
  variables: Record<string, string>,
  origin: Origin,
) => Response | Promise<Response>;

/** Makes what all endpoints share: limits, method, errors, headers, log and metrics around the endpoint itself. */
export function createRequestPipeline<Parts extends ExchangeParts>(parts: Parts): RequestPipeline<Parts> {
  const { log, metrics, isOurHost, clientAddress, isReady, admission, onBroken } = parts;
  const respond = createRespond(parts);
  const count = countExchanges(metrics);
  const noteOverload = logOverload(log);
  const sameRefusal = (error: ApiError) => respond.withSame(handleError(error, "", log, onBroken));
  const [refuseOverloaded, refuseAboveShare] = [sameRefusal(overloaded), sameRefusal(aboveShare)];

  return (endpoint, request, variables, origin) => {
    const { sendStream = asItIs, allowSilence = () => {} } = origin;
    const startedAt = performance.now();
    const handler = handlerOf(endpoint, request.method);
    const name = handler?.name ?? "method";
    // While shutting down, clients have to use a new connection, which reaches another process.
    // After a chunked body, what else comes over the connection may not be a request.
    const comesInChunks = isChunked(request);
    const requestId = randomUUID();
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    if (!isReady() || comesInChunks) headers.Connection = "close";
    let asked: string | undefined;
    // Once, and not for what is refused at once: the runtime takes a while to find it.
    const addressOf = () => {
      asked ??= clientAddress(origin.peer, request.headers);
      return asked;
    };

    const slot = admission.begin({
      addressOf,
      credential: request.headers.get("authorization") ?? request.headers.get("cookie"),
      kind: handler?.kind ?? "other",
      isBulk: Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY) > bulkReport,
      isFromListener: origin.sendStream !== undefined,
      hasBody: request.method === "POST" || request.method === "PATCH",
      isGone: () => request.signal.aborted,
    });
    if (slot instanceof ApiError) {
      // Keep this path cheap: time spent refusing delays accepted requests.
      const refuseIt = () => {
        noteOverload(slot);
        count(name, slot.status, (performance.now() - startedAt) / 1000);
        return (slot === overloaded ? refuseOverloaded : refuseAboveShare)(request.method, headers);
      };
      return comesInChunks ? afterParsing(request).then(refuseIt, refuseIt) : refuseIt();
    }

    const peer = addressOf();
    const seen: Exchange["seen"] = {};
    let path: string | undefined;

    const answer = (): Reply<ReplyBody> | Promise<Reply<ReplyBody>> => {
      const { address, host } = receive(request, isOurHost, handler?.largestBody);
      path = address.path;
      if (!handler) return methodReply(endpoint, request.method);
      const exchange = { parts, request, address, host, requestId, peer, slot };
      return handler.answer({ ...exchange, allowSilence, variables, seen, headers });
    };

    const refused = (error: unknown): Reply<ReplyBody> => {
      if (error === overloaded || error === aboveShare) noteOverload(error);
      if (handler) noteRefusal(parts, { requestId, variables, seen }, handler, error);
      return isOfLeaving(error, request)
        ? { status: clientLeft, headers: {}, body: null }
        : handleError(error, requestId, log, onBroken);
    };

    const finish = (reply: Reply<ReplyBody>, isAtOnce: boolean): Response => {
      slot.end();
      const duration = performance.now() - startedAt;
      const hasLeft = !isAtOnce && request.signal.aborted;
      const status = hasLeft ? clientLeft : reply.status;
      count(name, status, duration / 1000);
      log[levelOf(handler, status, duration)]("request", {
        request_id: requestId,
        method: request.method,
        path: loggedPath(path ?? pathOf(request.url), endpoint.path),
        operation: name,
        status,
        duration_ms: Math.round(duration * 1000) / 1000,
        caller: seen.caller,
        organizational_unit_id: seen.unitId,
        peer,
      });
      const { body } = reply;
      if (!(body instanceof ReadableStream)) {
        return respond.withWhole(request.method, { ...reply, body }, headers);
      }
      const fail = (error: unknown) => log.error("A stream broke.", { request_id: requestId, error: String(error) });
      return respond.withStream(request.method, { ...reply, body: sendStream(body, fail) }, headers);
    };

    let replied: Reply<ReplyBody> | Promise<Reply<ReplyBody>>;
    try {
      const { turn } = slot;
      const begin = () => (comesInChunks ? afterParsing(request).then(answer) : answer());
      replied = turn ? turn.then(begin) : begin();
    } catch (error) {
      replied = refused(error);
    }
    // A known answer is sent in the tick of its request: that is the quickest way through the runtime.
    if (!(replied instanceof Promise)) return finish(replied, true);
    return replied.catch(refused).then((reply) => finish(reply, false));
  };
}

/**
 * The log level of a request: `info` has what an operator reads, which is failures, slow requests, sign-ins and changes of accounts.
 * Reports are not slow: their answers may be held back on purpose.
 */
function levelOf(
  handler: Pick<Handler, "kind" | "isLogged"> | undefined,
  status: number,
  duration: number,
): "debug" | "info" | "warn" {
  // Readiness logs its own changes.
  if (status === clientLeft || handler?.kind === "probe") return "debug";
  if (status >= 500) return "warn";
  const isSlow = duration >= slowRequestMs && handler?.kind !== "report";
  return isSlow || handler?.isLogged ? "info" : "debug";
}

/** True if something could not go on because the client has left: the runtime ends what still reads from it. */
function isOfLeaving(error: unknown, { signal }: Request): boolean {
  return error instanceof Error && error.name === "AbortError" && signal.aborted;
}

/** Handler of a method. A path that does not exist has the same answer for all of them. */
function handlerOf<Parts>({ path, methods }: Endpoint<Parts>, method: string): Handler<Parts> | undefined {
  if (path === "*" || method === "HEAD") return methods.GET;
  return isMethod(method) ? methods[method] : undefined;
}

function isMethod(method: string): method is Method {
  return ["GET", "POST", "PATCH", "DELETE"].includes(method);
}

/** Answers OPTIONS and refuses the other methods that a path does not have. */
function methodReply({ methods }: Pick<Endpoint, "methods">, method: string): Reply {
  const known = Object.keys(methods).flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one]));
  const allow = { Allow: [...known, "OPTIONS"].join(", ") };
  if (method === "OPTIONS") return { status: 204, headers: allow, body: null };
  throw refuse("methodNotAllowed", `This path does not take ${method}. Use ${known.join(", ")}.`, allow);
}
