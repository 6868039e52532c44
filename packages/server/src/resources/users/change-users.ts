import { randomUUID } from "node:crypto";
import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { isEmail } from "@holdfast/api/conventions/email";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { userBodies } from "@holdfast/api/resources/users";
import { z } from "zod";
import { canBeStored } from "../../lists/comparisons";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { grantsOf, watchUser } from "./audited-user";
import { applyPlan, planGrants, readWanted, requirePower, type UserGrant } from "./grants";
import { invite } from "./invite";
import { findUser, type UserRow } from "./list-users";
import { keepOwner } from "./owners";
import { presentUserV2 } from "./present";
import { createUser as addUser, setUserEnabled, userNames } from "./store";
import { readTimeZone } from "./time-zone";

export const createUser: ChangeImplementation = implementChange(userBodies.create, async (call, body) => {
  const { db, caller, now } = call;
  const checks = new FieldChecks();
  const email = body.email.trim();
  if (!isEmail(email)) checks.fail("email", "an address such as ada@example.org");
  const fullName = checks.line("full_name", body.full_name, textLimits.name);
  const wanted = readWanted(checks, body.access_control_configuration ?? []);
  checks.finish();
  const plan = await planGrants(call, wanted);
  await requirePlace(call, wanted);
  const id = randomUUID();
  const { isConfirmed = false } = call.actingFor;
  const tell = await watchUser(call, id, plan.add);
  await addUser(db, { id, email, fullName, isConfirmed, isEnabled: true, inviterId: caller.userId, createdAt: now });
  await applyPlan(db, id, plan);
  // Who counts as confirmed has nothing to accept.
  const once = isConfirmed ? {} : { once: { invitation_link: await invite(call, { id, email }) } };
  const row = await reread(call, id);
  return {
    ...(await tell()),
    object: { type: "user", id },
    body: write(row),
    ...once,
    location: `/users/${id}`,
  };
});

export const inviteUser: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requireUser(call);
  call.requireMatch(write(row));
  // The link is enough to become the user, so it is not for those who could not give all that the user holds.
  await requirePower(call, row.id);
  if (row.is_confirmed === 1 && call.caller.mayActForPeople !== true) {
    throw refuse("stateConflict", "This user has accepted an invitation already. There is nothing left to accept.");
  }
  if (row.is_enabled === 0) throw refuse("stateConflict", "This user is disabled. Enable the user first.");
  const tell = await watchUser(call, row.id, await grantsOf(call.db, row.id).execute());
  const { unitId, auditViews = [] } = await tell();
  return {
    unitId,
    auditViews: auditViews.map((sighting) => ({ unitId: sighting.unitId })),
    object: { type: "user", id: row.id },
    body: write(row),
    once: { invitation_link: await invite(call, row) },
    location: `/users/${row.id}`,
  };
});

export const updateUser: ChangeImplementation = implementChange(userBodies.update, async (call, body) => {
  const { db } = call;
  const row = await requireUser(call);
  call.requireMatch(write(row));
  const checks = new FieldChecks();
  const fullName =
    body.full_name === undefined ? row.full_name : checks.line("full_name", body.full_name, textLimits.name);
  const timeZone = body.time_zone === undefined ? row.time_zone : readTimeZone(checks, body.time_zone);
  const isEnabled = body.is_enabled ?? row.is_enabled === 1;
  const wanted = body.access_control_configuration && readWanted(checks, body.access_control_configuration);
  checks.finish();
  const isSwitched = isEnabled !== (row.is_enabled === 1);
  const isAboutAll = fullName !== row.full_name || timeZone !== row.time_zone || isSwitched;
  if (isAboutAll) await requirePower(call, row.id);
  const plan = wanted ? await planGrants(call, wanted, row.id) : { add: [], remove: [] };
  const all = isAboutAll ? await grantsOf(db, row.id).execute() : [];
  const tell = await watchUser(call, row.id, [...all, ...plan.add, ...plan.remove]);
  await keepOwner(db, async () => {
    await db
      .updateTable("users")
      .set({ ...userNames(fullName), time_zone: timeZone })
      .where("id", "=", row.id)
      .execute();
    if (isSwitched) await setUserEnabled(db, row.id, isEnabled);
    await applyPlan(db, row.id, plan);
  });
  const changed = await reread(call, row.id);
  return { ...(await tell()), object: { type: "user", id: row.id }, body: write(changed) };
});

export const deleteUser: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const { db } = call;
  const row = await requireUser(call);
  call.requireMatch(write(row));
  await requirePower(call, row.id);
  const tell = await watchUser(call, row.id, await grantsOf(db, row.id).execute());
  await keepOwner(db, async () => {
    await db.deleteFrom("users").where("id", "=", row.id).execute();
  });
  return { ...(await tell()), object: { type: "user", id: row.id } };
});

/** The user, if the unit that is acted in has them, with the roles that the caller may see. */
async function requireUser({ db, scope, variables }: ChangeCall): Promise<UserRow> {
  const id = canonicalId(variableOf(variables, "user_id"));
  const row = canBeStored(id) ? await findUser({ db }, { ...scope, permission: "users:read" }, id) : undefined;
  if (!row) throw refuse("itemUnknown", "There is no such user, or you may not see it.");
  return row;
}

/** The user after a change, also where the unit that is acted in no longer has them. */
async function reread({ db, scope }: ChangeCall, id: string): Promise<UserRow> {
  const row = await findUser({ db }, { ...scope, unitId: rootUnitId, permission: "users:read" }, id);
  if (!row) throw new Error("A user who was just written is not there.");
  return row;
}

function write(row: UserRow): string {
  return JSON.stringify(presentUserV2(row));
}

/** A user without a role is listed in the root alone, so elsewhere the caller could not see the invited user. */
async function requirePlace({ db, scope }: ChangeCall, wanted: readonly UserGrant[]): Promise<void> {
  if (scope.unitId === rootUnitId) return;
  const place = await db
    .selectFrom("organizational_unit_paths")
    .select("unit_id")
    .where("ancestor_id", "=", scope.unitId)
    .where("unit_id", "in", ["", ...wanted.map((grant) => grant.organizational_unit_id)])
    .limit(1)
    .executeTakeFirst();
  if (place) return;
  throw refuseField(
    "bodyInvalid",
    "/access_control_configuration",
    'The field "access_control_configuration" has to give a role in the organizational unit that you act in, or below it.',
  );
}
