import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { UnitRow } from "@holdfast/server/resources/organizational-units/store";

/** The names of units from below the root, such as Europe/Hamburg/Operations: many teams are called the same. */
export function unitPaths(units: readonly UnitRow[]): ReadonlyMap<string, string> {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const pathOf = ({ name, parent_id }: UnitRow): string => {
    const parent = parent_id === null || parent_id === rootUnitId ? undefined : byId.get(parent_id);
    return parent ? `${pathOf(parent)}/${name}` : name;
  };
  return new Map(units.map((unit) => [unit.id, pathOf(unit)]));
}
