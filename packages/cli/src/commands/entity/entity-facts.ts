import type { ItemOf } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, moment, some } from "../../output/facts";
import { duration } from "../../output/moments";
import { outcomeMarks, wordOf } from "../../output/outcome-marks";
import { entityTones } from "./entity-tones";

export type Entity = ItemOf<"entities", "read-entity">;

/** Facts about a protected item, the most important first. */
export async function entityFacts(entity: Entity, names: FactNames): Promise<Fact[]> {
  const { primary_entity: protects, expected_period_seconds: period, monitor_ids: monitors } = entity;
  const watchers = await Promise.all(monitors.map((id) => names.monitor(id)));
  return [
    ["Item", `${protects.type} ${protects.value}`],
    ["State", entity.state, entityTones[entity.state]],
    ...entity.operations.map(operationFact),
    ["Last good backup", evidenceWords(entity.last_good_backup) ?? "never"],
    ...some("Last incomplete one", evidenceWords(entity.last_incomplete_backup)),
    ...some("Last run", evidenceWords(entity.last_run, true)),
    ["Last runs", outcomeMarks(entity.recent_outcomes)],
    ...some("Last restore", evidenceWords(entity.last_restore, true)),
    ["Watched by", watchers.join(", ") || "nothing"],
    ...some("Expected every", period === null ? undefined : duration(period * 1000)),
    ...some("Muted until", moment(entity.muted_until)),
    ...some("Retired", entity.is_retired ? "yes, until a new task comes" : undefined),
    ["Unit", await names.unit(entity.organizational_unit_id)],
    ["First seen", moment(entity.first_seen_timestamp)],
    ...some("Reported as", protects.id === protects.value ? undefined : protects.id),
    ["Id", entity.id],
  ];
}

/** State of one of the operations that back it up. */
function operationFact({ operation, state, is_retired, last_good_backup: good }: Entity["operations"][number]): Fact {
  const standing = is_retired ? "retired" : state;
  const words = `${operation}: ${standing}, ${good ? `last good ${moment(good.end_timestamp)}` : "no good backup yet"}`;
  return ["Operation", words, is_retired ? undefined : entityTones[state]];
}

/** End, outcome (unless already said) and id of a task. */
function evidenceWords(evidence: Entity["last_run"], withOutcome = false): string | undefined {
  if (!evidence) return undefined;
  const outcome = withOutcome ? `${wordOf(evidence.outcome)}, ` : "";
  return `${outcome}${moment(evidence.end_timestamp)} (task ${evidence.task_id})`;
}
