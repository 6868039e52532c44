import type { ItemOf } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { usePollInterval } from "./attention";
import { queryKey } from "./query-keys";
import { offers, useDiscovery } from "./rights";
import { useClient, useUnit } from "./unit";

export type Entity = ItemOf<"entities", "read-entity">;
export type Monitor = ItemOf<"monitors", "read-monitor">;

/** The states in which an item needs a person. */
export const needsAttention = ["never", "failing", "missed", "stale"] as const;

/** How many protected items stand how, those that are muted or retired left out. */
export function useEntityCounts() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  return useQuery({
    queryKey: queryKey(unit, "list-entity-counts"),
    queryFn: async ({ signal }) =>
      (await client.entities.counts({ filter: { is_muted: false, is_retired: false }, signal }).page()).items,
    enabled: offers(index, "entities", "list-entity-counts"),
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
