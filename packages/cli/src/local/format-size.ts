/** A number of bytes for people: `2.3 MB`. */
export function formatSize(bytes: number): string {
  const [size, unit] = bytes < 1_000_000_000 ? [bytes / 1_000_000, "MB"] : [bytes / 1_000_000_000, "GB"];
  return `${size.toFixed(1)} ${unit}`;
}
