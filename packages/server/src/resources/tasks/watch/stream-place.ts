import type { TaskChange } from "./task-changes";

/**
 * Where a stream has got to. Everything up to the position `from` was said. Tasks that changed after it are said in the order of
 * their first change since then, and a batch of events may be cut after any of them. So each part says: of the tasks whose first
 * change up to the position `known` has at most the number `upTo`, everything up to `known` was said. Parts are in rising order of
 * `upTo`.
 */
export interface StreamPlace {
  from: number;
  parts: readonly PlacePart[];
}

interface PlacePart {
  upTo: number;
  known: number;
}

const digits = 16;
/** Every cut within what was cut before adds a part. Beyond so many, events are said again rather than lost. */
const maxParts = 12;
/** No change has this position: a stream that resumes from here begins again. */
const nowhere = -1;

/** The place after everything up to a position. */
export function placeAfter(position: number): StreamPlace {
  return { from: position, parts: [] };
}

/** The place of a client that has to be sent everything again. */
export const lostPlace: StreamPlace = placeAfter(nowhere);

/** The place once the tasks whose first change is at most `upTo` were said up to `known`. */
export function placeWithin(place: StreamPlace, upTo: number, known: number): StreamPlace {
  const parts = [{ upTo, known }, ...place.parts.filter((part) => part.upTo > upTo)];
  return parts.length > maxParts ? place : { ...place, parts };
}

/** Returns the position up to which a task was said that has these changes since `from`, in the order of their numbers. */
export function knownOf(
  { from, parts }: StreamPlace,
  changes: readonly Pick<TaskChange, "number" | "position">[],
): number {
  const said = parts.find(({ upTo, known }) => {
    const first = changes.find(({ position }) => position <= known);
    return first !== undefined && first.number <= upTo;
  });
  return said?.known ?? from;
}

/** The newest position of which anything was said. */
export function newestKnown({ from, parts }: StreamPlace): number {
  return Math.max(from, ...parts.map(({ known }) => known));
}

/** Writes a place. Its length depends on the client's own cuts alone, so it says nothing of how much has happened. */
export function formatPlace({ from, parts }: StreamPlace): string {
  const written = parts.length > 0 ? parts : [{ upTo: from, known: from }];
  const numbers = [from, ...written.flatMap(({ upTo, known }) => [upTo, known])];
  return numbers.map((number) => String(number).padStart(digits, "0")).join(" ");
}

/** Reads a place; undefined where it is none. */
export function parsePlace(text: string): StreamPlace | undefined {
  // A negative number has its sign behind the zeros that it was filled up with.
  if (text === formatPlace(lostPlace)) return lostPlace;
  const [from, ...others] = text.split(" ").map(Number);
  if (from === undefined || Number.isNaN(from) || others.length % 2 > 0) return undefined;
  const parts: PlacePart[] = [];
  for (let at = 0; at < others.length; at += 2) parts.push({ upTo: others[at] ?? 0, known: others[at + 1] ?? 0 });
  return { from, parts };
}
