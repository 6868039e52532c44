import type { ItemOf } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { usePollInterval } from "./idle-tracker";
import { queryKey } from "./query-keys";
import { offers, useDiscovery } from "./rights";
import { useClient, useUnit } from "./unit";

export type Entity = ItemOf<"entities", "read-entity">;
export type Monitor = ItemOf<"monitors", "read-monitor">;

/** Number of protected items in each state, those that are muted or retired left out; `isMuted` for those that are muted. */
export function useEntityCounts({ isMuted = false } = {}) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  return useQuery({
    queryKey: queryKey(unit, "list-entity-counts", { isMuted }),
    queryFn: async ({ signal }) =>
      (await client.entities.counts({ filter: { is_muted: isMuted, is_retired: false }, signal }).page()).items,
    enabled: offers(index, "entities", "list-entity-counts"),
    refetchInterval: usePollInterval(30_000),
  });
}

/** Number of monitors and of muted or retired items that are read to count monitors in trouble. */
const maxExamined = 1000;

/** Counts the monitors that are missed or failed, without those of items that are muted or retired, where that is wanted. */
export function useTroubledMonitors(isWanted: boolean) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  return useQuery({
    queryKey: queryKey(unit, "list-monitors", "troubled"),
    queryFn: async ({ signal }) => {
      const read = { limit: maxExamined, signal };
      const inTrouble = { state: { $in: ["missed", "failed"] } };
      const { items } = await client.monitors.list({ filter: inTrouble, ...read }).page();
      if (items.length === 0) return 0;
      const excused = await Promise.all([
        client.entities.list({ filter: { is_muted: true }, ...read }).page(),
        client.entities.list({ filter: { is_retired: true }, ...read }).page(),
      ]);
      const ids = new Set(excused.flatMap((page) => page.items.flatMap(({ monitor_ids }) => monitor_ids)));
      return items.filter(({ id }) => !ids.has(id)).length;
    },
    enabled: isWanted && offers(index, "monitors", "list-monitors") && offers(index, "entities", "list-entities"),
    refetchInterval: usePollInterval(30_000),
  });
}

/** The last outcomes of an item or a monitor, as a strip shows them. */
export function stripRuns(recent: Entity["recent_outcomes"]) {
  return recent.map(({ task_id, outcome, created_timestamp }) => ({
    id: task_id,
    status: "completed" as const,
    outcome,
    created_timestamp,
  }));
}

/** The last backups of an item. Of an item that is the work of several operations, those of the one that decides how it stands. */
export function backupsOf({ operations, recent_outcomes }: Entity) {
  const active = operations.filter(({ is_retired }) => !is_retired);
  return stripRuns(active.length > 1 ? (active[0]?.recent_outcomes ?? []) : recent_outcomes);
}
