import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import type { Session } from "../access/sessions";
import { type Account, findAccount, updateAccount } from "./accounts";
import { forgetAddresses } from "./familiar-addresses";
import { isSamePassword } from "./password";
import { passwordFault } from "./password-rules";
import { type ClientInfo, noteRefusedAccountAction, recordAccountAction } from "./record-account-action";
import { compareInLimits, sessionAttempt } from "./sign-in-limits";
import type { SignInParts } from "./sign-in-parts";

/**
 * Requires the password of the user of an open session, before a change that outlasts the
 * session. Trying is limited as it is for signing in, but for each session on its own: failures elsewhere do not hold it up.
 */
export async function requireOwnPassword(
  parts: Pick<SignInParts, "database" | "passwords" | "refusals" | "clock">,
  { caller }: Session,
  { password, operation, field = "password" }: { password: string; operation: string; field?: string },
  client: ClientInfo,
): Promise<Account> {
  const { database, passwords } = parts;
  const account = await database.snapshot((db) => findAccount(db, caller.userId));
  if (!account || account.password_hash === null) {
    throw refuse(
      "stateConflict",
      "You have no password here. Passwords and one-time codes are a matter of the provider that you sign in with.",
    );
  }
  const { password_hash } = account;
  const shown = await compareInLimits(parts, sessionAttempt(caller.tokenId), async (attempt) => {
    if (!(await passwords.isRight(password, password_hash))) return undefined;
    await database.change((db) => attempt.forget(db));
    return account;
  });
  if (shown) return shown;
  noteRefusedAccountAction(parts, client, { operation, userId: account.id, reason: "signInFailed" });
  // Not 401: clients take that for the end of the session.
  const message = `The field "${field}" has to be the password that you sign in with now.`;
  throw refuseField("bodyInvalid", `/${field}`, message);
}

/** Changes the password of a user and ends all of their other sessions. */
export async function changePassword(
  parts: Pick<SignInParts, "database" | "passwords" | "sessions" | "refusals" | "sealer" | "clock">,
  session: Session,
  given: { current_password: string; password: string },
  client: ClientInfo,
): Promise<void> {
  const operation = "change-password";
  const current = { password: given.current_password, operation, field: "current_password" };
  const account = await requireOwnPassword(parts, session, current, client);
  const checks = new FieldChecks();
  checkPassword(checks, given.password, { email: account.email, fullName: account.full_name });
  if (isSamePassword(given.password, given.current_password)) checks.fail("password", "another one than before");
  checks.finish();
  const password_hash = await parts.passwords.hash(given.password);
  await parts.database.change(async (db) => {
    const { caller } = await parts.sessions.require(db, session.caller.tokenId);
    await updateAccount(db, caller.userId, { password_hash });
    await parts.sessions.endAll(db, caller.userId, caller.tokenId);
    await forgetAddresses(db, caller.userId, client.address);
    await recordAccountAction(db, parts, client, { operation, userId: caller.userId });
  });
}

/** Notes where a new password cannot be taken. */
export function checkPassword(checks: FieldChecks, password: string, owner: { email: string; fullName: string }): void {
  const fault = passwordFault(password, owner);
  if (fault !== undefined) checks.fail("password", fault);
}
