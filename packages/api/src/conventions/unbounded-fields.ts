import { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * The fields of a body that could be of any length: texts without a longest length, lists without a most, and whatever may
 * be anything at all. Such a body is not read.
 * @example unboundedFields(z.object({ name: z.string(), ids: z.array(z.string().max(9)) })) // ["name", "ids"]
 */
export function unboundedFields(body: z.ZodType): string[] {
  return [...new Set(inside(z.toJSONSchema(body, { io: "input", reused: "inline" }), ""))];
}

function inside(schema: z.core.JSONSchema._JSONSchema, path: string): string[] {
  // `false` allows nothing, and `true` anything.
  if (typeof schema === "boolean") return schema ? [path] : [];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (alternatives.length > 0) return alternatives.flatMap((one) => inside(one, path));
  if (schema.enum || "const" in schema) return [];
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.flatMap((type) => insideType(schema, type, path));
}

function insideType(schema: Schema, type: Schema["type"], path: string): string[] {
  switch (type) {
    case "string":
      return schema.maxLength === undefined ? [path] : [];
    case "array":
      return [...(schema.maxItems === undefined ? [path] : []), ...elementsOf(schema, `${path}[]`)];
    case "object":
      return [...fieldsOf(schema, path === "" ? "" : `${path}.`), ...namelessOf(schema, `${path}.*`)];
    case "boolean":
    case "integer":
    case "number":
    case "null":
      return [];
    default:
      return [path];
  }
}

function elementsOf({ items, prefixItems }: Schema, path: string): string[] {
  const elements = [...(prefixItems ?? []), ...(Array.isArray(items) ? items : [items ?? true])];
  return elements.flatMap((element) => inside(element, path));
}

function fieldsOf({ properties = {} }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => inside(field, `${prefix}${name}`));
}

/** Fields whose names are not declared. What is not declared at all is refused when a body is read. */
function namelessOf({ additionalProperties = false, propertyNames }: Schema, path: string): string[] {
  if (additionalProperties === false) return [];
  return [...inside(propertyNames ?? true, path), ...inside(additionalProperties, path)];
}
