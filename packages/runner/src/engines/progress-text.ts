const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** A size as people read it: `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** A whole percentage; 100 only when all is done. */
export function percentageOf(done: number, total: number): number | undefined {
  if (!(total > 0) || !(done >= 0)) return undefined;
  return Math.min(100, Math.floor((done / total) * 100));
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
