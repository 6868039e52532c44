import { type ViewPageName, viewPages, writeQuery } from "@holdfast/api/resources/view-pages";
import type { ItemOf } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { queryKey } from "./query-keys";
import { offers, useDiscovery } from "./rights";
import { pickTexts, type SearchTexts } from "./search-params";
import { useClient, useUnit, useUnitId } from "./unit";

export type View = ItemOf<"views", "read-view">;

/** Number of views that one request reads. A person and a unit have fewer of their own. */
const limit = 200;

/** The query of the address of a page, as a view of the page has it. */
export function queryOf(page: ViewPageName, search: SearchTexts): string {
  return writeQuery(pickTexts(search, viewPages[page].names));
}

/** The views of a page that are private to the person or shared in this very unit, by name. */
export function useViews(page: ViewPageName): readonly View[] {
  const client = useClient();
  const unit = useUnit();
  const unitId = useUnitId();
  const { data: index } = useDiscovery();
  const { data = [] } = useQuery({
    queryKey: queryKey(unit, "list-views", { page }),
    queryFn: async ({ signal }) => {
      const read = (filter: { is_shared?: boolean; organizational_unit_id?: string }) =>
        client.views.list({ filter: { page, ...filter }, limit, signal }).page();
      const { items, total_count } = await read({});
      if (items.length === total_count) {
        return items.filter(({ is_shared, organizational_unit_id: id }) => !is_shared || id === unitId);
      }
      // Units below have more of them than one request reads.
      const parts = await Promise.all([read({ is_shared: false }), read({ organizational_unit_id: unitId ?? "" })]);
      return parts.flatMap((part) => part.items);
    },
    enabled: offers(index, "views", "list-views") && unitId !== undefined,
    staleTime: 60_000,
  });
  return data;
}
