import { randomUUID } from "node:crypto";
import { quote, refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { permissions as offeredPermissions } from "@holdfast/api/conventions/permissions";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { roleBodies } from "@holdfast/api/resources/roles";
import { type SqlBool, sql } from "kysely";
import { z } from "zod";
import { requireHeld } from "../../access/grantable";
import { voidLinksOfHolders } from "../../access/one-time-links";
import { readPermissions } from "../../access/role-permissions";
import { isActive, retireEnded } from "../../access/tokens/active-tokens";
import type { Queries } from "../../database/database";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { type RoleRow, roleSource } from "./list-roles";
import { presentRoleV1 } from "./present";
import { roleNames } from "./store";

export const createRole: ChangeImplementation = implementChange(roleBodies.create, async (call, body) => {
  const { db, scope, now } = call;
  const checks = new FieldChecks();
  const names = roleNames(checks.line("name", body.name, textLimits.roleName));
  const description = readDescription(checks, body.description ?? "");
  const permissions = readWanted(checks, body.permissions, []);
  checks.finish();
  requireHeld(await call.permissionsIn(scope.unitId), readPermissions(JSON.stringify(permissions)));
  await refuseTakenName(db, scope.unitId, names.name_folded);
  const id = randomUUID();
  await db
    .insertInto("roles")
    .values({
      id,
      ...names,
      description,
      permissions: JSON.stringify(permissions),
      organizational_unit_id: scope.unitId,
      is_default: 0,
      created_at: now,
    })
    .execute();
  const after = await show(call, id);
  return { object: { type: "role", id }, after, body: JSON.stringify(after), location: `/roles/${id}` };
});

export const updateRole: ChangeImplementation = implementChange(roleBodies.update, async (call, body) => {
  const { db, scope } = call;
  const role = await requireOwnRole(call);
  const before = await show(call, role.id);
  call.requireMatch(JSON.stringify(before));
  const checks = new FieldChecks();
  const names = roleNames(body.name === undefined ? role.name : checks.line("name", body.name, textLimits.roleName));
  const description = body.description === undefined ? role.description : readDescription(checks, body.description);
  // As they are stored: another version may know more of them than this one, and a change of name takes none away.
  const stored = storedPermissions(role);
  const permissions = body.permissions === undefined ? stored : readWanted(checks, body.permissions, stored);
  checks.finish();
  // Callers who may not do all that the role allows, or is to allow, cannot change it.
  const held = await call.permissionsIn(scope.unitId);
  requireHeld(held, readPermissions(role.permissions));
  requireHeld(held, readPermissions(JSON.stringify(permissions)));
  await refuseTakenName(db, scope.unitId, names.name_folded, role.id);
  await db
    .updateTable("roles")
    .set({ ...names, description, permissions: JSON.stringify(permissions) })
    .where("id", "=", role.id)
    .execute();
  if (permissions.some((permission) => !stored.includes(permission))) {
    await voidLinksOfHolders(db, { roleId: role.id });
  }
  const after = await show(call, role.id);
  return { object: { type: "role", id: role.id }, before, after, body: JSON.stringify(after) };
});

export const deleteRole: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const { db, scope, now } = call;
  const role = await requireOwnRole(call);
  const before = await show(call, role.id);
  call.requireMatch(JSON.stringify(before));
  requireHeld(await call.permissionsIn(scope.unitId), readPermissions(role.permissions));
  const holder =
    (await db.selectFrom("role_grants").select("role_id").where("role_id", "=", role.id).executeTakeFirst()) ??
    (await db
      .selectFrom("api_tokens")
      .select("role_id")
      .where("role_id", "=", role.id)
      .where(isActive(now))
      .executeTakeFirst());
  if (holder) throw refuse("stillUsed", "Users or tokens hold this role. Take it away from them first.");
  await retireEnded(db, now, sql<SqlBool>`role_id = ${role.id}`, { role_id: null });
  await db.deleteFrom("roles").where("id", "=", role.id).execute();
  return { object: { type: "role", id: role.id }, before };
});

/** The role, if it was made in the very unit that is acted in and is none of the default ones. */
async function requireOwnRole({ db, scope, variables }: ChangeCall): Promise<RoleRow> {
  const role = await roleSource.find(db, scope, canonicalId(variableOf(variables, "role_id")));
  if (!role) throw refuse("itemUnknown", "There is no such role, or you may not see it.");
  if (role.is_default === 1) throw refuse("stateConflict", "A default role cannot be changed. Create one of your own.");
  if (role.organizational_unit_id !== scope.unitId) {
    throw refuse(
      "stateConflict",
      "This role belongs to another organizational unit. Act in the one that it was made in.",
    );
  }
  return role;
}

async function show({ db, scope }: ChangeCall, id: string) {
  const row = await roleSource.find(db, scope, id);
  if (!row) throw new Error("A role that was just written is not there.");
  return presentRoleV1(row);
}

/** A name stands for one role wherever it is usable, so none above or below may have it either. */
async function refuseTakenName(db: Queries, unitId: string, nameFolded: string, besides = ""): Promise<void> {
  const taken = await db
    .selectFrom("roles")
    .select("id")
    .where("name_folded", "=", nameFolded)
    .where("id", "!=", besides)
    .where((eb) =>
      eb.or([
        eb(
          "organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("ancestor_id").where("unit_id", "=", unitId),
        ),
        eb(
          "organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("unit_id").where("ancestor_id", "=", unitId),
        ),
      ]),
    )
    .executeTakeFirst();
  if (taken) throw refuseField("alreadyThere", "/name", "There is a role of that name already. Choose another name.");
}

/** The permissions that were sent: offered ones, and those that the role has had until now. */
function readWanted(checks: FieldChecks, names: readonly string[], had: readonly string[]): readonly string[] {
  const offered = Object.keys(offeredPermissions);
  const known = new Set([...offered, ...had]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined || new Set(names).size < names.length || names.length === 0) {
    const wrong = unknown === undefined ? "" : `; ${quote(unknown)} is not one of them`;
    checks.fail("permissions", `some of ${offered.join(", ")}, each once${wrong}`);
  }
  return names;
}

function storedPermissions(role: RoleRow): string[] {
  return z.array(z.string()).parse(JSON.parse(role.permissions));
}

function readDescription(checks: FieldChecks, text: string): string {
  if (text.length > textLimits.roleDescription || /[^\P{Cc}\n\t]/u.test(text) || !text.isWellFormed()) {
    checks.fail("description", `at most ${textLimits.roleDescription} characters`);
  }
  return text.trim();
}
