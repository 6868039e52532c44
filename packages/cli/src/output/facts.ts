/** An item as it is printed: its links are for programs that follow them. */
export function withoutLinks(item: object): object {
  const { _links: _, ...rest }: { _links?: unknown } = { ...item };
  return rest;
}

/** The fields of an item, those inside of others included, in words for people. */
export function factsForPeople(item: object): [string, string][] {
  return flatten(withoutLinks(item), "").map(([path, value]) => [inWords(path), forPeople(value)]);
}

/** The same as cells for programs. */
export function factsForPrograms(item: object): [string, string][] {
  return flatten(withoutLinks(item), "").map(([path, value]) => [path, forPrograms(value)]);
}

function flatten(value: object, path: string): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    const name = path === "" ? key : `${path}.${key}`;
    return isPlain(inner) ? flatten(inner, name) : [[name, inner]];
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function forPeople(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!Array.isArray(value)) return String(value);
  return value.map((one: unknown) => (isPlain(one) ? shortly(one) : String(one))).join(", ") || "-";
}

/** A run in a list of runs is known by how it ended. */
function shortly(value: object): string {
  return "outcome" in value ? String(value.outcome) : JSON.stringify(value);
}

function forPrograms(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A field's name for people: "Last heartbeat" for last_heartbeat_timestamp. */
function inWords(path: string): string {
  const words = path.replaceAll("_timestamp", "").replaceAll(".", " ").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
