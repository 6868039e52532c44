import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../database/database";
import type { Service } from "../service";
import { type Account, findAccount, findAccountByEmail, updateAccount } from "./accounts";
import { voidLinks } from "./one-time-links";
import type { Identity } from "./openid";
import { recordVisit, type Visit } from "./record-visit";
import { sessionHash } from "./sessions";
import { challenge } from "./sign-in";

/** An account that is somebody's by what the provider says, and whether they have come to it before. */
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

/**
 * Links an account to whom the provider says somebody is. Whoever has used the account until now may be somebody else: who
 * made the invitation could have followed it. So all other ways into it end, unless the browser is signed in to it.
 */
export async function linkIdentity(
  db: Queries,
  service: Service,
  account: Account,
  { issuer, subject }: Identity,
  { former, visit }: { former: string | undefined; visit: Visit },
): Promise<void> {
  const isSignedIn = former !== undefined && (await isSessionOf(db, service, former, account.id));
  if (!isSignedIn) await refuseIfLinked(db, account.id, issuer);
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: account.id, created_at: service.clock() })
    .execute();
  const ended = isSignedIn ? nothing : await endOtherWays(db, account, service.clock());
  await updateAccount(db, account.id, { is_confirmed: 1 });
  await recordVisit(db, service, visit, {
    operation: "link-identity",
    userId: account.id,
    after: { issuer, ended },
  });
}

const nothing = { password: false, totp: false, sessions: 0, api_tokens: 0 };

/** Ends every way into an account but the provider's, and the tokens that the operator has made on the machine. */
async function endOtherWays(db: Queries, account: Account, now: number): Promise<typeof nothing> {
  await updateAccount(db, account.id, {
    password_hash: null,
    sealed_totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    recovery_codes: null,
  });
  await voidLinks(db, account.id);
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
    sessions: Number(sessions.numDeletedRows),
    api_tokens: Number(tokens.numUpdatedRows),
  };
}

/** Whether a cookie is that of a session of this very account, which has not ended. */
async function isSessionOf(db: Queries, { sessions }: Service, cookie: string, userId: string): Promise<boolean> {
  try {
    const { caller } = await sessions.require(db, sessionHash(cookie));
    return caller.userId === userId;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** An address can be given to somebody else at the provider. That does not give them what its former owner has here. */
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
    "The user with your address is somebody else at the OpenID provider. Ask an administrator to delete that user.",
    challenge,
  );
}

/** Users are told apart more coarsely: ß and ss are alike there, but they can be two mailboxes of two people. */
function isSameMailbox(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other.trim());
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
