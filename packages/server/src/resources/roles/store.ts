import { foldCase } from "@holdfast/api/conventions/fold-case";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Database } from "../../database/database";

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
