import type { SessionAnswerOf } from "@holdfast/api/session/session-paths";
import type { Database } from "../database/database";
import { hasOwner } from "./first-owner";
import type { OpenId } from "./openid/openid";

/** Ways to sign in, for a page that asks before anyone has. */
export async function readSignInOptions(
  database: Database,
  openId: OpenId | undefined,
): Promise<SessionAnswerOf<"read-sign-in-options">> {
  return {
    password: true,
    openid: openId ? { name: openId.name, href: "/sign-in/oidc" } : null,
    has_owner: await database.snapshot(hasOwner),
  };
}
