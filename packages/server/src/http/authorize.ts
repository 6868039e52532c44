import { refuse } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";
import type { UnitContext } from "../access/context";

/** Refuses a caller whose roles in the unit do not include a permission. */
export function authorize({ permissions }: UnitContext, permission: Permission): void {
  if (!permissions.has(permission)) {
    throw refuse(
      "permissionMissing",
      `This needs the permission ${permission} in the organizational unit. Ask an administrator for a role that has it.`,
    );
  }
}
