import { outcomeWords } from "@holdfast/api/resources/task-words";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TimeText } from "../../components/time-text";
import type { Entity } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { wordOf } from "../../texts/task-words";

export interface EvidenceProps {
  evidence: Entity["last_run"];
  /** Whether an outcome that is not good is said, too. */
  saysOutcome?: boolean;
}

/** When something last happened, as a link to the task that proves it. */
export function Evidence({ evidence, saysOutcome = false }: EvidenceProps) {
  if (!evidence) return <span className="soft">never</span>;
  return (
    <>
      <Link to="/tasks/$id" params={{ id: evidence.task_id }} className="evidence">
        <TimeText at={evidence.end_timestamp} />
      </Link>
      {saysOutcome && evidence.outcome !== "success" && (
        <>
          {" "}
          <span className="soft nowrap">({wordOf(outcomeWords, evidence.outcome).toLowerCase()})</span>
        </>
      )}
    </>
  );
}

/** The outcomes of a backup that bring an item into a state. */
const outcomesOf = new Map<string, string[]>([
  ["failing", ["error", "lost"]],
  ["missed", ["missed", "expired"]],
]);

/** Which backup an item is failing or missed for: the run that ended last can be another one, and a good one. */
export function WhyState({ entity }: { entity: Entity }) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const outcomes = outcomesOf.get(entity.state) ?? [];
  const filter = {
    "primary_entity.id": { $eq: entity.primary_entity.id },
    organizational_unit_id: { $eq: entity.organizational_unit_id },
    category: { $in: ["backup", "snapshot"] },
    outcome: { $in: outcomes },
  };
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { why: filter }),
    queryFn: ({ signal }) => client.tasks.list({ filter, limit: 10, signal }).page(),
    enabled: outcomes.length > 0 && offers(index, "tasks", "list-tasks"),
  });
  // An item of another type can have the same id.
  const task = page?.items.find(({ primary_entity }) => primary_entity?.type === entity.primary_entity.type);
  if (outcomes.length === 0 || !task || task.outcome === null) return null;
  return (
    <span className="soft">
      because its newest backup{" "}
      <Link to="/tasks/$id" params={{ id: task.id }}>
        ended as {wordOf(outcomeWords, task.outcome).toLowerCase()}
      </Link>{" "}
      <TimeText at={task.end_timestamp} />
      {entity.last_run?.task_id !== task.id && ". Later runs that are no backups, or were cancelled, do not count."}
    </span>
  );
}
