import type { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { requireCovered } from "../../access/rights";
import { unitAndAbove } from "../../access/unit-paths";
import { authorize } from "../../operations/authorize";
import type { ChangeCall } from "../../operations/change";

/** The unit that a body names, or the one that is acted in. */
export function readUnitId(checks: FieldChecks, given: string | undefined, { scope }: ChangeCall): string {
  const id = parseUuid(given ?? scope.unitId);
  if (id === undefined) checks.fail("organizational_unit_id", "a UUID");
  return id ?? "";
}

/** Refuses to make something in a unit in which the caller may not. */
export async function requireRightIn({ db, caller, scope }: ChangeCall, unitId: string): Promise<void> {
  if (unitId === scope.unitId) return;
  const permissions = requireCovered(caller, await unitAndAbove(db, unitId));
  authorize({ permission: scope.permission }, caller, permissions);
}
