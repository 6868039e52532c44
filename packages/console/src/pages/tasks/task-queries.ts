import type { Page, Task } from "@holdfast/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKey } from "../../data/query-keys";
import { hasCode } from "../../data/service";
import type { TaskFilter } from "../../data/task-filter";
import { useClient, useUnit } from "../../data/unit";

const cursorInvalid = 40009;

export interface AskedTasks {
  filter: TaskFilter;
  limit: number;
  number: number;
  /** The link that leads to this page, where the page before it has one. */
  cursor: string | undefined;
}

export function tasksKey(unit: string | undefined, asked: AskedTasks) {
  return queryKey(unit, "list-tasks", asked);
}

/** One page of tasks. It is never fetched again by itself, so that no row moves. */
export function useTasks(asked: AskedTasks) {
  const client = useClient();
  const unit = useUnit();
  return useQuery({
    queryKey: tasksKey(unit, asked),
    queryFn: async ({ signal }): Promise<Page<Task>> => {
      const { filter, limit, number, cursor } = asked;
      const listing = client.tasks.list({ filter, limit, start: number, signal });
      if (cursor === undefined) return listing.page();
      try {
        return await listing.page({ href: cursor });
      } catch (error) {
        // The place is not known any more: the number is.
        if (!hasCode(error, cursorInvalid)) throw error;
        return listing.page();
      }
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Number of tasks of each status and outcome, for the quick views. */
export function useViewCounts(filter: TaskFilter, isOn: boolean) {
  const client = useClient();
  const unit = useUnit();
  const { created_timestamp, category, type } = filter;
  const narrowed = { created_timestamp, category, type };
  return useQuery({
    queryKey: queryKey(unit, "list-task-counts", { views: narrowed }),
    queryFn: async ({ signal }) => {
      const listing = client.tasks.counts({
        interval: "all",
        groupBy: ["status", "outcome"],
        filter: narrowed,
        limit: 1000,
        signal,
      });
      return (await listing.page()).items;
    },
    enabled: isOn,
    placeholderData: keepPreviousData,
  });
}

/** Values to filter tasks by, of a field without fixed words. */
export function useFoundWords(group: "type" | "error.code", isOn: boolean) {
  const client = useClient();
  const unit = useUnit();
  return useQuery({
    queryKey: queryKey(unit, "list-task-counts", { words: group }),
    queryFn: async ({ signal }) => {
      const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 30 * 86_400_000);
      const filter = group === "type" ? {} : { created_timestamp: { $gte: since } };
      const { items } = await client.tasks
        .counts({ interval: "all", groupBy: [group], filter, limit: 1000, signal })
        .page();
      const found = items.flatMap((item) => item[group] ?? []);
      return [...new Set(found)].sort();
    },
    enabled: isOn,
    staleTime: 300_000,
  });
}
