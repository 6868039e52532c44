import { z } from "zod";

type Schema = z.core.JSONSchema.BaseSchema;
/** A step into a schema: a field, an element, or one of several shapes. */
type Step = string | { choice: number };

/** A body with a hostile text in one of its fields. */
export interface FilledBody {
  /** As messages name it: `access_control_configuration.0.role_id`. */
  field: string;
  /** Maximum number of characters, as it is declared; 0 where only its pattern says so. */
  longest: number;
  /** All fields, with this text in the one. */
  fill(text: string): object;
}

/** For each text that a declared body can hold, wherever in it, how to fill that one. The rest is what was declared. */
export function textsOf(declared: z.ZodObject): FilledBody[] {
  const schema = z.toJSONSchema(declared, { io: "input" });
  return pathsOf(schema, []).map((path) => ({
    field: path.filter((step) => typeof step === "string").join("."),
    longest: maxLengthAt(schema, path),
    fill: (text) => Object(make(schema, path, text)),
  }));
}

/** Maximum length of the text at the end of a path. */
function maxLengthAt(schema: Schema, [step, ...rest]: readonly Step[]): number {
  if (step === undefined) return schema.maxLength ?? 0;
  const choice = typeof step === "object" ? step.choice : 0;
  const chosen = choicesOf(schema)[choice];
  if (chosen) return maxLengthAt(chosen, typeof step === "object" ? rest : [step, ...rest]);
  const inner = schema.type === "array" ? elementOf(schema) : fieldsOf(schema).find(([name]) => name === step)?.[1];
  return inner ? maxLengthAt(inner, rest) : 0;
}

function pathsOf(schema: Schema, path: Step[]): Step[][] {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.flatMap((one, choice) => pathsOf(one, [...path, { choice }]));
  if (schema.const !== undefined || schema.type === "null") return [];
  if (schema.enum || schema.type === "integer" || schema.type === "boolean") return [];
  if (schema.type === "string") return [path];
  if (schema.type === "array") return pathsOf(elementOf(schema), [...path, "0"]);
  return fieldsOf(schema).flatMap(([name, field]) => pathsOf(field, [...path, name]));
}

/** Makes a value of every field, so that nothing but the text is in the way; with a path, the text stands at its end. */
function make(schema: Schema, path: readonly Step[] | undefined, text: string): unknown {
  const [step] = path ?? [];
  const choices = choicesOf(schema);
  const chosen = choices[typeof step === "object" ? step.choice : 0];
  if (chosen) return make(chosen, path?.slice(1), text);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "string") return path ? text : "x";
  if (schema.type === "integer") return 1;
  if (schema.type === "boolean") return true;
  if (schema.type === "array") return [make(elementOf(schema), path?.slice(1), text)];
  return Object.fromEntries(
    fieldsOf(schema).map(([name, field]) => [name, make(field, step === name ? path?.slice(1) : undefined, text)]),
  );
}

/** The shapes of which a value has one. */
function choicesOf({ anyOf, oneOf }: Schema): Schema[] {
  return [...(anyOf ?? []), ...(oneOf ?? [])].flatMap((one) => (typeof one === "object" ? [one] : []));
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
