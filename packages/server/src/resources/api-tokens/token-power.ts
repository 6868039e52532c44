import { refuse } from "@holdfast/api/conventions/api-error";
import { loadRoles } from "../../access/caller";
import { requireHeld } from "../../access/grantable";
import { permissionsAlong } from "../../access/rights";
import { readPermissions } from "../../access/role-permissions";
import { unitAndAbove } from "../../access/unit-paths";
import type { ChangeCall } from "../../operations/change";
import type { ApiTokenRow } from "./list-tokens";

/**
 * Refuses who may not do this to a token that they manage. One's own token is one's own. A token of others that may do more
 * than the caller is out of reach, and a caller cannot get a token that acts as another user.
 */
export async function requirePowerOver(
  { db, caller, permissionsIn }: ChangeCall,
  row: ApiTokenRow,
  deed: "rename" | "rotate" | "revoke",
): Promise<void> {
  if (row.user_id !== null && row.user_id === caller.userId) return;
  if (row.user_id !== null && deed !== "revoke") {
    throw refuse("grantForbidden", `Only its own user can ${deed} a personal token. You can revoke it.`);
  }
  const held = await permissionsIn(row.organizational_unit_id);
  if (row.user_id !== null) {
    const roles = await loadRoles(db, row.user_id);
    requireHeld(held, permissionsAlong({ roles }, await unitAndAbove(db, row.organizational_unit_id)));
    return;
  }
  const role = await db.selectFrom("roles").select("permissions").where("id", "=", row.role_id).executeTakeFirst();
  // A token that has ended can outlive its role: then it allows nothing.
  requireHeld(held, readPermissions(role?.permissions ?? "[]"));
}
