import { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;

/** A body with a hostile text in one of its fields. */
export interface FilledBody {
  /** As messages name it: `access_control_configuration.0.role_id`. */
  field: string;
  /** All fields, with this text in the one. */
  fill(text: string): object;
}

/** For each text that a declared body can hold, wherever in it, how to fill that one. The rest is what was declared. */
export function textsOf(declared: z.ZodObject): FilledBody[] {
  const schema = z.toJSONSchema(declared, { io: "input" });
  return pathsOf(schema, []).map((path) => ({
    field: path.join("."),
    fill: (text) => Object(make(schema, path, text)),
  }));
}

function pathsOf(schema: Schema, path: string[]): string[][] {
  if (schema.enum || schema.type === "integer" || schema.type === "boolean") return [];
  if (schema.type === "string") return [path];
  if (schema.type === "array") return pathsOf(elementOf(schema), [...path, "0"]);
  return fieldsOf(schema).flatMap(([name, field]) => pathsOf(field, [...path, name]));
}

/** Makes a value of every field, so that nothing but the text is in the way; with a path, the text stands at its end. */
function make(schema: Schema, path: readonly string[] | undefined, text: string): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.type === "string") return path ? text : "x";
  if (schema.type === "integer") return 1;
  if (schema.type === "boolean") return true;
  if (schema.type === "array") return [make(elementOf(schema), path?.slice(1), text)];
  return Object.fromEntries(
    fieldsOf(schema).map(([name, field]) => [name, make(field, path?.[0] === name ? path.slice(1) : undefined, text)]),
  );
}

function elementOf({ items }: Schema): Schema {
  if (typeof items !== "object" || Array.isArray(items)) throw new Error("What a list holds is not declared.");
  return items;
}

function fieldsOf({ type, properties }: Schema): [string, Schema][] {
  if (type !== "object") throw new Error(`Nothing here makes a field of the type ${type}. Add it to body-texts.ts.`);
  return Object.entries(properties ?? {}).flatMap(([name, field]) =>
    typeof field === "object" ? [[name, field] satisfies [string, Schema]] : [],
  );
}
