/** A month in UTC. */
export interface Month {
  /** As in `2026-11`. */
  label: string;
  /** Milliseconds since 1970. */
  from: number;
  until: number;
}

/** The month in which a moment lies. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  const [year, ofYear] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    label: `${String(year).padStart(4, "0")}-${String(ofYear + 1).padStart(2, "0")}`,
    from: Date.UTC(year, ofYear),
    until: Date.UTC(year, ofYear + 1),
  };
}
