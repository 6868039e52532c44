import { foldCase } from "@holdfast/api/conventions/fold-case";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { unitAndAbove } from "../../access/unit-paths";
import type { Database, Queries } from "../../database/database";
import { Refusal } from "../../settings/refusal";
import { requireUnit } from "../organizational-units/store";

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
 * Finds a role by its name, in any letter case, or by its id, and refuses one that cannot be held in the unit: whoever
 * manages the unit that it belongs to could make it allow more.
 */
export async function requireRole(
  db: Queries,
  nameOrId: string,
  unitId = rootUnitId,
): Promise<{ id: string; name: string }> {
  await requireUnit(db, unitId);
  const usable = await unitAndAbove(db, unitId);
  const roles = db.selectFrom("roles").select(["id", "name", "organizational_unit_id"]);
  const id = parseUuid(nameOrId);
  const named = await roles.where(id ? "id" : "name_folded", "=", id ?? foldCase(nameOrId)).execute();
  const role = named.find(({ organizational_unit_id }) => usable.includes(organizational_unit_id));
  if (role) return { id: role.id, name: role.name };
  if (named.length > 0) {
    const homes = named.map(({ organizational_unit_id }) => organizational_unit_id).sort();
    throw new Refusal(
      `The role ${JSON.stringify(nameOrId)} can be held in ${homes.join(" or ")} and below, not in ${unitId}. Choose another role or unit.`,
    );
  }
  const known = await roles.where("organizational_unit_id", "in", usable).orderBy("name").execute();
  throw new Refusal(
    `There is no role ${JSON.stringify(nameOrId)}. Choose one of ${known.map(({ name }) => name).join(", ")}.`,
  );
}
