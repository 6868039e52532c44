import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Panel } from "../../components/panel";
import { usePollInterval } from "../../data/idle-tracker";
import { queryKey } from "../../data/query-keys";
import { stripOfTasks } from "../../data/strip-of-tasks";
import { useClient, useUnit } from "../../data/unit";
import { isUnfinished } from "../../texts/task-words";

/** Number of tasks that are read: of 30 backups, as many other runs may come between. */
const maxRead = 60;

/** The last runs of the same item. The task itself is shown as its page shows it, others are asked for again until they have ended. */
export function OtherRuns({ task }: { task: Task }) {
  const client = useClient();
  const unit = useUnit();
  const entity = task.primary_entity;
  const pollInterval = usePollInterval(10_000);
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { item: entity?.id, unit: task.organizational_unit_id }),
    queryFn: ({ signal }) => {
      const filter = { "primary_entity.id": entity?.id ?? "", organizational_unit_id: task.organizational_unit_id };
      return client.tasks.list({ filter, limit: maxRead, signal }).page();
    },
    enabled: entity !== null,
    refetchInterval: ({ state: { data } }) =>
      (data?.items.some((one) => one.id !== task.id && isUnfinished(one)) ?? false) && pollInterval,
  });
  if (!entity || !page) return null;
  const runs = page.items
    .filter(({ primary_entity }) => primary_entity?.type === entity.type)
    .map((one) => (one.id === task.id ? task : one));
  if (runs.length === 0) return null;
  return (
    <Panel
      title="Runs of this item"
      aside={
        <Link to="/tasks" search={{ item_id: entity.id }}>
          Show all
        </Link>
      }
    >
      <OutcomeStrip runs={stripOfTasks(runs)} current={task.id} isSummed />
    </Panel>
  );
}
