import { ApiError, refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { isEmail } from "@holdfast/api/conventions/email";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { findLink, useLink, voidLinks, voidLinkText } from "../access/one-time-links";
import { topUnit } from "../access/unit-paths";
import type { Queries } from "../database/database";
import { createUser, grantRole, userNames } from "../resources/users/store";
import { findAccount, findAccountByEmail, updateAccount } from "./accounts";
import { forgetAddresses } from "./familiar-addresses";
import { hasOwner, voidFirstOwnerLinks } from "./first-owner";
import { checkPassword } from "./own-password";
import { type ClientInfo, noteRefusedAccountAction, recordAccountAction } from "./record-account-action";
import { challenge, type StartedSession, startSession } from "./sign-in";
import type { SignInParts } from "./sign-in-parts";

/** Input of a person who accepts an invitation. */
interface GivenByInvited {
  secret: string;
  password: string;
  full_name?: string | undefined;
}

/** Input of the first owner. */
interface GivenByFirstOwner {
  secret: string;
  email: string;
  full_name: string;
  password: string;
}

/** Body of a request that checks a link. */
interface GivenToCheck {
  secret: string;
  purpose: "invitation" | "first_owner";
}

const operations = { invitation: "accept-invitation", first_owner: "create-first-owner" } as const;

/** Checks if a link can be used, without using it up. The audit trail has an invalid one, as if it had been followed. */
export async function checkLink(
  parts: Pick<SignInParts, "database" | "refusals" | "clock">,
  given: GivenToCheck,
  client: ClientInfo,
): Promise<boolean> {
  const { secret, purpose } = given;
  const isUsable = await parts.database.snapshot(async (db) =>
    purpose === "invitation"
      ? (await findInvited(db, secret, parts.clock())) !== undefined
      : (await findLink(db, secret, purpose, parts.clock())) !== undefined && !(await hasOwner(db)),
  );
  if (!isUsable) noteInvalidLink(parts, client, operations[purpose]);
  return isUsable;
}

/** The account that an invitation is for, if it can be used now. */
async function findInvited(db: Queries, secret: string, now: number) {
  const link = await findLink(db, secret, "invitation", now);
  const invited = link?.user_id ? await findAccount(db, link.user_id) : undefined;
  return invited?.is_enabled === 1 ? invited : undefined;
}

/** Sets the password of a user who was invited, or who has lost it, and signs them in. */
export function acceptInvitation(
  parts: SignInParts,
  given: GivenByInvited,
  client: ClientInfo,
): Promise<StartedSession> {
  const operation = operations.invitation;
  return noteBadLink(parts, client, operation, () => followInvitation(parts, given, client, operation));
}

/** Creates the first owner for the link that the start has printed, and signs them in. */
export function createFirstOwner(
  parts: SignInParts,
  given: GivenByFirstOwner,
  client: ClientInfo,
): Promise<StartedSession> {
  const operation = operations.first_owner;
  return noteBadLink(parts, client, operation, () => followFirstOwnerLink(parts, given, client, operation));
}

async function followInvitation(
  parts: SignInParts,
  given: GivenByInvited,
  client: ClientInfo,
  operation: string,
): Promise<StartedSession> {
  const { database, passwords, clock } = parts;
  // Looked at before anything is hashed; used up only together with what it is for.
  const invited = await database.snapshot((db) => findInvited(db, given.secret, clock()));
  if (!invited) throw linkInvalid();
  const checks = new FieldChecks();
  const fullName =
    given.full_name === undefined ? invited.full_name : checks.line("full_name", given.full_name, textLimits.name);
  checkPassword(checks, given.password, { email: invited.email, fullName });
  checks.finish();
  const password_hash = await passwords.hash(given.password);
  const entered = await database.change(async (db) => {
    const link = await useLink(db, given.secret, "invitation", clock());
    const current = link?.user_id ? await findAccount(db, link.user_id) : undefined;
    if (current?.is_enabled !== 1) throw linkInvalid();
    const { id: userId, is_confirmed } = current;
    // A confirmed user has lost the password, and may have lost the authenticator app with it.
    const lost = is_confirmed === 1 ? noOneTimeCodes : {};
    await db
      .updateTable("users")
      .set({ ...userNames(fullName), ...lost, password_hash, is_confirmed: 1 })
      .where("id", "=", userId)
      .execute();
    await voidLinks(db, userId);
    // Earlier sessions may not be those of the person who has the link.
    await parts.sessions.endAll(db, userId);
    await forgetAddresses(db, userId);
    const before = { full_name: current.full_name, is_confirmed: is_confirmed === 1 };
    const after = {
      full_name: fullName,
      is_confirmed: true,
      password: "set",
      ...(is_confirmed === 1 && current.totp_confirmed_at !== null ? { one_time_codes: "removed" } : {}),
    };
    const action = { operation, before, after };
    if ((await topUnit(db, userId)) !== undefined) return startSession(db, parts, userId, client, action);
    await recordAccountAction(db, parts, client, { ...action, userId });
    return undefined;
  });
  if (entered) return entered;
  throw refuse(
    "accessEnded",
    "Your password is set, but you hold no role here yet. Ask an administrator for one, then sign in.",
    challenge,
  );
}

async function followFirstOwnerLink(
  parts: SignInParts,
  given: GivenByFirstOwner,
  client: ClientInfo,
  operation: string,
): Promise<StartedSession> {
  const { database, passwords, clock } = parts;
  if (!(await database.snapshot((db) => findLink(db, given.secret, "first_owner", clock())))) throw linkInvalid();
  const checks = new FieldChecks();
  const email = given.email.trim();
  if (!isEmail(email)) checks.fail("email", "an e-mail address");
  const fullName = checks.line("full_name", given.full_name, textLimits.name);
  checkPassword(checks, given.password, { email, fullName });
  checks.finish();
  const password_hash = await passwords.hash(given.password);
  return database.change(async (db) => {
    const now = clock();
    if (!(await useLink(db, given.secret, "first_owner", now)) || (await hasOwner(db))) throw linkInvalid();
    if (await findAccountByEmail(db, email)) {
      throw refuseField("alreadyThere", "/email", "There is a user with that address already. Use another one.");
    }
    const userId = await createUser(db, {
      email,
      fullName,
      isConfirmed: true,
      isEnabled: true,
      inviterId: null,
      createdAt: now,
    });
    await updateAccount(db, userId, { password_hash });
    await grantRole(db, { userId, roleId: defaultRoles.owner.id, unitId: rootUnitId });
    await voidFirstOwnerLinks(db);
    return startSession(db, parts, userId, client, { operation, after: { email, full_name: fullName } });
  });
}

const noOneTimeCodes = {
  sealed_totp_secret: null,
  totp_confirmed_at: null,
  totp_last_step: null,
  recovery_codes: null,
};

/** Uses a link, and records an invalid one in the audit trail. */
async function noteBadLink(
  parts: Pick<SignInParts, "refusals" | "clock">,
  client: ClientInfo,
  operation: string,
  follow: () => Promise<StartedSession>,
): Promise<StartedSession> {
  try {
    return await follow();
  } catch (error) {
    if (error instanceof ApiError && error.faults[0].name === "linkInvalid") noteInvalidLink(parts, client, operation);
    throw error;
  }
}

function noteInvalidLink(parts: Pick<SignInParts, "refusals" | "clock">, client: ClientInfo, operation: string): void {
  noteRefusedAccountAction(parts, client, { operation, userId: undefined, reason: "linkInvalid" });
}

function linkInvalid() {
  return refuseField("linkInvalid", "/secret", voidLinkText);
}
