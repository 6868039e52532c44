import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import type { SessionView } from "@holdfast/api/session/session-paths";
import { topUnit } from "../access/unit-paths";
import type { Queries } from "../database/database";
import { type Account, findAccount, findAccountByEmail } from "./accounts";
import { countRefusedSignIn } from "./count-refused-sign-in";
import { isFamiliar, noteAddress } from "./familiar-addresses";
import { presentSession } from "./present-session";
import {
  type AccountAction,
  type ClientInfo,
  noteRefusedAccountAction,
  recordAccountAction,
} from "./record-account-action";
import { takeCode } from "./second-factor";
import { compareInLimits, signInAttempt } from "./sign-in-limits";
import type { SignInParts } from "./sign-in-parts";

/** The credentials of a sign-in. */
export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
}

/** A person who has just signed in: the cookie for the browser, and what is shown. */
export interface StartedSession {
  cookie: string;
  view: SessionView;
}

/** Signs a person in, or refuses: alike, and after the same time, whether or not there is such an account. */
export async function signIn(
  parts: SignInParts,
  { email, password, code }: Credentials,
  client: ClientInfo,
): Promise<StartedSession> {
  const { database, passwords, clock } = parts;
  const { address } = client;
  const { account, isKnownHere } = await database.snapshot(async (db) => {
    const account = await findAccountByEmail(db, email);
    return { account, isKnownHere: await isFamiliar(db, { userId: account?.id, address }, clock()) };
  });
  try {
    const entered = await compareInLimits(parts, signInAttempt({ account: email, address }), async (attempt) => {
      // Who is held up is compared with no account's hash. That takes as long, so time does not show whose address is known.
      const isCompared = account?.is_enabled === 1 && (isKnownHere || !attempt.heldUp);
      const isRight = await passwords.isRight(password, isCompared ? account.password_hash : null);
      if (!account || !isRight) return undefined;
      if (account.totp_confirmed_at !== null && (code === undefined || code.trim() === "")) {
        throw refuse("codeMissing", "Send the code that your authenticator app shows, or a recovery code.", challenge);
      }
      return database.change(async (db) => {
        if (!(await isStillRight(db, parts, account, code ?? ""))) return undefined;
        await requireRoleSomewhere(db, account.id);
        await attempt.forget(db);
        return startSession(db, parts, account.id, client, { operation: "sign-in" });
      });
    });
    if (!entered) throw signInFailed();
    return entered;
  } catch (error) {
    // Also where only the code is missing: that is all that shows of a password in the wrong hands.
    if (error instanceof ApiError) {
      countRefusedSignIn(parts.metrics, "password", error);
      noteRefusedAccountAction(parts, client, {
        operation: "sign-in",
        userId: account?.id,
        reason: error.faults[0].name,
      });
    }
    throw error;
  }
}

/** Begins a session for an authenticated user, and records it in the audit trail. */
export async function startSession(
  db: Queries,
  parts: Pick<SignInParts, "sessions" | "sealer" | "clock">,
  userId: string,
  client: ClientInfo,
  action: Omit<AccountAction, "userId">,
): Promise<StartedSession> {
  const session = await parts.sessions.begin(db, userId, client);
  await db.updateTable("users").set({ last_active_at: parts.clock() }).where("id", "=", userId).execute();
  await noteAddress(db, userId, client.address, parts.clock());
  await recordAccountAction(db, parts, client, { ...action, userId });
  return { cookie: session.cookie, view: await presentSession(db, userId, session) };
}

/** Refuses an authenticated user without any role. */
export async function requireRoleSomewhere(db: Queries, userId: string): Promise<void> {
  if ((await topUnit(db, userId)) !== undefined) return;
  throw refuse("accessEnded", "You hold no role here. Ask an administrator for one.", challenge);
}

/** The one answer for an unknown address, a wrong password and a wrong code. */
export function signInFailed(): ApiError {
  return refuse("signInFailed", "The address, the password or the one-time code is wrong. Try again.", challenge);
}

/** Headers that a 401 must have, by its definition. Browsers ask for nothing because of it. */
export const challenge = { "WWW-Authenticate": 'Bearer realm="holdfast"' };

/** The password was checked outside of this transaction: what has changed since then counts. */
async function isStillRight(
  db: Queries,
  { sealer, clock }: Pick<SignInParts, "sealer" | "clock">,
  account: Account,
  code: string,
): Promise<boolean> {
  const current = await findAccount(db, account.id);
  if (current?.is_enabled !== 1 || current.password_hash !== account.password_hash) return false;
  return current.totp_confirmed_at === null || takeCode(db, sealer, current, code, clock());
}
