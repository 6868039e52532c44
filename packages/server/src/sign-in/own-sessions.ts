import { refuse } from "@holdfast/api/conventions/api-error";
import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { OwnSession, SessionAnswerOf } from "@holdfast/api/session/session-paths";
import { type KeptSession, type Session, sessionId } from "../access/sessions";
import type { Queries } from "../database/database";
import { type ClientInfo, recordAccountAction } from "./record-account-action";
import type { SignInParts } from "./sign-in-parts";

/** No person has so many; a program that signs in again and again may. */
const maxShown = 1000;

/** The sessions of the user of a session, as one page. */
export async function listOwnSessions(
  db: Queries,
  { sessions }: Pick<SignInParts, "sessions">,
  { caller }: Session,
): Promise<SessionAnswerOf<"list-sessions">> {
  const all = await sessions.list(db, caller.userId);
  const items = all.slice(0, maxShown).map((kept) => present(kept, caller.tokenId));
  const self = getLink("/sessions");
  return {
    _embedded: { items },
    _links: { self, first: self, last: self },
    current_count: items.length,
    total_count: all.length,
    start: "1",
    total_pages_count: 1,
    limit: maxShown,
    filter_applied: null,
  };
}

/** Ends one session of the user of a session, and tells whether it is that very session. */
export async function endOwnSession(
  parts: Pick<SignInParts, "database" | "sessions" | "sealer" | "clock">,
  session: Session,
  id: string,
  client: ClientInfo,
): Promise<boolean> {
  return parts.database.change(async (db) => {
    const { caller } = await parts.sessions.require(db, session.caller.tokenId);
    const kept = (await parts.sessions.list(db, caller.userId)).find(({ hash }) => sessionId(hash) === id);
    // The sessions of other people answer like those that do not exist.
    if (!kept) throw refuse("itemUnknown", "There is no such session of yours. It may have ended.");
    await parts.sessions.end(db, kept.hash);
    const { is_current, ...before } = present(kept, caller.tokenId);
    await recordAccountAction(db, parts, client, { operation: "end-session", userId: caller.userId, before });
    return is_current;
  });
}

function present({ hash, created_at, used_at, address, client }: KeptSession, current: string): OwnSession {
  return {
    id: sessionId(hash),
    created_timestamp: formatTimestamp(created_at),
    last_used_timestamp: formatTimestamp(used_at),
    address,
    client,
    is_current: hash === current,
  };
}
