import type { ErrorBody } from "@holdfast/api/conventions/api-error";
import type { Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type FilteredFields, matchesFilter } from "./filtered-fields";
import { isWhole, type Place, placeAfter } from "./place";
import type { ReadChanges, TaskChange } from "./task-changes";

/** What a stream shows: the tasks of a unit and of those below it that match a filter. */
export interface Watched {
  filter: Filter<TaskFilterField>;
  /** Whether a unit is the watched one, or below it. */
  covers: (unitId: string) => boolean;
}

/** An event of a stream. */
export interface WatchEvent {
  event: "snapshot" | "match" | "task" | "gone" | "reset" | "end";
  /** As JSON. */
  data: string;
}

/** An event, and where a stream has got to with it. */
export type PlacedEvent = WatchEvent & { place: Place };

/** What has to be said about changes, to one who has got to a place. */
export function eventsOf(read: ReadChanges, place: Place, watched: Watched): PlacedEvent[] {
  const isShown = (fields: FilteredFields) =>
    watched.covers(String(fields.organizational_unit_id)) && matchesFilter(watched.filter, fields);
  const events = [...unsaid(read.changes, place)].flatMap(([id, { number, before }]): PlacedEvent[] => {
    const task = read.tasks.get(id);
    const wasShown = before !== null && isShown(before);
    // A batch that goes on from within another one is said again from there if it is cut, too.
    const reached = isWhole(place) ? { from: place.from, done: number, to: read.place } : place;
    if (task && isShown(task.fields))
      return [{ event: wasShown ? "task" : "match", data: task.document, place: reached }];
    return wasShown ? [{ event: "gone", data: JSON.stringify({ id }), place: reached }] : [];
  });
  return events.map((event, index) =>
    index === events.length - 1 ? { ...event, place: placeAfter(read.place) } : event,
  );
}

/** Of several changes of one task, what it was before the first counts that was not said, and what it is now. */
function unsaid(changes: readonly TaskChange[], { from, done, to }: Place): Map<string, TaskChange> {
  const begun = new Map<string, number>();
  const first = new Map<string, TaskChange>();
  for (const change of changes) {
    const { number, taskId } = change;
    if (number <= from) continue;
    if (!begun.has(taskId)) begun.set(taskId, number);
    const isSaid = number <= to && (begun.get(taskId) ?? number) <= done;
    if (!isSaid && !first.has(taskId)) first.set(taskId, change);
  }
  return first;
}

/** Writes an event as a stream of events has it. The id is where to go on after it. */
export function writeEvent({ event, data }: WatchEvent, id: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** The last event: why there are no more. */
export function endEvent(errors: ErrorBody): WatchEvent {
  return { event: "end", data: JSON.stringify(errors) };
}
