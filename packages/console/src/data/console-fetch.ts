import { noteAway, noteRateLimit } from "./connection";
import { waitForSignIn } from "./session-gate";

/** Timeout until the answer of one attempt begins, in milliseconds. */
const attemptTimeoutMs = 30_000;
const awayStatuses = [502, 503, 504];
/** A filter that takes too long and a provider that is away say nothing of the service itself. */
const notAway = [50303, 50304];
const attemptsExceeded = 42902;
const maxWaitSeconds = 60;
const maxAttempts = 4;

/**
 * Makes all requests. An answer that the session has ended waits for the person to sign in again, one that asks
 * for a pause waits for that, and both are then sent once more. What is away is noted for the whole console.
 */
export async function consoleFetch(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetchOnce(url, init);
    if (response.ok || tries === maxAttempts) return response;
    if (response.status === 401) {
      const signedIn = waitForSignIn();
      if (!signedIn) return response;
      await orAborted(signedIn, init.signal);
      continue;
    }
    const pause = Number(response.headers.get("retry-after") ?? Number.NaN);
    const code = await codeOf(response);
    if (response.status === 429 && pause <= maxWaitSeconds && code !== attemptsExceeded) {
      noteRateLimit(Date.now() + pause * 1000);
      await orAborted(new Promise((resolve) => setTimeout(resolve, pause * 1000)), init.signal);
      continue;
    }
    if (awayStatuses.includes(response.status) && !notAway.includes(code)) noteAway();
    return response;
  }
}

async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const stop = new AbortController();
  const forward = () => stop.abort(init.signal?.reason);
  if (init.signal?.aborted) forward();
  init.signal?.addEventListener("abort", forward);
  const timeout = setTimeout(() => stop.abort(new Error("The answer takes too long.")), attemptTimeoutMs);
  try {
    return await fetch(url, { ...init, signal: stop.signal });
  } catch (error) {
    if (!init.signal?.aborted) noteAway();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

async function codeOf(response: Response): Promise<number> {
  try {
    const { errors }: { errors: { error_code: number }[] } = await response.clone().json();
    return errors[0]?.error_code ?? 0;
  } catch {
    return 0;
  }
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | null | undefined): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
