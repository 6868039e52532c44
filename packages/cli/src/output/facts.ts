import type { Tone } from "../terminal/colours";
import { ago, minute } from "./moments";

/** One thing that is said of an item, in words for people. */
export type Fact = readonly [name: string, value: string, tone?: Tone | undefined];

/** A fact that is left out if there is nothing to say. */
export function some(name: string, value: string | null | undefined, tone?: Tone): Fact[] {
  return value === null || value === undefined || value === "" ? [] : [[name, value, tone]];
}

/** A moment, and how long ago or how soon it is. */
export function moment(timestamp: string): string;
export function moment(timestamp: string | null | undefined): string | undefined;
export function moment(timestamp: string | null | undefined): string | undefined {
  return timestamp ? `${minute(timestamp)} UTC, ${ago(timestamp, Date.now())}` : undefined;
}

/** An item as it is printed: its links are for programs that follow them. */
export function withoutLinks(item: object): object {
  const { _links: _, ...rest }: { _links?: unknown } = { ...item };
  return rest;
}

/** The fields of any item, those inside of others included, in words for people. */
export function factsForPeople(item: object): Fact[] {
  return flatten(withoutLinks(item), "").map(([path, value]) => [inWords(path), forPeople(value)]);
}

/** The fields of an item as cells for programs. */
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
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? moment(value) : value;
  if (!Array.isArray(value)) return String(value);
  return value.map((one: unknown) => (isPlain(one) ? shortly(one) : forPeople(one))).join(", ") || "-";
}

/** A run in a list of runs is known by how it ended, and other things by all of their fields. */
function shortly(value: object): string {
  if ("outcome" in value) return String(value.outcome);
  return flatten(value, "")
    .map(([path, inner]) => `${inWords(path).toLowerCase()} ${forPeople(inner)}`)
    .join(" and ");
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
