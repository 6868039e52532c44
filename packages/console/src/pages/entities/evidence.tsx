import { outcomeWords } from "@holdfast/api/resources/task-words";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SafeText } from "../../components/safe-text";
import { TimeText } from "../../components/time-text";
import { usePollInterval } from "../../data/idle-tracker";
import type { Entity } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { wordOf } from "../../texts/task-words";

export interface EvidenceProps {
  evidence: Entity["last_run"];
  /** True if an outcome that is not good is said, too. */
  saysOutcome?: boolean;
  /** True if there is room for the whole time. */
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

/** Number of tasks that are read: of 30 backups, as many other runs may come between. */
const howMany = 60;

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
    refetchInterval: usePollInterval(30_000),
  });
  // An item of another type can have the same id.
  const runs = page?.items.filter(({ primary_entity }) => primary_entity?.type === entity.primary_entity.type);
  return { runs, isFetching };
}

/** Why an item stands as it does: the operation that stands worst decides. */
export function StateReason({ entity }: { entity: Entity }) {
  const worst = entity.operations.find(({ is_retired }) => !is_retired);
  if (!worst) return null;
  const name = entity.operations.length > 1 ? <SafeText text={worst.operation} maxLength={80} /> : null;
  switch (entity.state) {
    case "unwatched":
      return <span className="soft">has a good backup, and no monitor says when the next one is due</span>;
    case "stale":
      return (
        <span className="soft">
          because {name ?? "it"} has had no good backup since{" "}
          <TimeText at={worst.last_good_backup?.end_timestamp ?? null} />, and no monitor watches it
        </span>
      );
    case "failing":
    case "missed":
      return worst.last_run && <FailureReason run={worst.last_run} of={name} />;
    default:
      return null;
  }
}

function FailureReason({ run, of: name }: { run: NonNullable<Entity["last_run"]>; of: ReactNode }) {
  return (
    <span className="soft">
      because the newest run{name && <> of {name}</>}{" "}
      <Link to="/tasks/$id" params={{ id: run.task_id }}>
        ended as {wordOf(outcomeWords, run.outcome).toLowerCase()}
      </Link>{" "}
      <TimeText at={run.end_timestamp} />
    </span>
  );
}
