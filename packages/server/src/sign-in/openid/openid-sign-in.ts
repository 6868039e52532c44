import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { isEmail } from "@holdfast/api/conventions/email";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { sessionHash } from "../../access/sessions";
import { recordEvent } from "../../audit/record-event";
import type { Queries } from "../../database/database";
import { createUser } from "../../resources/users/store";
import { findAccount, findAccountByEmail } from "../accounts";
import { countRefusedSignIn } from "../count-refused-sign-in";
import { type ClientInfo, noteRefusedAccountAction } from "../record-account-action";
import { challenge, requireRoleSomewhere, type StartedSession, signInFailed, startSession } from "../sign-in";
import type { SignInParts } from "../sign-in-parts";
import { findKnown, linkIdentity } from "./link-identity";
import type { Identity, OpenId, PendingSignIn } from "./openid";
import { findGroupRights, type GroupRights, synchroniseGroups } from "./synchronise-groups";

const operation = "openid-sign-in";
/** A sign-in that a browser has begun. */
export interface BegunSignIn extends PendingSignIn {
  /** True if it was begun from here, and not from a page of another site. */
  beganHere: boolean;
}

/** A browser that comes back from the OpenID provider. */
export interface Returning {
  /** Query that the provider has sent along. */
  query: string;
  /** Value that the browser has kept since it began; nothing where it did not begin, or too long ago. */
  pending: BegunSignIn | undefined;
  /** The cookie of a session that it had before. */
  former: string | undefined;
}

/** Signs in a person from the OpenID provider, and synchronises the roles of their groups. */
export async function signInWithOpenId(
  parts: SignInParts,
  openId: OpenId,
  { query, pending, former }: Returning,
  client: ClientInfo,
): Promise<StartedSession> {
  const { database, sessions } = parts;
  let userId: string | undefined;
  try {
    if (!pending) {
      throw refuse("signInFailed", "This sign-in was begun elsewhere or too long ago. Begin again.", challenge);
    }
    const { beganHere } = pending;
    const identity = await openId.finish(query, pending);
    // On its own: roles that the groups have removed stay removed, even if the sign-in is refused then.
    const id = await database.change(async (db) => {
      const rights = await findGroupRights(db, parts, identity.groups);
      const known = await findKnown(db, identity);
      userId = known?.account.id;
      if (known && known.account.is_enabled !== 1) throw signInFailed();
      if (known && !known.isLinked) {
        await linkIdentity(db, parts, known.account, identity, { former, beganHere, client });
      }
      const id = known?.account.id ?? (await create(db, parts, identity, rights, client));
      await synchroniseGroups(db, parts, id, rights, client);
      return id;
    });
    userId = id;
    return await database.change(async (db) => {
      if ((await findAccount(db, id))?.is_enabled !== 1) throw signInFailed();
      await requireRoleSomewhere(db, id);
      if (former !== undefined) await sessions.end(db, sessionHash(former));
      return startSession(db, parts, id, client, { operation, after: { issuer: identity.issuer } });
    });
  } catch (error) {
    if (error instanceof ApiError) {
      countRefusedSignIn(parts.metrics, "openid", error);
      noteRefusedAccountAction(parts, client, { operation, userId, reason: error.faults[0].name });
    }
    throw error;
  }
}

/** Creates a user for a person whose groups have a role here, and gives the id. */
async function create(
  db: Queries,
  { sealer, clock }: Pick<SignInParts, "sealer" | "clock">,
  { issuer, subject, email, isEmailVerified, fullName }: Identity,
  { wanted }: GroupRights,
  { address, requestId }: ClientInfo,
): Promise<string> {
  if (wanted.length === 0) {
    throw refuse("accessEnded", "Your groups give you no role here. Ask an administrator for one.", challenge);
  }
  if (email === undefined || !isEmail(email) || !isEmailVerified || (await findAccountByEmail(db, email))) {
    throw refuse(
      "signInFailed",
      "The OpenID provider has to vouch for your e-mail address. Have it confirmed.",
      challenge,
    );
  }
  const now = clock();
  const name = cleanLine(fullName ?? "", textLimits.name) || cleanLine(email, textLimits.name);
  const id = await createUser(db, {
    email,
    fullName: name,
    isConfirmed: true,
    isEnabled: true,
    inviterId: null,
    createdAt: now,
  });
  await db.insertInto("identities").values({ issuer, subject, user_id: id, created_at: now }).execute();
  await recordEvent(db, sealer, {
    at: now,
    actor: { kind: "user", user_id: id, token_id: null, address },
    operation: "create-user",
    object: { type: "user", id },
    unitId: rootUnitId,
    requestId,
    result: "done",
    after: { email, full_name: name, issuer },
  });
  return id;
}
