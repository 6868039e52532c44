/**
 * Where a stream has got to in the order of changes. Everything up to `from` was said. Of what came after it and up to `to`,
 * that of the tasks which changed first up to `done` was said: a batch of events may be cut anywhere.
 */
export interface Place {
  from: number;
  done: number;
  to: number;
}

const digits = 16;
/** No change has this number: what goes on from here begins again. */
const nowhere = -1;

/** The place after everything up to a number. */
export function placeAfter(number: number): Place {
  return { from: number, done: number, to: number };
}

/** The place of one who has to hear everything again. */
export const lostPlace: Place = placeAfter(nowhere);

/** Whether a batch of events was said to its end. */
export function isWhole({ from, to }: Place): boolean {
  return from === to;
}

/** Writes a place. All are of the same length, which says nothing of how much has happened. */
export function formatPlace({ from, done, to }: Place): string {
  return [from, done, to].map((number) => String(number).padStart(digits, "0")).join(" ");
}

/** Reads a place; undefined where it is none. */
export function parsePlace(text: string): Place | undefined {
  const [from, done, to, ...others] = text.split(" ").map(Number);
  if (from === undefined || done === undefined || to === undefined || others.length > 0) return undefined;
  // A negative number has its sign behind the zeros that it was filled up with.
  return text === formatPlace(lostPlace) ? lostPlace : { from, done, to };
}
