import { z } from "zod";
import type { FieldKind, FilterField } from "../conventions/filter";
import { versionedMediaType } from "../conventions/media-type";
import { defaultVersion, type ListOperation } from "../conventions/operation";
import type { DocumentedOperation } from "./operations";

const exampleId = "5f0c9a3e-6f0b-4b7c-9a54-0d7c1c9f6a21";
const exampleValues: Record<FieldKind, string> = {
  word: "restic_backup",
  id: exampleId,
  text: "db-01",
  name: "ann",
  timestamp: "2026-11-01T00:00:00Z",
};

/** A call of an operation in its default version, for a shell in which BASE_URL and TOKEN are set. */
export function exampleCall({ resource, newest }: DocumentedOperation, vendor: string): string {
  const path = newest.path.replaceAll(/\{[^}]+\}/g, exampleId);
  const lines = [
    `curl ${newest.kind === "list" ? "--get " : ""}"$BASE_URL${path}"`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H "Accept: ${versionedMediaType(vendor, resource.name, defaultVersion(resource))}"`,
  ];
  if (newest.kind === "list") lines.push("-d limit=20", `--data-urlencode 'filter=${exampleFilter(newest)}'`);
  return lines.join(" \\\n  ");
}

/** A filter that uses the list's first field, and its first timestamp where it has one. */
export function exampleFilter({ filters, item }: ListOperation): string {
  const fields = Object.entries(filters);
  const first = fields.slice(0, 1);
  const moment = fields.filter(([, { kind }]) => kind === "timestamp").slice(0, 1);
  const wanted = [...new Map([...first, ...moment])].map(([name, field]) => [
    name,
    exampleCondition(name, field, item),
  ]);
  return JSON.stringify(Object.fromEntries(wanted));
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
