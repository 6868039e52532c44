import { type Permission, permissions } from "@holdfast/api/conventions/permissions";

/** Reads the permissions of a role's row. What this version does not know is not allowed. */
export function readPermissions(json: string): Set<Permission> {
  const stored: unknown = JSON.parse(json);
  const names = Array.isArray(stored) ? stored : [];
  return new Set(
    names.filter((name): name is Permission => typeof name === "string" && Object.hasOwn(permissions, name)),
  );
}
