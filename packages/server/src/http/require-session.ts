import { refuse } from "@holdfast/api/conventions/api-error";
import type { Database } from "../database/database";
import type { ClientInfo } from "../sign-in/record-account-action";
import { type FindSessionParts, type FoundSession, findSession } from "./authenticate";
import type { Exchange } from "./endpoint";
import type { CountCallerParts } from "./identify-request";

/** Parts that requiring a session needs. */
export interface RequireSessionParts extends FindSessionParts, CountCallerParts {
  database: Database;
}

/** Requires a session, for paths that do not accept tokens. */
export async function requireSession(exchange: Exchange<RequireSessionParts>): Promise<FoundSession> {
  const { parts, request, peer, headers: sent } = exchange;
  const dataVersions = await parts.database.dataVersions();
  const session = request.headers.has("authorization") ? undefined : await findSession(exchange, dataVersions);
  if (!session) {
    throw refuse("sessionMissing", "You are not signed in. Sign in with POST /session.", {
      "WWW-Authenticate": 'Bearer realm="holdfast"',
    });
  }
  exchange.slot.charge(session.caller.limitedAs);
  Object.assign(sent, parts.limitRate(session.caller));
  await exchange.slot.requeue();
  parts.tokenUse.note(session.caller, { address: peer, client: request.headers.get("user-agent") });
  return session;
}

/** The client of a request, for the audit trail of sign-ins. */
export function clientInfoOf({ request, peer, requestId }: Exchange): ClientInfo {
  return { address: peer, client: request.headers.get("user-agent"), requestId };
}
