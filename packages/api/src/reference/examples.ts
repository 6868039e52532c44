import { z } from "zod";
import type { FieldKind, FilterField } from "../conventions/filter";
import { versionedMediaType } from "../conventions/media-type";
import {
  bodyOf,
  defaultVersion,
  type ListOperation,
  type Operation,
  parametersOf,
  type WatchOperation,
} from "../conventions/operation";
import type { DocumentedOperation } from "./operations";

const exampleId = "5f0c9a3e-6f0b-4b7c-9a54-0d7c1c9f6a21";
const exampleValues: Record<FieldKind, string | boolean> = {
  word: "restic_backup",
  id: exampleId,
  text: "db-01",
  name: "ann",
  timestamp: "2026-11-01T00:00:00Z",
  flag: true,
};
const exampleTexts: Record<string, string> = {
  email: "ann@example.org",
  full_name: "Ann Example",
  permission: "tasks:read",
};

/** A call of an operation in its default version, for a shell in which URL and TOKEN are set. */
export function exampleCall({ resource, newest }: DocumentedOperation, vendor: string): string {
  const path = `${newest.path.replaceAll(/\{[^}]+\}/g, exampleId)}${exampleQuery(newest)}`;
  const method = `-X ${newest.method.toUpperCase()} `;
  // A stream is shown as it comes.
  const how = { list: "--get ", watch: "--no-buffer --get ", read: "", write: method, report: method }[newest.kind];
  const lines = [
    `curl ${how}"$URL${path}"`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H "Accept: ${versionedMediaType(vendor, resource.name, defaultVersion(resource))}"`,
  ];
  const isOfMany = newest.kind === "list" || newest.kind === "watch";
  if (isOfMany) lines.push("-d limit=20");
  if (isOfMany && Object.keys(newest.filters).length > 0) {
    lines.push(`--data-urlencode 'filter=${exampleFilter(newest)}'`);
  }
  const body = bodyOf(newest);
  if (body) {
    lines.push('-H "Content-Type: application/json"', `-d '${exampleBody(body)}'`);
  }
  return lines.join(" \\\n  ");
}

/** Writes the parameters without which an operation is refused, as a query. */
export function exampleQuery(operation: Operation): string {
  const query = new URLSearchParams();
  for (const [name, shape] of Object.entries(parametersOf(operation))) {
    const { isRequired, examples: [example] = [] } = z.toJSONSchema(shape, { io: "input" });
    if (isRequired === true) query.set(name, String(example));
  }
  return query.size > 0 ? `?${query}` : "";
}

/** A filter that uses the first field, and its first timestamp where it has one. */
export function exampleFilter({ filters, item }: ListOperation | WatchOperation): string {
  const fields = Object.entries(filters);
  const first = fields.slice(0, 1);
  const moment = fields.filter(([, { kind }]) => kind === "timestamp").slice(0, 1);
  const wanted = [...new Map([...first, ...moment])].map(([name, field]) => [
    name,
    exampleCondition(name, field, item),
  ]);
  return JSON.stringify(Object.fromEntries(wanted));
}

/** The body that is declared as an example; else one with every field that is needed, or with the first where none is. */
export function exampleBody(body: z.ZodObject): string {
  const schema = z.toJSONSchema(body, { io: "input" });
  const [declared] = schema.examples ?? [];
  if (declared !== undefined) return JSON.stringify(declared);
  const names = schema.required?.length ? schema.required : Object.keys(schema.properties ?? {}).slice(0, 1);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, exampleValue(name, schema.properties?.[name])])));
}

/** A value of the right type that shows, judged by its name, what the field is for. */
function exampleValue(name: string, schema: z.core.JSONSchema._JSONSchema | undefined): unknown {
  if (typeof schema !== "object") return null;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [exampleValue(name.replace(/s$/, ""), elementOf(schema))];
  if (schema.type === "object") {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([field, value]) => [field, exampleValue(field, value)]));
  }
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return 3600;
  if (/_id$/.test(name)) return exampleId;
  if (/_timestamp$/.test(name)) return exampleValues.timestamp;
  return exampleTexts[name] ?? "Berlin";
}

function elementOf({ items }: z.core.JSONSchema.BaseSchema): z.core.JSONSchema._JSONSchema | undefined {
  return Array.isArray(items) ? items[0] : items;
}

function exampleCondition(name: string, { kind, operators }: FilterField, item: z.ZodType): unknown {
  const operator = kind === "timestamp" ? (operators.find((one) => one === "$gte") ?? operators[0]) : operators[0];
  const value = wordsOf(item, name)[0] ?? exampleValues[kind];
  if (operator === undefined || operator === "$eq") return value;
  return { [operator]: operator === "$in" ? [value] : value };
}

/** The words that a field of an item can be, where they are a closed set. */
function wordsOf(item: z.ZodType, field: string): unknown[] {
  const property = z.toJSONSchema(item).properties?.[field];
  return typeof property === "object" ? (property.enum ?? []) : [];
}
