/** The fields of a JSON object whose shape is not known. */
export type JsonFields = Readonly<Record<string, unknown>>;

export const openingBrace = 123;

/** The object that a line consists of, if it does. */
export function parseJsonLine(line: string): JsonFields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(fields: JsonFields, name: string): JsonFields | undefined {
  const value = fields[name];
  return isFields(value) ? value : undefined;
}

export function textOf(fields: JsonFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

/** A number, or 0 where there is none: some engines leave a 0 out. */
export function numberOf(fields: JsonFields, name: string): number {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
