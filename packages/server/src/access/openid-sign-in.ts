import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import type { Queries } from "../database/database";
import { recordEvent } from "../observe/audit/record-event";
import { rootUnitId, unitAndAbove } from "../resources/organizational-units/store";
import { isEmail } from "../resources/users/email";
import { createUser } from "../resources/users/store";
import type { Service } from "../service";
import { type Account, findAccount, findAccountByEmail, updateAccount } from "./accounts";
import type { GroupRole } from "./group-roles";
import { voidLinks } from "./one-time-links";
import type { Identity } from "./openid";
import { noteRefusedVisit, type Visit } from "./record-visit";
import { challenge, type LetIn, letIn, requireRoleSomewhere, signInFailed } from "./sign-in";

const operation = "openid-sign-in";
const longestName = 200;

/** A role in a unit that a group can have. */
interface Mapped {
  roleId: string;
  unitId: string;
}

/** Lets somebody in whom the OpenID provider has named, and gives and takes the roles that their groups have. */
export async function signInWithIdentity(service: Service, identity: Identity, visit: Visit): Promise<LetIn> {
  let userId: string | undefined;
  try {
    return await service.database.change(async (db) => {
      const mapped = await findMapped(db, service, service.groupRoles);
      const wanted = await findMapped(
        db,
        service,
        service.groupRoles.filter(({ group }) => identity.groups.includes(group)),
      );
      const account = (await findKnown(db, service, identity)) ?? (await create(db, service, identity, wanted, visit));
      userId = account.id;
      if (account.is_enabled !== 1) throw signInFailed();
      const changed = await synchronise(db, account.id, mapped, wanted);
      await requireRoleSomewhere(db, account.id);
      return letIn(db, service, account.id, visit, operation, { issuer: identity.issuer, ...changed });
    });
  } catch (error) {
    if (error instanceof ApiError) {
      noteRefusedVisit(service, visit, { operation, userId, reason: error.faults[0].name });
    }
    throw error;
  }
}

/** Finds who it is: by the provider's own name for them, or, the first time, by an address that the provider vouches for. */
async function findKnown(db: Queries, { clock }: Service, identity: Identity): Promise<Account | undefined> {
  const { issuer, subject, email, isEmailVerified } = identity;
  const linked = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (linked) return findAccount(db, linked.user_id);
  const account = email !== undefined && isEmailVerified ? await findAccountByEmail(db, email) : undefined;
  if (!account) return undefined;
  await db.insertInto("identities").values({ issuer, subject, user_id: account.id, created_at: clock() }).execute();
  if (account.is_confirmed !== 1) {
    await updateAccount(db, account.id, { is_confirmed: 1 });
    await voidLinks(db, account.id);
  }
  return account;
}

/** Makes a user of somebody whose groups have a role here. */
async function create(
  db: Queries,
  { sealer, clock }: Service,
  { issuer, subject, email, isEmailVerified, fullName }: Identity,
  wanted: readonly Mapped[],
  { address, requestId }: Visit,
): Promise<Account> {
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
  const name = (fullName ?? email)
    .replace(/\p{Cc}/gu, " ")
    .slice(0, longestName)
    .toWellFormed();
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
  const account = await findAccount(db, id);
  if (!account) throw new Error("A user who was just made is not there.");
  return account;
}

/** Gives the roles that the groups have, and takes those that the mapping names and the groups have not. No others. */
async function synchronise(db: Queries, userId: string, mapped: readonly Mapped[], wanted: readonly Mapped[]) {
  const held = await db
    .selectFrom("role_grants")
    .select(["role_id as roleId", "organizational_unit_id as unitId"])
    .where("user_id", "=", userId)
    .execute();
  const granted = wanted.filter((one) => !includes(held, one));
  const surplus = held.filter((one) => includes(mapped, one) && !includes(wanted, one));
  const revoked: Mapped[] = [];
  for (const { roleId, unitId } of granted) {
    await db
      .insertInto("role_grants")
      .values({ user_id: userId, role_id: roleId, organizational_unit_id: unitId })
      .execute();
  }
  for (const { roleId, unitId } of surplus) {
    // A mapping that was mistyped must not lock everybody out.
    if (roleId === defaultRoles.owner.id && unitId === rootUnitId && (await isOnlyOwner(db, userId))) continue;
    await db
      .deleteFrom("role_grants")
      .where("user_id", "=", userId)
      .where("role_id", "=", roleId)
      .where("organizational_unit_id", "=", unitId)
      .execute();
    revoked.push({ roleId, unitId });
  }
  return { granted: granted.map(told), revoked: revoked.map(told) };
}

async function isOnlyOwner(db: Queries, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom("role_grants")
    .innerJoin("users", "users.id", "role_grants.user_id")
    .select("user_id")
    .where("role_id", "=", defaultRoles.owner.id)
    .where("organizational_unit_id", "=", rootUnitId)
    .where("is_enabled", "=", 1)
    .where("user_id", "!=", userId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/** Finds what the mapping names. What there is not, or cannot be held in that unit, is said in the log and left out. */
async function findMapped(db: Queries, { log }: Service, groupRoles: readonly GroupRole[]): Promise<Mapped[]> {
  const found: Mapped[] = [];
  for (const { group, role, unitId } of groupRoles) {
    const above = await unitAndAbove(db, unitId);
    const row = await db
      .selectFrom("roles")
      .select(["id", "organizational_unit_id"])
      .where((eb) => eb.or([eb("id", "=", role), eb.and([eb("name_lower", "=", role), eb("is_default", "=", 1)])]))
      .executeTakeFirst();
    if (!row || !above.includes(row.organizational_unit_id)) {
      log.warn("The setting oidc_group_roles names a role or a unit that there is not.", {
        detail: `${group}=${role}@${unitId}`,
      });
    } else if (!includes(found, { roleId: row.id, unitId })) found.push({ roleId: row.id, unitId });
  }
  return found;
}

function includes(list: readonly Mapped[], { roleId, unitId }: Mapped): boolean {
  return list.some((one) => one.roleId === roleId && one.unitId === unitId);
}

function told({ roleId, unitId }: Mapped) {
  return { role_id: roleId, organizational_unit_id: unitId };
}
