import type { ItemOf } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, moment, some } from "../../output/facts";
import { duration } from "../../output/moments";
import { outcomeMarks } from "../../output/outcome-marks";
import { monitorTones } from "./monitor-tones";

export type Monitor = ItemOf<"monitors", "read-monitor">;

/** Facts about a monitor, the most important first. */
export async function monitorFacts(monitor: Monitor, names: FactNames): Promise<Fact[]> {
  const { primary_entity: entity, body_rules: rules, schedule } = monitor;
  return [
    ["Monitor", monitor.name],
    ["State", stateWords(monitor), monitorTones[monitor.state]],
    ["Protects", `${entity.type} ${entity.value}`],
    ...some("Follows", monitor.operation),
    ["Runs are expected", schedule === null ? "not at all" : scheduleOf(monitor)],
    ...some("Next run", moment(monitor.next_expected_timestamp)),
    ["May begin late by", duration(monitor.grace_seconds * 1000)],
    ["Last runs", outcomeMarks(monitor.recent_outcomes)],
    ...some("Last task", monitor.last_task_id),
    ...some("Last ping", moment(monitor.last_ping_timestamp)),
    ...some("Not watched", moment(monitor.last_unwatched_timestamp)),
    ["Its runs are", `${monitor.type} (${monitor.category})`],
    ["A run may take", duration(monitor.run_limit_seconds * 1000)],
    ...some("Fails on the text", rules?.failure.join("\n")),
    ...some("Warns on the text", rules?.warning.join("\n")),
    ["Unit", await names.unit(monitor.organizational_unit_id)],
    ["Slug", monitor.slug],
    ...some("Ping URL", monitor.ping_url),
    ["Created", moment(monitor.created_timestamp)],
    ["Id", monitor.id],
  ];
}

function stateWords({ state, is_running, missed_in_a_row, paused_until }: Monitor): string {
  const forGood = paused_until?.startsWith("9999") ?? true;
  return [
    state === "paused" && !forGood ? `paused until ${moment(paused_until)}` : state,
    ...(missed_in_a_row > 1 ? [`${missed_in_a_row} runs in a row`] : []),
    ...(is_running ? ["running now"] : []),
  ].join(", ");
}

export function scheduleOf({ schedule }: Pick<Monitor, "schedule">): string {
  if (schedule === null) return "-";
  if ("cron" in schedule)
    return schedule.time_zone === "UTC" ? schedule.cron : `${schedule.cron} ${schedule.time_zone}`;
  return `every ${duration(schedule.period_seconds * 1000)}`;
}
