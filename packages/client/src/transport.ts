import { errorOfAnswer, HoldfastError } from "./error";
import { noAnswerReason } from "./no-answer";
import { backOff, wait } from "./wait";

/**
 * Options of a call, if they differ from those of the client.
 * @example
 * import { type CallOptions } from "@holdfast/client";
 *
 * const options: CallOptions = { signal: AbortSignal.timeout(10_000), retries: 0 };
 * await holdfast.caller.read(options);
 */
export interface CallOptions {
  /** Ends the call: it throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Number of retries of a call that may be repeated. */
  retries?: number | undefined;
}

/** A request below the base URL. */
export interface OutgoingRequest extends CallOptions {
  method: string;
  /** Path and query. */
  href: string;
  headers?: Record<string, string> | undefined;
  /** Is sent as JSON. */
  body?: unknown;
  /** True if it does no harm if it arrives twice. */
  isRepeatable: boolean;
}

/**
 * An answer, and the text of it.
 * @example
 * import { type Answer } from "@holdfast/client";
 *
 * const answer: Answer = await holdfast.request("/healthz");
 * console.log(answer.response.status, answer.text);
 */
export interface Answer {
  response: Response;
  text: string;
}

/**
 * Function that makes requests: the `fetch` that runtimes have.
 * @example
 * import { connect, type Fetch } from "@holdfast/client";
 *
 * const loggingFetch: Fetch = (url, init) => {
 *   console.log(init.method, url);
 *   return fetch(url, init);
 * };
 * await connect({ token, fetch: loggingFetch }).caller.read();
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  baseUrl: string;
  /** The bearer token; none where a session is used. */
  token: string | undefined;
  timeoutMs: number;
  retries: number;
  fetch: Fetch;
}

export interface Transport {
  /** Sends a request, again where that is safe, and reads the whole answer. */
  send(request: OutgoingRequest): Promise<Answer>;
  /** Sends a request once and leaves the answer to be read. From then on the signal is the reader's to heed. */
  open(request: OutgoingRequest): Promise<Response>;
}

/** Statuses of a service that is away, or of a proxy before it. */
const awayStatuses = [502, 503, 504];
/** A service that asks for longer is not waited for, in seconds. */
const maxRetryAfterSeconds = 60;
const maxPauseMs = 8_000;
const itemUnknown = 40402;

/** Makes what all calls go through: token, time limits, retries, and errors of one class. */
export function createTransport({ baseUrl, token, timeoutMs, retries, fetch }: TransportOptions): Transport {
  async function fetchOnce<Result>(request: OutgoingRequest, read: (response: Response) => Promise<Result>) {
    const { method, href, headers, body, isRepeatable, signal } = request;
    const milliseconds = request.timeoutMs ?? timeoutMs;
    const stop = new AbortController();
    // A signal may outlive a million calls, so none of them leaves anything at it, as AbortSignal.any does.
    const forward = () => stop.abort(signal?.reason);
    let isLate = false;
    const timeout = setTimeout(() => {
      isLate = true;
      stop.abort();
    }, milliseconds);
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", forward, { once: true });
      const response = await fetch(`${baseUrl}${href}`, {
        method: method.toUpperCase(),
        headers: {
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "error",
        // A token is all that counts: a session in the same browser has no part in the call.
        credentials: token === undefined ? "same-origin" : "omit",
        // Bun sends a request again by itself when a connection breaks that it has used before, unless it takes a new one.
        ...(isRepeatable && method !== "delete" ? {} : { keepalive: false }),
        signal: stop.signal,
      });
      if (!response.ok) throw errorOfAnswer(response, await response.text());
      return await read(response);
    } catch (error) {
      if (error instanceof HoldfastError) throw error;
      signal?.throwIfAborted();
      const what = isLate
        ? `did not answer within ${milliseconds / 1000} s. Check the address, the network, and whether the service runs.`
        : noAnswerReason(error);
      throw noAnswer(`${baseUrl} ${what}`, error);
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", forward);
    }
  }

  return {
    async send(request) {
      const maxAttempts = request.retries ?? retries;
      let mayBeDone = false;
      for (let tries = 0; ; tries++) {
        try {
          return await fetchOnce(request, async (response) => ({ response, text: await response.text() }));
        } catch (error) {
          if (mayBeDone && isGone(error, request)) return { response: new Response(null, { status: 204 }), text: "" };
          if (tries >= maxAttempts || !isWorthRepeating(error, request)) throw error;
          mayBeDone ||= error.status !== 429;
          await wait(pauseAfter(error, tries), request.signal);
        }
      }
    },
    open: (request) => fetchOnce(request, async (response) => response),
  };
}

/** True if a call is tried again: after a refusal that came before any work, or where nothing is done twice. */
function isWorthRepeating(error: unknown, { isRepeatable }: OutgoingRequest): error is HoldfastError {
  if (!(error instanceof HoldfastError) || (error.retryAfter ?? 0) > maxRetryAfterSeconds) return false;
  return error.status === 429 || (isRepeatable && isAway(error));
}

/** True if something is gone that was to be deleted, as after a try whose answer was lost. */
function isGone(error: unknown, { method }: OutgoingRequest): boolean {
  return method === "delete" && error instanceof HoldfastError && error.codes.includes(itemUnknown);
}

/** True if the service could not be reached, or says that it cannot answer now. */
export function isAway({ status }: HoldfastError): boolean {
  return status === 0 || awayStatuses.includes(status);
}

/** Delay before the next attempt, in milliseconds: as long as the service asks for, or longer each time. */
export function pauseAfter({ retryAfter }: HoldfastError, tries: number): number {
  return Math.max((retryAfter ?? 0) * 1000 * (1 + Math.random() / 5), backOff(tries, maxPauseMs));
}

function noAnswer(message: string, cause: unknown): HoldfastError {
  return new HoldfastError({ status: 0, faults: [{ error_code: 0, error_message: message }], cause });
}
