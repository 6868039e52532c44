import { refuse } from "@holdfast/api/conventions/api-error";
import type { Operation } from "@holdfast/api/conventions/operation";
import type { Permission } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Caller } from "../access/caller";

/** Facts that decide whether an operation may be called. */
type Guarded = Pick<
  Operation,
  "permission" | "otherPermissions" | "furtherPermissions" | "allowsSelf" | "isForServices" | "requiresRoot"
>;

/** True if a caller with these permissions in the unit may call an operation. */
export function mayCall(
  {
    permission,
    otherPermissions = [],
    furtherPermissions = [],
    allowsSelf = false,
    isForServices,
    requiresRoot = false,
  }: Guarded,
  caller: Caller,
  permissions: ReadonlySet<Permission>,
): boolean {
  if (isForServices && caller.kind !== "service") return false;
  if (permission === null) return true;
  if (requiresRoot) return caller.roles.some((role) => role.unitId === rootUnitId && role.permissions.has(permission));
  const hasFurther = furtherPermissions.every((one) => permissions.has(one));
  const suffices = hasFurther && [permission, ...otherPermissions].some((one) => permissions.has(one));
  return suffices || (allowsSelf && caller.userId !== null);
}

/** Refuses a caller who may not call an operation. */
export function authorize(operation: Guarded, caller: Caller, permissions: ReadonlySet<Permission>): void {
  if (mayCall(operation, caller, permissions)) return;
  if (operation.isForServices) {
    throw refuse(
      "permissionMissing",
      "Only a service token can do this, for itself. As a person, create a new token instead.",
    );
  }
  const where = operation.requiresRoot ? "the root" : "the organizational unit";
  const needed = [operation.permission, ...(operation.furtherPermissions ?? [])].join(" and ");
  throw refuse(
    "permissionMissing",
    `This needs the permission ${needed} in ${where}. Ask an administrator for a role that has it.`,
  );
}
