import type { WebhookEvent } from "@holdfast/api/resources/webhook-words";
import { hashOf } from "../../database/protection/entity-rows";
import type { TaskRecord } from "../tasks/record";
import type { FollowedTask } from "../tasks/reports/follow-tasks";

/** Something that happened to a task, with the task as it was then. */
export interface TaskEvent {
  event: WebhookEvent;
  task: TaskRecord;
}

/** The events of runs that have failed: who gets these is notified of their end, and reminded of what they have brought down. */
export const failureEvents: readonly WebhookEvent[] = ["task.failed", "task.lost", "task.missed", "task.expired"];

/** The events of a run that has ended. */
const ends: ReadonlySet<WebhookEvent> = new Set([
  "task.completed",
  "task.warning",
  "task.failed",
  "task.lost",
  "task.expired",
  "task.missed",
  "task.aborted",
]);

/**
 * Leaves one event of each run that has ended, for people: that its monitor is down or up again, or that its item is good again,
 * says how the run went, too.
 * Programs have asked for each type by its name, and get each.
 */
export function onePerRun(taskEvents: readonly TaskEvent[]): TaskEvent[] {
  const idsOf = (...events: WebhookEvent[]) =>
    new Set(taskEvents.filter(({ event }) => events.includes(event)).map(({ task }) => task.id));
  const ofMonitors = idsOf("monitor.down", "monitor.up");
  const ofItems = idsOf("entity.good");
  return taskEvents.filter(({ event, task: { id } }) => {
    if (event === "entity.good") return !ofMonitors.has(id);
    return !ends.has(event) || !(ofMonitors.has(id) || ofItems.has(id));
  });
}

/**
 * Names what an event is about. Messages about one thing are delivered in order: about a monitor, or else about an item, or else
 * about the task itself.
 */
export function subjectOf({ id, monitor_id, organizational_unit_id, primary_entity }: TaskRecord): string {
  if (monitor_id !== undefined) return `monitor ${monitor_id}`;
  return primary_entity ? `entity ${organizational_unit_id} ${hashOf(primary_entity)}` : `task ${id}`;
}

/** Events of tasks that have changed, in their order. */
export function taskEventsOf(changes: readonly FollowedTask[]): TaskEvent[] {
  return changes.flatMap(({ before, between = [], task }) => {
    const states = [...between, task];
    return states.flatMap((after, index) => {
      const event = eventBetween(index === 0 ? before : (states[index - 1] ?? null), after);
      return event === undefined ? [] : [{ event, task: after }];
    });
  });
}

/** Event between two states of a task, where it is something to tell. */
function eventBetween(before: TaskRecord | null, after: TaskRecord): WebhookEvent | undefined {
  if (before?.status === after.status && before.outcome === after.outcome) return livenessEvent(before, after);
  switch (after.status) {
    case "completed":
      return after.outcome === "warning" ? "task.warning" : "task.completed";
    case "failed":
      return failureOf(after);
    case "aborted":
      return "task.aborted";
    case "in_progress":
      return wasTakenUp(before, after) ? "task.revived" : "task.started";
    case "aborting":
      return before?.status === "failed" ? "task.revived" : undefined;
    case "queued":
      return undefined;
  }
}

/** A lost task whose own runner was heard of again. Another attempt begins it once more. */
function wasTakenUp(before: TaskRecord | null, after: TaskRecord): boolean {
  return before?.outcome === "lost" && (before.attempt ?? 1) === (after.attempt ?? 1);
}

function failureOf({ outcome }: TaskRecord): WebhookEvent {
  switch (outcome) {
    case "lost":
      return "task.lost";
    case "expired":
      return "task.expired";
    case "missed":
      return "task.missed";
    default:
      return "task.failed";
  }
}

function livenessEvent(before: TaskRecord, after: TaskRecord): WebhookEvent | undefined {
  if (before.liveness === after.liveness) return undefined;
  if (after.liveness === "overdue") return "task.overdue";
  return after.liveness === "stalled" ? "task.stalled" : undefined;
}
