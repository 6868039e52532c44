import { useQuery } from "@tanstack/react-query";
import { RunTable } from "../../components/run-table";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";

const howMany = 30;

/** Key under which the runs of a monitor are cached. */
export function runsKey(unit: string | undefined, monitorId: string) {
  return queryKey(unit, "list-tasks", { monitorId });
}

/** The last runs of a monitor, newest first. */
export function MonitorRuns({ monitorId }: { monitorId: string }) {
  const client = useClient();
  const unit = useUnit();
  const { data: page, isFetching } = useQuery({
    queryKey: runsKey(unit, monitorId),
    queryFn: ({ signal }) => client.tasks.list({ filter: { monitor_id: monitorId }, limit: howMany, signal }).page(),
  });
  if (!page || page.items.length === 0) return null;
  return <RunTable runs={page.items} isBusy={isFetching} />;
}
