import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { testEvent } from "@holdfast/api/resources/webhook-words";
import { cutText, type Payload } from "./payload";

/** How pressing a message is. */
type Weight = "bad" | "worrying" | "good" | "plain";

/** A message for people. All of it but the link may be foreign text. */
export interface Described {
  title: string;
  lines: readonly string[];
  link: string;
  weight: Weight;
}

const longestTitle = 150;
const longestText = 500;

/** What is said of a task after its name, and how pressing that is. */
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
  [testEvent]: { says: "works", weight: "plain" },
};

/** Says in a few lines what happened, where, why, and what to do about it. */
export function describeEvent(
  { type, timestamp, data: { task, monitor, organizational_unit: unit } }: Payload,
  { count, baseUrl, webhookName }: { count: number; baseUrl: string; webhookName: string },
): Described {
  const { says, weight } = words[type];
  if (!task) {
    return {
      title: titleOf(`Holdfast: ${webhookName}`, says),
      lines: ["This is a test. Nothing has happened.", `Organizational unit: ${oneLine(unit.name)}`],
      link: `${baseUrl}/console/administration/notifications`,
      weight,
    };
  }
  const isMonitor = type === "monitor.down" || type === "monitor.up";
  const of = task.primary_entity ? ` of ${task.primary_entity.value}` : "";
  const subject = isMonitor && monitor ? monitor.name : `${task.name ?? task.type}${of}`;
  const { error, runner } = task;
  return {
    title: titleOf(subject, says),
    lines: [
      ...(count > 1 ? [`And ${count - 1} more like it within a minute.`] : []),
      ...(error ? [`Cause: ${oneLine(error.message)} (${error.code})`] : []),
      ...(error && error.remedy !== "" ? [`What to do: ${oneLine(error.remedy)}`] : []),
      `Task: ${oneLine(`${task.type}${of}`)}`,
      ...(monitor && !isMonitor ? [`Monitor: ${oneLine(monitor.name)}`] : []),
      ...(runner ? [`Host: ${oneLine(runner.host)}`] : []),
      `Organizational unit: ${oneLine(unit.name)}`,
      `When: ${(task.end_timestamp ?? timestamp).slice(0, 19).replace("T", " ")} UTC`,
    ],
    link: `${baseUrl}/console/tasks/${encodeURIComponent(task.id)}`,
    weight,
  };
}

/** A title. What is cut off of a long one is of the names: what happened is always said. */
function titleOf(subject: string, says: string): string {
  const room = longestTitle - says.length - 1;
  return `${cleanLine(cutText(subject, room), room)} ${says}`;
}

/** A foreign text on one line, and not too much of it. */
function oneLine(text: string): string {
  return cleanLine(cutText(text, longestText), longestText);
}
