import { refuse } from "@holdfast/api/conventions/api-error";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "../resources/organizational-units/store";
import { FieldChecks } from "../resources/texts";
import { isEmail } from "../resources/users/email";
import { createUser, grantRole, userNames } from "../resources/users/store";
import type { Service } from "../service";
import { findAccount, findAccountByEmail, updateAccount } from "./accounts";
import { hasOwner, voidFirstOwnerLinks } from "./first-owner";
import { findLink, useLink, voidLinks } from "./one-time-links";
import { checkPassword } from "./own-password";
import type { Visit } from "./record-visit";
import { type LetIn, letIn } from "./sign-in";

const longestName = 200;

/** Sets the password of somebody who was invited, and lets them in. */
export async function acceptInvitation(
  service: Service,
  given: { secret: string; password: string; full_name?: string | undefined },
  visit: Visit,
): Promise<LetIn> {
  const { database, passwords, clock } = service;
  // Looked at before anything is hashed; used up only together with what it is for.
  const invited = await database.snapshot(async (db) => {
    const link = await findLink(db, given.secret, "invitation", clock());
    return link?.user_id ? findAccount(db, link.user_id) : undefined;
  });
  if (invited?.is_enabled !== 1) throw linkInvalid();
  const checks = new FieldChecks();
  const fullName =
    given.full_name === undefined ? invited.full_name : checks.line("full_name", given.full_name, longestName);
  checkPassword(checks, given.password, { email: invited.email, fullName });
  checks.finish();
  const password_hash = await passwords.hash(given.password);
  return database.change(async (db) => {
    const link = await useLink(db, given.secret, "invitation", clock());
    const current = link?.user_id ? await findAccount(db, link.user_id) : undefined;
    if (current?.is_enabled !== 1) throw linkInvalid();
    await updateAccount(db, current.id, { password_hash, is_confirmed: 1 });
    await db.updateTable("users").set(userNames(fullName)).where("id", "=", current.id).execute();
    await voidLinks(db, current.id);
    return letIn(db, service, current.id, visit, "accept-invitation");
  });
}

/** Makes the first owner of whoever has the link that was printed when the service was started, and lets them in. */
export async function createFirstOwner(
  service: Service,
  given: { secret: string; email: string; full_name: string; password: string },
  visit: Visit,
): Promise<LetIn> {
  const { database, passwords, clock } = service;
  if (!(await database.snapshot((db) => findLink(db, given.secret, "first_owner", clock())))) throw linkInvalid();
  const checks = new FieldChecks();
  const email = given.email.trim();
  if (!isEmail(email)) checks.fail("email", "an e-mail address");
  const fullName = checks.line("full_name", given.full_name, longestName);
  checkPassword(checks, given.password, { email, fullName });
  checks.finish();
  const password_hash = await passwords.hash(given.password);
  return database.change(async (db) => {
    const now = clock();
    if (!(await useLink(db, given.secret, "first_owner", now)) || (await hasOwner(db))) throw linkInvalid();
    if (await findAccountByEmail(db, email)) {
      throw refuse("alreadyThere", "There is a user with that address already. Use another one.");
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
    return letIn(db, service, userId, visit, "create-first-owner", { email, full_name: fullName });
  });
}

function linkInvalid() {
  return refuse("linkInvalid", "This link was used, has expired or never was one. Ask for a new one.");
}
