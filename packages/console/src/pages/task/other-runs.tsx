import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Panel } from "../../components/panel";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";

const howMany = 30;

/** What else ran for the same item. */
export function OtherRuns({ task }: { task: Task }) {
  const client = useClient();
  const unit = useUnit();
  const entity = task.primary_entity;
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { item: entity?.id }),
    queryFn: ({ signal }) =>
      client.tasks.list({ filter: { "primary_entity.id": entity?.id ?? "" }, limit: howMany, signal }).page(),
    enabled: entity !== null,
  });
  if (!entity || !page || page.items.length === 0) return null;
  return (
    <Panel
      title="Runs of this item"
      aside={
        <Link to="/tasks" search={{ item_id: entity.id }}>
          Show all
        </Link>
      }
    >
      <OutcomeStrip runs={page.items.toReversed()} current={task.id} isSummed />
    </Panel>
  );
}
