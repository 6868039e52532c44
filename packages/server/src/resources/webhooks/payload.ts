import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { ApiTokenV1 } from "@holdfast/api/resources/api-tokens";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { reminderEvent, type testEvent, type WebhookEvent } from "@holdfast/api/resources/webhook-words";
import type { NamedMonitor } from "../monitors/named-monitors";
import { type TaskRecord, writeDocument } from "../tasks/record";
import { presentStillDown, type StillDown } from "./reminders/still-down";

/** Payload of a message, but for the base URL, which is that of the service that sends it. */
export interface Payload {
  type: WebhookEvent | typeof testEvent | typeof reminderEvent;
  timestamp: string;
  data: {
    /** Null in a test, in a reminder, and for what is not about a task. */
    task: TaskV1 | null;
    monitor: NamedMonitor | null;
    organizational_unit: { id: string; name: string };
    /** The item that it is about, instead of a task. */
    entity?: EntityV1;
    /** Monitors and items that are still down; only in a reminder. */
    reminder?: { down_count: number; down: ReturnType<typeof presentStillDown>[] };
    /** The token that expires soon; for that event alone. */
    token?: Pick<
      ApiTokenV1,
      "id" | "name" | "kind" | "user_id" | "role_id" | "expires_timestamp" | "last_used_timestamp"
    > & { days_left: number };
  };
}

/** Standard Webhooks asks for less than 20 kB. The base URL is added to it. */
const maxBytes = 18_000;
/** Maximum lengths of a task's texts, tried one after the other until all of it fits. */
const textLengths = [2_000, 1_000, 500, 100] as const;
/** Number of things that a reminder names, and the length of their names: all of it has to fit. */
const maxNamed = 20;
const maxNameLength = 100;

/** Writes down what happened, with long texts cut. */
export function writePayload(
  payload: Omit<Payload, "data"> & { data: Omit<Payload["data"], "task"> },
  task: TaskRecord,
) {
  const { type, timestamp, data } = payload;
  let written = "";
  for (const length of textLengths) {
    const document: TaskV1 = JSON.parse(writeDocument(shorten(task, length)));
    const whole: Payload = { type, timestamp, data: { task: document, ...data } };
    written = JSON.stringify(whole);
    if (Buffer.byteLength(written) <= maxBytes) break;
  }
  return written;
}

/** Payload of a test. */
export function testPayload(type: typeof testEvent, now: number, unit: { id: string; name: string }): Payload {
  return { type, timestamp: formatTimestamp(now), data: { task: null, monitor: null, organizational_unit: unit } };
}

/** Writes a reminder. It names those that have been down the longest, and says how many there are. */
export function reminderPayload(down: readonly StillDown[], now: number, unit: { id: string; name: string }): string {
  const named = down
    .slice(0, maxNamed)
    .map((one) => presentStillDown({ ...one, name: cutText(one.name, maxNameLength) }));
  const payload: Payload = {
    type: reminderEvent,
    timestamp: formatTimestamp(now),
    data: {
      task: null,
      monitor: null,
      organizational_unit: unit,
      reminder: { down_count: down.length, down: named },
    },
  };
  return JSON.stringify(payload);
}

/** Writes that an item is stale. Of one with very many operations the runs are left out, and then the last of its operations. */
export function stalePayload(entity: EntityV1, timestamp: string, unit: { id: string; name: string }): string {
  const write = (one: EntityV1) => {
    const data = { task: null, monitor: null, organizational_unit: unit, entity: one };
    return JSON.stringify({ type: "entity.stale", timestamp, data } satisfies Payload);
  };
  const whole = write(entity);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const operations = entity.operations.map((one) => ({ ...one, recent_outcomes: [] }));
  const short = (count: number) => write({ ...entity, recent_outcomes: [], operations: operations.slice(0, count) });
  let count = operations.length;
  while (count > 1 && Buffer.byteLength(short(count)) > maxBytes) count = Math.ceil(count / 2);
  return short(count);
}

/** Parses a stored payload. */
export function readPayload(written: string): Payload {
  return JSON.parse(written);
}

function shorten(task: TaskRecord, length: number): TaskRecord {
  const cut = (text: string) => cutText(text, length);
  return {
    ...task,
    error: task.error && { ...task.error, message: cut(task.error.message), remedy: cut(task.error.remedy) },
    primary_entity: task.primary_entity && {
      ...task.primary_entity,
      id: cut(task.primary_entity.id),
      value: cut(task.primary_entity.value),
    },
  };
}

/** The beginning of a text, never half of a character. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
