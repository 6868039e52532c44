import { z } from "zod";
import { listEnvelope } from "../conventions/paging";

/** A field of an item as a reader meets it, nested ones by their path: `primary_entity.id`. */
export interface DocumentedField {
  name: string;
  type: string;
  /** Empty where the name and the field around it say all. */
  description: string;
}

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Lists the fields of an item with their types in words.
 * @example documentedFields(userV1)[3] // { name: "is_confirmed", type: "boolean", description: "Whether …" }
 */
export function documentedFields(item: z.ZodType): DocumentedField[] {
  return fieldsOf(z.toJSONSchema(item), "");
}

/** A field of a body, and whether it has to be there. */
export interface DocumentedBodyField extends DocumentedField {
  isNeeded: boolean;
}

/** Lists the fields of a body that has to be sent. Those inside of a field that is there have to be there, too. */
export function documentedBody(body: z.ZodObject): DocumentedBodyField[] {
  const schema = z.toJSONSchema(body, { io: "input" });
  return fieldsOf(schema, "").map((field) => ({
    ...field,
    isNeeded: schema.required?.includes(field.name.replace(/(\[\])?\..*$/, "")) ?? false,
  }));
}

/** The fields around the items of a list; those of the items are listed with each resource. */
export function documentedEnvelope(): DocumentedField[] {
  return documentedFields(listEnvelope(z.object({})));
}

function fieldsOf(schema: Schema, prefix: string): DocumentedField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    if (typeof value === "boolean") return [];
    const path = `${prefix}${name}`;
    const field = { name: path, type: typeInWords(value), description: value.description ?? "" };
    // Every link looks alike: the section on links describes it once.
    return name === "_links" ? [field] : [field, ...fieldsOf(...inside(value, path))];
  });
}

/** The object that a field holds, or holds a list of, and how the names of its fields begin. */
function inside(schema: Schema, path: string): [Schema, string] {
  const { present } = splitNull(schema);
  return present.type === "array" ? [elementOf(present), `${path}[].`] : [present, `${path}.`];
}

function typeInWords(schema: Schema): string {
  const { present, isNullable } = splitNull(schema);
  if (!isNullable) return presentInWords(present);
  return `${presentInWords(present)}${present.enum ? "," : ""} or null`;
}

function presentInWords(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  if (schema.type === "array") return `list of ${presentInWords(elementOf(schema))}s`;
  if (schema.type === "integer") return `whole number${rangeInWords(schema)}`;
  return String(schema.type ?? "any");
}

function rangeInWords({ minimum, maximum }: Schema): string {
  if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return "";
  return ` from ${minimum} to ${maximum}`;
}

function elementOf({ items }: Schema): Schema {
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}

/** Takes "or null" off a schema; Zod writes it as a list of types or as an alternative. */
function splitNull(schema: Schema): { present: Schema; isNullable: boolean } {
  if (Array.isArray(schema.type)) {
    const type = schema.type.find((one) => one !== "null") ?? "null";
    return { present: { ...schema, type }, isNullable: schema.type.includes("null") };
  }
  const present = schema.anyOf?.filter(isPresent)[0];
  return present ? { present, isNullable: true } : { present: schema, isNullable: false };
}

function isPresent(schema: z.core.JSONSchema._JSONSchema): schema is Schema {
  return typeof schema === "object" && schema.type !== "null";
}
