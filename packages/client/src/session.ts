import { HoldfastError } from "./error";
import type { OutgoingRequest, Transport } from "./transport";
import { orAborted } from "./wait";

const originForbidden = 40304;

/** Adds the CSRF token of a session to every change. The session itself is a cookie, which the browser sends. */
export function withSession(transport: Transport): Transport {
  let csrfToken: Promise<string> | undefined;

  async function readCsrfToken(): Promise<string> {
    const { text } = await transport.send({ method: "get", href: "/session", isRepeatable: true });
    const { csrf_token }: { csrf_token: string } = JSON.parse(text);
    return csrf_token;
  }

  async function change(request: OutgoingRequest) {
    csrfToken ??= readCsrfToken();
    try {
      const headers = { ...request.headers, "X-CSRF-Token": await orAborted(csrfToken, request.signal) };
      return await transport.send({ ...request, headers });
    } catch (error) {
      csrfToken = undefined;
      throw error;
    }
  }

  return {
    open: transport.open,
    async send(request) {
      if (request.method === "get") return transport.send(request);
      try {
        return await change(request);
      } catch (error) {
        // Another tab has signed in again: the token of that session counts now. Nothing was done, so it is safe to repeat.
        if (error instanceof HoldfastError && error.codes.includes(originForbidden)) return change(request);
        throw error;
      }
    },
  };
}
