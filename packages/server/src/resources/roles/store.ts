import { foldCase } from "@holdfast/api/conventions/fold-case";
import { defaultRoles, type Permission, permissions } from "@holdfast/api/conventions/permissions";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import type { Database, Queries } from "../../database/database";
import { Refusal } from "../../refusal";
import { rootUnitId } from "../organizational-units/store";

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

/** Finds a role by its name or its id. */
export async function requireRole(db: Queries, nameOrId: string): Promise<{ id: string; name: string }> {
  const id = parseUuid(nameOrId);
  const role = await db
    .selectFrom("roles")
    .select(["id", "name"])
    .where(id ? "id" : "name", "=", id ?? nameOrId.toLowerCase())
    .executeTakeFirst();
  if (role) return role;
  const known = await db.selectFrom("roles").select("name").orderBy("name").execute();
  throw new Refusal(
    `There is no role ${JSON.stringify(nameOrId)}. Choose one of ${known.map((row) => row.name).join(", ")}.`,
  );
}

/** Reads the permissions of a role's row. What this version does not know is not allowed. */
export function readPermissions(json: string): Set<Permission> {
  const stored: unknown = JSON.parse(json);
  const names = Array.isArray(stored) ? stored : [];
  return new Set(
    names.filter((name): name is Permission => typeof name === "string" && Object.hasOwn(permissions, name)),
  );
}
