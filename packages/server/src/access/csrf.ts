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

/** Refuses what a browser says comes from another site. Programs say nothing of the kind. */
export function requireSameOrigin(headers: Headers, baseUrl: string): void {
  const origin = headers.get("origin");
  const isOurs = origin === null || origin === new URL(baseUrl).origin;
  const from = headers.get("sec-fetch-site") ?? "same-origin";
  if (isOurs && ["same-origin", "none"].includes(from)) return;
  throw refuse("originForbidden", `Send this from a page of ${baseUrl}: another site may not ask for it.`);
}
