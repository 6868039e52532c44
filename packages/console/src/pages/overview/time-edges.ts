const hour = 3_600_000;

/** The beginnings of the last hours, oldest first, and the end of the one that is under way. */
export function hourEdges(now: number, count: number): number[] {
  const end = Math.floor(now / hour) * hour + hour;
  return Array.from({ length: count + 1 }, (_, at) => end - (count - at) * hour);
}

/** Edges of days in the viewer's zone, which have 23 or 25 hours where the clock changes. */
export function dayEdges(now: number, count: number): number[] {
  const today = new Date(now);
  return Array.from({ length: count + 1 }, (_, at) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1 - (count - at)).getTime(),
  );
}
