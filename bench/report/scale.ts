/** A logarithmic axis: from a value to its place, and the values at which it has a line. */
export interface Scale {
  place(value: number): number;
  ticks: number[];
}

/** Makes an axis of whole powers of ten around some values. */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const lowest = Math.floor(Math.log10(Math.min(...positive, 1e9)));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...positive, 1e-9))));
  const place = (value: number) => {
    const share = (Math.log10(Math.max(value, 10 ** lowest)) - lowest) / (highest - lowest);
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
  const ticks = Array.from({ length: highest - lowest + 1 }, (_, step) => 10 ** (lowest + step));
  return { place, ticks };
}
