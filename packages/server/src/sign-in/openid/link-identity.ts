import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { voidLinks } from "../../access/one-time-links";
import { sessionHash } from "../../access/sessions";
import type { Queries } from "../../database/database";
import { type Account, findAccount, findAccountByEmail, updateAccount } from "../accounts";
import { forgetAddresses } from "../familiar-addresses";
import { type ClientInfo, recordAccountAction } from "../record-account-action";
import { challenge } from "../sign-in";
import type { SignInParts } from "../sign-in-parts";
import type { Identity } from "./openid";
import { isSameMailbox } from "./openid-claims";

/** The account of a person from the provider, and whether it was linked before. */
interface KnownAccount {
  account: Account;
  isLinked: boolean;
}

/** Finds who it is: by the provider's own name for them, or, the first time, by an address that the provider vouches for. */
export async function findKnown(db: Queries, identity: Identity): Promise<KnownAccount | undefined> {
  const { issuer, subject, email, isEmailVerified } = identity;
  const linked = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  const isLinked = linked !== undefined;
  if (!isLinked && (email === undefined || !isEmailVerified)) return undefined;
  const account = isLinked ? await findAccount(db, linked.user_id) : await findAccountByEmail(db, email ?? "");
  return account && (isLinked || isSameMailbox(account.email, email ?? "")) ? { account, isLinked } : undefined;
}

/** Beginning of the sign-in whose account is to be linked. */
interface Coming {
  /** The cookie of a session that the browser had before. */
  former: string | undefined;
  beganHere: boolean;
  client: ClientInfo;
}

/**
 * Links an account to a person at the provider. Until now another person may have used the account: the creator of the
 * invitation could have followed it. So all other credentials end. A session in the same browser makes no difference:
 * another person may have one, too, or may have planted the cookie.
 */
export async function linkIdentity(
  db: Queries,
  parts: Pick<SignInParts, "baseUrl" | "sessions" | "sealer" | "clock">,
  account: Account,
  { issuer, subject }: Identity,
  { former, beganHere, client }: Coming,
): Promise<void> {
  if (!beganHere) throw begunElsewhere(parts.baseUrl);
  const isSignedIn = former !== undefined && (await isSessionOf(db, parts, former, account.id));
  if (!isSignedIn) await refuseIfLinked(db, account.id, issuer);
  const ended = await endOtherWays(db, account, issuer, parts.clock());
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: account.id, created_at: parts.clock() })
    .execute();
  await updateAccount(db, account.id, { is_confirmed: 1 });
  await recordAccountAction(db, parts, client, {
    operation: "link-identity",
    userId: account.id,
    after: { issuer, ended },
  });
}

/** Another site can send a browser to us, and the provider may ask nothing: one click there must not end anything here. */
function begunElsewhere(baseUrl: string): ApiError {
  return refuse(
    "signInFailed",
    `The first time, begin here: type ${baseUrl}/sign-in/oidc into the browser, or go there from a page of ${baseUrl}.`,
    challenge,
  );
}

/**
 * Ends all credentials of an account, except the tokens that were created on the command line. Its former identity at this
 * provider ends, too: with a planted cookie, it is the identity of the attacker.
 */
async function endOtherWays(db: Queries, account: Account, issuer: string, now: number) {
  await updateAccount(db, account.id, {
    password_hash: null,
    sealed_totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    recovery_codes: null,
  });
  await voidLinks(db, account.id);
  await forgetAddresses(db, account.id);
  const identities = await db
    .deleteFrom("identities")
    .where("user_id", "=", account.id)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  const sessions = await db.deleteFrom("sessions").where("user_id", "=", account.id).executeTakeFirst();
  const tokens = await db
    .updateTable("api_tokens")
    .set({ revoked_at: now })
    .where("user_id", "=", account.id)
    .where("created_by", "is not", null)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return {
    password: account.password_hash !== null,
    totp: account.totp_confirmed_at !== null,
    identities: Number(identities.numDeletedRows),
    sessions: Number(sessions.numDeletedRows),
    api_tokens: Number(tokens.numUpdatedRows),
  };
}

/** True if a cookie is that of a session of this very account, which has not ended. */
async function isSessionOf(
  db: Queries,
  { sessions }: Pick<SignInParts, "sessions">,
  cookie: string,
  userId: string,
): Promise<boolean> {
  try {
    const { caller } = await sessions.require(db, sessionHash(cookie));
    return caller.userId === userId;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * An address can be given to another person at the provider. That does not give them the account of its former owner. A
 * person who is signed in to the account has it already, and links it to their new identity, which replaces the old one.
 */
async function refuseIfLinked(db: Queries, userId: string, issuer: string): Promise<void> {
  const other = await db
    .selectFrom("identities")
    .select("subject")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .limit(1)
    .executeTakeFirst();
  if (!other) return;
  throw refuse(
    "signInFailed",
    "The user with your address is linked to another person at the OpenID provider. Ask an administrator to delete that user.",
    challenge,
  );
}
