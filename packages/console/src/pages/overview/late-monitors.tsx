import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { StatusMark } from "../../components/status-mark";
import { usePollInterval } from "../../data/idle-tracker";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { countText } from "../../texts/numbers";
import { lookOf, monitorLooks } from "../../texts/state-words";

const wanted = ["late", "missed", "failed"] as const;

/** The monitors whose run did not come, or failed. Not there where there is none. */
export function LateMonitors() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-monitors", "late"),
    queryFn: ({ signal }) =>
      client.monitors.list({ filter: { state: { $in: wanted } }, sort: "state", limit: 5, signal }).page(),
    enabled: offers(index, "monitors", "list-monitors"),
    refetchInterval: usePollInterval(30_000),
  });
  if (!page || page.total_count === 0) return null;
  return (
    <Panel
      title={`Monitors in trouble · ${countText(page.total_count)}`}
      aside={
        <Link to="/monitors" search={{ state: wanted.join(",") }}>
          Show all
        </Link>
      }
    >
      <ul className="plain-list stack-small">
        {page.items.map(({ id, name, state }) => (
          <li key={id} className="spread">
            <Link to="/monitors/$id" params={{ id }} className="clip running-name">
              <SafeText text={name} />
            </Link>
            <StatusMark {...lookOf(monitorLooks, state)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
