import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import type { Caller } from "../access/caller";
import { requireCsrfToken, requireSameOrigin } from "../access/csrf";
import type { Session, Sessions } from "../access/sessions";
import type { CheckToken } from "../access/tokens/check-token";
import { actorOf } from "../audit/actor-of";
import type { DataVersions } from "../database/database";
import { readCookie } from "./cookies";
import type { Exchange } from "./endpoint";

/** A session, and the cookie that it was found by. */
export interface FoundSession extends Session {
  cookie: string;
}

/** Parts that finding a session needs. */
export interface FindSessionParts {
  baseUrl: string;
  sessions: Sessions;
}

/** Parts that identifying a caller needs. */
export interface AuthenticateParts extends FindSessionParts {
  checkToken: CheckToken;
}

const harmless = ["GET", "HEAD", "OPTIONS"];

/**
 * Finds out who makes a request. The Authorization header decides where there is one, else the session cookie. A token
 * counts only in that header, never in the address, and a session only in its cookie.
 */
export async function authenticate(exchange: Exchange<AuthenticateParts>, dataVersions: DataVersions): Promise<Caller> {
  const given = exchange.request.headers.get("authorization");
  const session = given === null ? await findSession(exchange, dataVersions) : undefined;
  if (session) return session.caller;
  // No token has a comma in it: this is what two headers look like when they were put together.
  if (given?.includes(",")) throw refuseField("headerRepeated", "Authorization", "Send the Authorization header once.");
  const token = /^bearer +([^ ]+) *$/i.exec(given ?? "")?.[1];
  if (token === undefined) {
    throw refuse("tokenMissing", "Send a token: Authorization: Bearer <token>.", {
      "WWW-Authenticate": 'Bearer realm="holdfast"',
    });
  }
  return exchange.parts.checkToken(token, dataVersions.access);
}

/** Finds the session of a request by its cookie. What changes something has to show that our own pages ask for it. */
export async function findSession(
  { parts, request, host, peer, seen }: Exchange<FindSessionParts>,
  dataVersions: DataVersions,
): Promise<FoundSession | undefined> {
  const { headers, method } = request;
  const cookie = readCookie(headers, "session", parts.baseUrl);
  if (cookie === undefined) return undefined;
  const session = await parts.sessions.check(cookie, dataVersions.sessions);
  // Noted first: what another site tries in a person's name is worth knowing, too.
  seen.caller = session.caller.tokenId;
  seen.actor = actorOf(peer, session.caller);
  if (!harmless.includes(method)) {
    requireSameOrigin(headers, { baseUrl: parts.baseUrl, host });
    requireCsrfToken(headers, cookie);
  }
  return { ...session, cookie };
}
