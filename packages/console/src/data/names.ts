import type { ItemOf } from "@holdfast/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { queryKey } from "./query-keys";
import { offers, useDiscovery } from "./rights";
import { clientIn, useUnit } from "./unit";

export type Unit = ItemOf<"organizational-units", "read-organizational-unit">;
export type Role = ItemOf<"roles", "read-role">;

/** How many units and roles are read to have their names. */
const most = 1000;

export function unitsQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "list-organizational-units"),
    queryFn: ({ signal }) => clientIn(unit).organizationalUnits.list({ limit: most, signal }).page(),
    staleTime: 60_000,
  });
}

export function rolesQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "list-roles"),
    queryFn: ({ signal }) => clientIn(unit).roles.list({ limit: most, signal }).page(),
    staleTime: 60_000,
  });
}

/** The unit of this page and those below it; none where the caller may not see them. */
export function useUnits(): readonly Unit[] {
  const { data } = useDiscovery();
  const unit = useUnit();
  const isAllowed = offers(data, "organizational-units", "list-organizational-units");
  return useQuery({ ...unitsQuery(unit), enabled: isAllowed }).data?.items ?? [];
}

/** The roles that can be held here; none where the caller may not see them. */
export function useRoles(): readonly Role[] {
  const { data } = useDiscovery();
  const unit = useUnit();
  return useQuery({ ...rolesQuery(unit), enabled: offers(data, "roles", "list-roles") }).data?.items ?? [];
}

/** The name of something by its id; the id where it is not known. */
export function nameOf(items: readonly { id: string; name: string }[], id: string | null): string {
  return items.find((item) => item.id === id)?.name ?? id ?? "";
}

/** The name of a unit; with that of the unit above where several have the same: `Finance, Lyon`. */
export function unitName(units: readonly Unit[], id: string | null): string {
  const above = nameAbove(units, id);
  return above === undefined ? nameOf(units, id) : `${nameOf(units, id)}, ${above}`;
}

/** The name of the unit above, where it tells a unit from others of the same name. */
export function nameAbove(units: readonly Unit[], id: string | null): string | undefined {
  const unit = units.find((one) => one.id === id);
  const isShared = units.some((one) => one.name === unit?.name && one.id !== id);
  return isShared && unit?.parent_id ? nameOf(units, unit.parent_id) : undefined;
}

/** The units from the topmost known one to this one. */
export function pathOf(units: readonly Unit[], id: string | null): Unit[] {
  const path: Unit[] = [];
  for (let next = id; next !== null; ) {
    const unit = units.find((one) => one.id === next);
    if (!unit || path.includes(unit)) break;
    path.unshift(unit);
    next = unit.parent_id;
  }
  return path;
}

/** A unit with all units above it, as one text: `Europe / Lyon`. */
export function pathText(units: readonly Unit[], id: string): string {
  const path = pathOf(units, id);
  return path.length === 0 ? id : path.map(({ name }) => name).join(" / ");
}
