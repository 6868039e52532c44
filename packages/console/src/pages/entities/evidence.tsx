import { outcomeWords } from "@holdfast/api/resources/task-words";
import type { Task } from "@holdfast/client";
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
  /** Whether there is room for the whole time. */
  isFull?: boolean;
}

/** When something last happened, as a link to the task that proves it. */
export function Evidence({ evidence, saysOutcome = false, isFull = false }: EvidenceProps) {
  if (!evidence) return <span className="soft">never</span>;
  return (
    <>
      <Link to="/tasks/$id" params={{ id: evidence.task_id }} className={isFull ? undefined : "evidence"}>
        <TimeText at={evidence.end_timestamp} isFull={isFull} />
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

const howMany = 30;

/** The last tasks of an item, newest first. */
export function useRunsOf(entity: Entity) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const filter = {
    "primary_entity.id": { $eq: entity.primary_entity.id },
    organizational_unit_id: { $eq: entity.organizational_unit_id },
  };
  const { data: page, isFetching } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { of: filter }),
    queryFn: ({ signal }) => client.tasks.list({ filter, limit: howMany, signal }).page(),
    enabled: offers(index, "tasks", "list-tasks"),
  });
  // An item of another type can have the same id.
  const runs = page?.items.filter(({ primary_entity }) => primary_entity?.type === entity.primary_entity.type);
  return { runs, isFetching };
}

/** Which backup an item is failing or missed for: the run that ended last can be another one, and a good one. */
export function WhyState({ entity, runs }: { entity: Entity; runs: readonly Task[] | undefined }) {
  if (entity.state === "unwatched") {
    return <span className="soft">has a good backup, and no monitor says when the next one is due</span>;
  }
  const outcomes = outcomesOf.get(entity.state) ?? [];
  const task = runs?.find(
    ({ category, outcome }) => ["backup", "snapshot"].includes(category) && outcomes.includes(outcome ?? ""),
  );
  if (!task || task.outcome === null) return null;
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
