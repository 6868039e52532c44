/** A value as the protocol carries it; undefined for what only the driver can write. */
function writtenValue(value: unknown): string | null | undefined {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? writtenList(value) : undefined;
}

function writtenList(values: readonly unknown[]): string | undefined {
  const written: string[] = [];
  for (const one of values) {
    const value = Array.isArray(one) ? undefined : writtenValue(one);
    if (value === undefined) return undefined;
    written.push(value === null ? "NULL" : typeof one === "string" ? quoted(value) : value);
  }
  return `{${written.join(",")}}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The values of a statement as the protocol carries them; undefined where one is neither a text, a number nor a list of these. */
export function writtenValues(values: readonly unknown[]): (string | null)[] | undefined {
  const written = values.map(writtenValue);
  return written.every((value) => value !== undefined) ? written : undefined;
}
