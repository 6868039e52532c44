const whole = new Intl.NumberFormat("en");

/** A number of things: `20,000`. */
export function countText(count: number): string {
  return whole.format(count);
}

/** A number with its noun: `1 task`, `20,000 tasks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A size: `84 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
