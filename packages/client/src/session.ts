import { HoldfastError } from "./error";
import type { Transport } from "./transport";
import { orAborted } from "./wait";

const originForbidden = 40304;

/** Adds the CSRF token of a session to every change. The session itself is a cookie, which the browser sends. */
export function withSession(transport: Transport): Transport {
  let kept: Promise<string | undefined> | undefined;

  /** Before anyone has signed in there is no token: then the request goes without, as that which signs in has to. */
  async function fetchCsrfToken(): Promise<string | undefined> {
    try {
      const { text } = await transport.send({ method: "get", href: "/session", isRepeatable: true });
      const { csrf_token }: { csrf_token: string } = JSON.parse(text);
      return csrf_token;
    } catch (error) {
      if (error instanceof HoldfastError && error.status === 401) return undefined;
      throw error;
    }
  }

  async function readCsrfToken(signal: AbortSignal | undefined): Promise<string | undefined> {
    kept ??= fetchCsrfToken();
    const reading = kept;
    const forget = () => {
      if (kept === reading) kept = undefined;
    };
    reading.then((token) => token ?? forget(), forget);
    return orAborted(reading, signal);
  }

  return {
    open: transport.open,
    async send(request) {
      if (request.method === "get") return transport.send(request);
      const send = async () => {
        const csrfToken = await readCsrfToken(request.signal);
        const headers = { ...request.headers, ...(csrfToken === undefined ? {} : { "X-CSRF-Token": csrfToken }) };
        return transport.send({ ...request, headers });
      };
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof HoldfastError) || !error.codes.includes(originForbidden)) throw error;
        // Another tab has signed in again: the token of that session counts now. Nothing was done, so it is safe to repeat.
        kept = undefined;
        return send();
      }
    },
  };
}
