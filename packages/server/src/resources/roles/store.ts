import { quote, refuse } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { unitAndAbove } from "../../access/unit-paths";
import type { Database, Queries } from "../../database/database";

/** Creates the default roles and brings their permissions up to date with this version. */
export async function writeDefaultRoles(database: Database): Promise<void> {
  const stored = await database.snapshot((db) => db.selectFrom("roles").select(["id", "permissions"]).execute());
  const current = new Map(stored.map((role) => [role.id, role.permissions]));
  const outdated = Object.entries(defaultRoles)
    .map(([name, role]) => ({ ...role, name, permissions: JSON.stringify(role.permissions) }))
    .filter((role) => current.get(role.id) !== role.permissions);
  if (outdated.length === 0) return;
  await database.change(async (db) => {
    for (const { id, name, ...described } of outdated) {
      await db
        .insertInto("roles")
        .values({
          id,
          ...roleNames(name),
          ...described,
          organizational_unit_id: rootUnitId,
          is_default: 1,
          created_at: null,
        })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(described))
        .execute();
    }
  });
}

/** A role's name, and what it is sorted and compared by. */
export function roleNames(name: string) {
  return { name, name_lower: name.toLowerCase(), name_folded: foldCase(name) };
}

/**
 * Finds a role by its name, in any letter case, or by its id. Of several with the name it is the one that can be held in
 * the unit. Whether it can is for the rule to say that is asked for it.
 */
export async function findRoleId(db: Queries, nameOrId: string, unitId: string): Promise<string> {
  const id = parseUuid(nameOrId);
  if (id !== undefined) return id;
  const usable = await unitAndAbove(db, unitId);
  const roles = await db.selectFrom("roles").selectAll().orderBy("name").orderBy("id").execute();
  const named = roles.filter((role) => role.name_folded === foldCase(nameOrId));
  const isUsable = (role: { organizational_unit_id: string }) => usable.includes(role.organizational_unit_id);
  const found = named.find(isUsable) ?? named[0];
  if (found) return found.id;
  const choice = roles.filter(isUsable).map(({ name }) => name);
  throw refuse("bodyInvalid", `There is no role ${quote(nameOrId)}. Choose one of ${choice.join(", ")}.`);
}
