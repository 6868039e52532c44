import { refuse } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";

/** Refuses to give, take or change permissions that the caller does not hold in the unit. */
export function requireHeld(held: ReadonlySet<Permission>, wanted: Iterable<Permission>): void {
  const missing = [...wanted].filter((permission) => !held.has(permission));
  if (missing.length === 0) return;
  throw refuse(
    "grantForbidden",
    `You do not hold ${missing.join(", ")} in that organizational unit, so you can neither give nor take it.`,
  );
}
