import { createHmac, timingSafeEqual } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";

/** The CSRF token of a session: it is unknown without the cookie or our responses. */
export function csrfTokenOf(cookie: string): string {
  return createHmac("sha256", cookie).update("holdfast csrf token").digest("base64url");
}

/** Refuses a change that a session did not ask for by itself, but another site in its name. */
export function requireCsrfToken(headers: Headers, cookie: string): void {
  const [given, wanted] = [Buffer.from(headers.get("x-csrf-token") ?? ""), Buffer.from(csrfTokenOf(cookie))];
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw refuse("originForbidden", "Send the csrf_token of GET /session in the header X-CSRF-Token.");
}

/** Where a request was sent to: the base URL, and the Host that the request itself names and that was accepted. */
export interface SentTo {
  baseUrl: string;
  host: string;
}

/**
 * Refuses what a browser says comes from another site. Programs say nothing of the kind. A page may come from the base URL or,
 * by the same scheme, from the Host of the request: the service has several names where it is reached by its address, too.
 */
export function requireSameOrigin(headers: Headers, { baseUrl, host }: SentTo): void {
  const origin = headers.get("origin");
  const { origin: base, protocol } = new URL(baseUrl);
  const isOurs = origin === null || origin === base || origin === new URL(`${protocol}//${host}`).origin;
  const from = headers.get("sec-fetch-site") ?? "same-origin";
  if (isOurs && ["same-origin", "none"].includes(from)) return;
  throw refuse("originForbidden", `Send this from a page of ${baseUrl}: another site may not ask for it.`);
}
