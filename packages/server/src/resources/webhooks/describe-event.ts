import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { reminderEvent, testEvent } from "@holdfast/api/resources/webhook-words";
import { describeReminder } from "./describe-reminder";
import { describeStaleEntity } from "./describe-stale-entity";
import { describeToken } from "./describe-token";
import { formatMoment } from "./format-moment";
import { type Described, oneLine, titleOf, type Weight } from "./message-texts";
import type { Payload } from "./payload";

/** Text after the name of a task, and its weight. */
const words: Readonly<Record<Payload["type"], { says: string; weight: Weight }>> = {
  "task.started": { says: "has begun", weight: "plain" },
  "task.completed": { says: "has succeeded", weight: "good" },
  "task.warning": { says: "has ended with a warning", weight: "worrying" },
  "task.failed": { says: "has failed", weight: "bad" },
  "task.aborted": { says: "was aborted", weight: "worrying" },
  "task.lost": { says: "is lost: its runner is not heard of", weight: "bad" },
  "task.revived": { says: "is running after all", weight: "good" },
  "task.expired": { says: "was not started in time", weight: "bad" },
  "task.missed": { says: "did not run when it was expected", weight: "bad" },
  "task.stalled": { says: "gets no further", weight: "worrying" },
  "task.overdue": { says: "takes longer than it should", weight: "worrying" },
  "monitor.down": { says: "is down", weight: "bad" },
  "monitor.up": { says: "is up again", weight: "good" },
  "token.expiring": { says: "expires soon", weight: "worrying" },
  "entity.good": { says: "is good again", weight: "good" },
  "entity.stale": { says: "is stale", weight: "bad" },
  [testEvent]: { says: "works", weight: "plain" },
  [reminderEvent]: { says: "still down", weight: "bad" },
};

/** Ending of a sentence about a monitor or an item, by the outcome of the run that brought it down or up. */
const runWords: Readonly<Partial<Record<NonNullable<TaskV1["outcome"]>, string>>> = {
  error: ": its run has failed",
  lost: ": its run was lost",
  missed: ": its run has not come",
  expired: ": its run was not started in time",
  warning: ", with a warning",
};

/** Facts that a description needs in addition to the event. */
interface DescribingContext {
  count: number;
  baseUrl: string;
  webhookName: string;
  /** The zone that times are shown in, with UTC next to them. */
  timeZone?: string;
}

/** Says in a few lines what happened, where, why, and what to do about it. */
export function describeEvent(
  payload: Payload,
  { count, baseUrl, webhookName, timeZone = "UTC" }: DescribingContext,
): Described {
  const { type, timestamp, data } = payload;
  const { task, monitor, organizational_unit: unit, entity, reminder, token } = data;
  const { says, weight } = words[type];
  if (reminder) return describeReminder(payload, reminder, { baseUrl, timeZone });
  if (token) return describeToken(payload, token, { count, baseUrl, timeZone });
  if (entity) return describeStaleEntity(payload, entity, { baseUrl, timeZone, count });
  if (!task) {
    return {
      title: titleOf(`Holdfast: ${webhookName}`, says),
      lines: ["This is a test. Nothing has happened.", `Organizational unit: ${oneLine(unit.name)}`],
      link: `${baseUrl}/console/administration/notifications`,
      weight,
    };
  }
  const isEntity = type === "entity.good";
  const isMonitor = type === "monitor.down" || type === "monitor.up";
  const { error, runner } = task;
  return {
    title: titleOf(
      (isMonitor && monitor?.name) || (isEntity && task.primary_entity?.value) || nameOf(task),
      isMonitor || isEntity ? `${says}${(task.outcome && runWords[task.outcome]) ?? ""}` : says,
    ),
    lines: [
      ...(count > 1 ? [`And ${count - 1} more like it within a minute.`] : []),
      ...(error ? [`Cause: ${oneLine(error.message)} (${error.code})`] : []),
      ...(error && error.remedy !== "" ? [`What to do: ${oneLine(error.remedy)}`] : []),
      `Task: ${oneLine(withEntity(task.type, task))}`,
      ...(monitor && !isMonitor ? [`Monitor: ${oneLine(monitor.name)}`] : []),
      ...(runner ? [`Host: ${oneLine(runner.host)}`] : []),
      `Organizational unit: ${oneLine(unit.name)}`,
      `When: ${formatMoment(task.end_timestamp ?? timestamp, timeZone)}`,
    ],
    link: `${baseUrl}/console/tasks/${encodeURIComponent(task.id)}`,
    weight,
  };
}

/** A task as people call it. */
function nameOf(task: TaskV1): string {
  return withEntity(task.name ?? task.type.replaceAll("_", " "), task);
}

/** Adds what is protected, unless the text names it already: the item of a monitor often has the monitor's name. */
function withEntity(text: string, { primary_entity: entity }: TaskV1): string {
  if (!entity || ` ${text} `.toLowerCase().includes(` ${entity.value} `.toLowerCase())) return text;
  return `${text} of ${entity.value}`;
}
