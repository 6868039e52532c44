import { refuse } from "@holdfast/api/conventions/api-error";
import { unitAndAbove } from "../../access/unit-paths";
import type { ChangeCall } from "../../operations/change";
import type { UnitBelow } from "../unit-contents";
import { refuseCircle, unitMoveBetween } from "./move-unit";
import { requireHeldByMover } from "./moved-rights";

/** Answers alike for a unit that does not exist and one that the caller may not change. */
export async function requireWritable(call: ChangeCall, unitId: string): Promise<void> {
  if (await isWritable(call, unitId)) return;
  throw refuse("unitForbidden", "You may not change that organizational unit, or it does not exist. Name another one.");
}

/**
 * That there is a unit in this place, and under which name, is the matter of those who manage the unit above: they make
 * units there. It is theirs to rename it, to take it away and to delete it. A caller who may not see what is beside the
 * unit would otherwise learn by trying which names are taken there.
 */
export async function requirePlace(call: ChangeCall, parentId: string): Promise<void> {
  if (await isWritable(call, parentId)) return;
  throw refuse(
    "unitForbidden",
    "Renaming, moving and deleting need organizational-units:write in the unit above this one. Ask an administrator there.",
  );
}

/**
 * Rights that moving needs, be it a unit with all below it or everything that is in a unit: the right to change both places, and
 * to hold whatever others gain or lose by it. The place that is named comes first: whether it is the very one above the
 * unit must not show.
 */
export async function requireMovable(call: ChangeCall, { id, parentId }: UnitBelow, to: string): Promise<void> {
  const { db } = call;
  await requireWritable(call, to);
  refuseCircle(id, await unitAndAbove(db, to));
  await requirePlace(call, parentId);
  await requireHeldByMover(call, id, await unitMoveBetween(db, parentId, to));
}

async function isWritable(call: ChangeCall, unitId: string): Promise<boolean> {
  return (await call.permissionsIn(unitId)).has("organizational-units:write");
}
