import { type Client, connect, HoldfastError } from "@holdfast/client";
import { setProbe } from "./connection";
import { consoleFetch } from "./console-fetch";
import { basePath } from "./page-facts";

/** Longer than any tab is open: `consoleFetch` limits each try itself, and waits for people in between. */
const noLimit = 2 ** 31 - 1;

/** Where the service is, as this browser reaches it. */
export const serviceUrl = `${location.origin}${basePath}`;

/** The client of the whole console, in the unit that the session begins in. */
export const service: Client = connect({
  baseUrl: serviceUrl,
  session: true,
  timeoutMs: noLimit,
  retries: 0,
  fetch: consoleFetch,
});

/** True if the service takes requests now. */
export async function isThere(): Promise<boolean> {
  try {
    return (await fetch(`${serviceUrl}/readyz`, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

setProbe(isThere);

/** True if an error has one of these codes of the service. */
export function hasCode(error: unknown, ...codes: number[]): error is HoldfastError {
  return error instanceof HoldfastError && error.codes.some((code) => codes.includes(code));
}

export function hasStatus(error: unknown, ...statuses: number[]): error is HoldfastError {
  return error instanceof HoldfastError && statuses.includes(error.status);
}
