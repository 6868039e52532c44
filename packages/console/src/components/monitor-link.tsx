import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queryKey } from "../data/query-keys";
import { offers, useDiscovery } from "../data/rights";
import { useClient, useUnit } from "../data/unit";
import { SafeText } from "./safe-text";

/** The monitor that a task is a run of, as a link. It may be gone, or not to be seen by the caller. */
export function MonitorLink({ id }: { id: string }) {
  const client = useClient();
  const { data: index } = useDiscovery();
  const { data: monitor } = useQuery({
    queryKey: queryKey(useUnit(), "list-monitors", { one: id }),
    queryFn: async ({ signal }) =>
      (await client.monitors.list({ filter: { id }, limit: 1, signal }).page()).items[0] ?? null,
    enabled: offers(index, "monitors", "list-monitors"),
  });
  if (!monitor) return <span className="soft">{monitor === null ? "a monitor that was deleted" : "a monitor"}</span>;
  return (
    <Link to="/monitors/$id" params={{ id }}>
      <SafeText text={monitor.name} />
    </Link>
  );
}
