import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { StatusMark } from "../../components/status-mark";
import type { Entity } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { lookOf, monitorLooks } from "../../texts/state-words";
import { MonitorForm } from "../monitors/monitor-form";

/** The monitors that expect runs of an item; one can be made where there is none. */
export function Watchers({ entity }: { entity: Entity }) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const [isCreating, setCreating] = useState(false);
  const ids = entity.monitor_ids;
  const { data } = useQuery({
    queryKey: queryKey(unit, "list-monitors", { ids }),
    queryFn: ({ signal }) => client.monitors.list({ filter: { id: { $in: ids } }, limit: 100, signal }).page(),
    enabled: ids.length > 0 && offers(index, "monitors", "list-monitors"),
  });
  if (ids.length === 0) {
    return (
      <div className="stack-small">
        <span>no monitor, so a backup that does not come is noticed late, or not at all</span>
        <div>
          <PermissionButton permission="monitors:write" variant="default" size="xs" onClick={() => setCreating(true)}>
            Create monitor
          </PermissionButton>
        </div>
        {isCreating && (
          <MonitorForm
            item={entity.primary_entity}
            inUnit={entity.organizational_unit_id}
            onClose={() => setCreating(false)}
          />
        )}
      </div>
    );
  }
  if (!data) return counted(ids.length, "monitor");
  return (
    <ul className="plain-list">
      {data.items.map(({ id, name, state }) => (
        <li key={id}>
          <Link to="/monitors/$id" params={{ id }}>
            <SafeText text={name} />
          </Link>{" "}
          <StatusMark {...lookOf(monitorLooks, state)} />
        </li>
      ))}
    </ul>
  );
}
