import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Queries } from "../database/database";
import { unitAndAbove } from "../resources/organizational-units/store";
import type { Caller } from "./caller";

/** What a caller may do in a unit: everything that roles held there or above allow. Nothing in a unit that does not exist. */
export async function permissionsIn(db: Queries, caller: Caller, unitId: string): Promise<ReadonlySet<Permission>> {
  const path = await unitAndAbove(db, unitId);
  const covering = caller.roles.filter((role) => path.includes(role.unitId));
  return new Set(covering.flatMap((role) => [...role.permissions]));
}
