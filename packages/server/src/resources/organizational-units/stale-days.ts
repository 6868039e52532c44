import type { Queries } from "../../database/database";

/**
 * Reads after how many days without a good backup what nothing watches is stale, in each unit: what the unit says, or the nearest one
 * above it that says something, or the service. 0 is never.
 */
export async function readStaleDays(db: Queries, defaultDays: number): Promise<(unitId: string) => number> {
  const one = await db
    .selectFrom("organizational_units")
    .select("id")
    .where("stale_after_days", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (!one) return () => defaultDays;
  const rows = await db.selectFrom("organizational_units").select(["id", "parent_id", "stale_after_days"]).execute();
  const units = new Map(rows.map((row) => [row.id, row]));
  const known = new Map<string, number>();
  const daysOf = (unitId: string): number => {
    const unit = units.get(unitId);
    const days =
      known.get(unitId) ?? unit?.stale_after_days ?? (unit?.parent_id ? daysOf(unit.parent_id) : defaultDays);
    known.set(unitId, days);
    return days;
  };
  return daysOf;
}
