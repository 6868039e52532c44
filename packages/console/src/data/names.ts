import type { ItemOf } from "@holdfast/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { queryKey } from "./query-keys";
import { offers, useDiscovery } from "./rights";
import { clientIn, useClient, useUnit } from "./unit";

export type Unit = ItemOf<"organizational-units", "read-organizational-unit">;
export type Role = ItemOf<"roles", "read-role">;

/** Maximum number of units and roles that are read for their names. */
export const maxUnits = 1000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Number of ids that one filter takes. */
const maxIds = 200;

export function unitsQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "list-organizational-units"),
    queryFn: ({ signal }) => clientIn(unit).organizationalUnits.list({ limit: maxUnits, signal }).page(),
    staleTime: 60_000,
  });
}

export function rolesQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "list-roles"),
    queryFn: ({ signal }) => clientIn(unit).roles.list({ limit: maxUnits, signal }).page(),
    staleTime: 60_000,
  });
}

/**
 * The unit of this page and those below it; none where the caller may not see them. Where there are more than are read at
 * once, those with the given ids are among them in any case.
 */
export function useUnits(ids: readonly (string | null)[] = []): readonly Unit[] {
  const { data } = useDiscovery();
  const unit = useUnit();
  const isAllowed = offers(data, "organizational-units", "list-organizational-units");
  const { data: page } = useQuery({ ...unitsQuery(unit), enabled: isAllowed });
  const known = page?.items ?? [];
  const isWhole = page === undefined || page.total_count <= known.length;
  const missing = isWhole ? [] : missingIds(known, ids);
  const { data: others } = useQuery({
    queryKey: queryKey(unit, "list-organizational-units", { ids: missing }),
    queryFn: ({ signal }) =>
      clientIn(unit)
        .organizationalUnits.list({ filter: { id: { $in: missing } }, limit: maxIds, signal })
        .page(),
    enabled: missing.length > 0,
    staleTime: 60_000,
  });
  return others ? [...known, ...others.items] : known;
}

/** The ids that none of the units has, at most as many as one request can ask for. */
function missingIds(units: readonly Unit[], ids: readonly (string | null)[]): string[] {
  const known = new Set(units.map(({ id }) => id));
  const missing = ids.filter((id): id is string => id !== null && !known.has(id));
  return [...new Set(missing)].sort().slice(0, maxIds);
}

/** The roles that can be held here; none where the caller may not see them. */
export function useRoles(): readonly Role[] {
  const { data } = useDiscovery();
  const unit = useUnit();
  return useQuery({ ...rolesQuery(unit), enabled: offers(data, "roles", "list-roles") }).data?.items ?? [];
}

/** The names of people by their ids; none where the caller may not see them. */
export function useNamesOfPeople(ids: readonly string[]): ReadonlyMap<string, string> {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const wanted = [...new Set(ids)].sort().slice(0, maxIds);
  const { data } = useQuery({
    queryKey: queryKey(unit, "list-users", { ids: wanted }),
    queryFn: ({ signal }) => client.users.list({ filter: { id: { $in: wanted } }, limit: maxIds, signal }).page(),
    enabled: wanted.length > 0 && offers(index, "users", "list-users"),
    staleTime: 60_000,
  });
  return new Map(data?.items.map(({ id, full_name }) => [id, full_name]));
}

/** The names of roles, units and people by their ids, as far as the caller may see them. */
export function useNamesOf(some: readonly string[]): ReadonlyMap<string, string> {
  // Keys and tasks have ids of other kinds, which no list takes.
  const ids = some.filter((id) => uuid.test(id));
  const roles = useRoles();
  const units = useUnits(ids);
  const named = new Map([...roles, ...units].map(({ id, name }) => [id, name]));
  const people = useNamesOfPeople(ids.filter((id) => !named.has(id)));
  return new Map([...named, ...people]);
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
  return isShared ? unit?.ancestors.at(-1)?.name : undefined;
}

/** A unit with all units above it, as one text: `Europe / Lyon`. */
export function pathText(units: readonly Unit[], id: string): string {
  const unit = units.find((one) => one.id === id);
  return unit ? [...unit.ancestors, unit].map(({ name }) => name).join(" / ") : id;
}
