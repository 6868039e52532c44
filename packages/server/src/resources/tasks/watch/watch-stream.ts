import type { ErrorBody } from "@holdfast/api/conventions/api-error";
import type { FilteredFields } from "./filtered-fields";
import { knownOf, placeAfter, placeWithin, type StreamPlace } from "./stream-place";
import type { ReadChanges, TaskChange } from "./task-changes";

/** Tasks that a stream shows: the tasks of a unit and of those below it that match a filter. */
export interface Watched {
  matches: (fields: FilteredFields) => boolean;
  /** True if a unit is the watched one, or below it. */
  covers: (unitId: string) => boolean;
}

/** An event of a stream. */
export interface WatchEvent {
  event: "snapshot" | "match" | "task" | "gone" | "reset" | "end";
  /** As JSON. */
  data: string;
}

/** An event, and where a stream has got to with it. */
export type PlacedEvent = WatchEvent & { place: StreamPlace };

/** Events that follow from changes, for a stream that has got to a place. */
export function eventsOf(read: ReadChanges, place: StreamPlace, watched: Watched): PlacedEvent[] {
  const isShown = (fields: FilteredFields) =>
    watched.covers(String(fields.organizational_unit_id)) && watched.matches(fields);
  const events = unsaid(read.changes, place).flatMap(({ taskId: id, before, firstChange }): PlacedEvent[] => {
    const task = read.tasks.get(id);
    const wasShown = before !== null && isShown(before);
    const reached = placeWithin(place, firstChange, read.place);
    if (task && isShown(task.fields))
      return [{ event: wasShown ? "task" : "match", data: task.document, place: reached }];
    return wasShown ? [{ event: "gone", data: JSON.stringify({ id }), place: reached }] : [];
  });
  return events.map((event, index) =>
    index === events.length - 1 ? { ...event, place: placeAfter(read.place) } : event,
  );
}

/**
 * The tasks of which something was not said yet, in the order of their first change after the place. Of several changes
 * of one task, the state before the first one that was not said counts.
 */
function unsaid(changes: readonly TaskChange[], place: StreamPlace): (TaskChange & { firstChange: number })[] {
  const fresh = changes.filter(({ position }) => position > place.from);
  return [...Map.groupBy(fresh, ({ taskId }) => taskId).values()].flatMap((ofTask) => {
    const known = knownOf(place, ofTask);
    const change = ofTask.find(({ position }) => position > known);
    return change && ofTask[0] ? [{ ...change, firstChange: ofTask[0].number }] : [];
  });
}

/** Writes an event as a stream of events has it. The id is where to go on after it. */
export function writeEvent({ event, data }: WatchEvent, id: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** The last event: why there are no more. */
export function endEvent(errors: ErrorBody): WatchEvent {
  return { event: "end", data: JSON.stringify(errors) };
}
