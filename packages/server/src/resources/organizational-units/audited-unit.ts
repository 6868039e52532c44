import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { lowestAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { AuditView } from "../../operations/change";
import type { UnitRow } from "./store";

/** The audit views of a change: first the complete one, then the partial ones. */
type AuditViews = [AuditView, ...AuditView[]];

/** A unit for the audit trail of what it is below. */
export function auditedUnit({ id, name, parent_id, created_at }: UnitRow) {
  return { id, name, parent_id, created_timestamp: formatTimestamp(created_at) };
}

/** The audit views of a unit that was renamed or moved. */
export async function viewsOfChange(db: Queries, before: UnitRow, after: UnitRow): Promise<AuditViews> {
  const [from, to] = [before.parent_id, after.parent_id];
  const hasOtherDays = before.stale_after_days !== after.stale_after_days;
  const auditedOwn = (unit: UnitRow) =>
    hasOtherDays ? { ...auditedName(unit), stale_after_days: unit.stale_after_days } : auditedName(unit);
  if (from === null || to === null || from === to) {
    return [{ unitId: after.id, before: auditedOwn(before), after: auditedOwn(after) }];
  }
  const passing = await viewsOfMove(db, { from, to, before: auditedUnit(before), after: auditedUnit(after) });
  // Those who see only the unit itself learn that it was moved, and under which name, but not from where or to where.
  const own = { unitId: after.id, before: auditedOwn(before), after: { ...auditedOwn(after), is_moved: true } };
  return [...passing, own];
}

/** The audit views of a unit that was deleted, and of the unit that took its contents. */
export async function viewsOfRemoval(
  db: Queries,
  unit: UnitRow & { parent_id: string },
  to: string | undefined,
): Promise<AuditViews> {
  const [from, before] = [unit.parent_id, auditedUnit(unit)];
  if (to === undefined) return [{ unitId: from, before }];
  return viewsOfMove(db, { from, to, before, after: { moved_to: to } });
}

/** A unit for its own audit trail, which people read who may not see what it is below. */
function auditedName({ id, name }: UnitRow) {
  return { id, name };
}

/**
 * The lowest unit above both places sees all of what goes from one to the other. The one that it leaves sees it go, and the
 * one that takes it sees it come: neither learns of the other.
 */
async function viewsOfMove(
  db: Queries,
  { from, to, before, after }: { from: string; to: string; before: unknown; after: unknown },
): Promise<AuditViews> {
  const unitId = await lowestAbove(db, [from, to]);
  const parts = [
    { unitId: from, before },
    { unitId: to, after },
  ];
  return [{ unitId, before, after }, ...parts.filter((part) => part.unitId !== unitId)];
}
