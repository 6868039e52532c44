import { z } from "zod";
import { bodyOf, defaultVersion, type Operation, type Resource } from "../conventions/operation";
import { sortValues } from "../conventions/sort";
import { methodName } from "./client-methods";

type Schema = z.core.JSONSchema.BaseSchema;

/** Describes the verbs of a noun for the command line: filters, sorts and fields of bodies, without the schemas. */
export function declaredVerbs({ name, ...resource }: Resource) {
  const operations = resource.versions.find(
    ({ version }) => version === defaultVersion({ name, ...resource }),
  )?.operations;
  const find = (verb: string) => operations?.find((operation) => methodName(name, operation) === verb);
  const list = find("list");
  const item = list?.kind === "list" ? list.item : undefined;
  const itemSchema = item && z.toJSONSchema(item, { unrepresentable: "any" });
  return {
    isInUnit: itemSchema?.properties?.organizational_unit_id !== undefined,
    ...(list?.kind === "list"
      ? {
          list: {
            text: list.summary,
            sorts: list.sorts ? sortValues(list.sorts) : [],
            filters: Object.fromEntries(
              Object.entries(list.filters).map(([field, { kind, description }]) => {
                const words = wordsIn(schemaAt(itemSchema, field.split(".")));
                return [field, { kind, ...(words.length > 0 ? { words } : {}), text: description }];
              }),
            ),
          },
        }
      : {}),
    ...changeOf("create", find("create")),
    ...changeOf("update", find("update")),
    ...changeOf("delete", find("delete")),
  };
}

function changeOf(verb: string, operation: Operation | undefined) {
  if (operation?.kind !== "write") return {};
  const body = bodyOf(operation);
  const { properties = {}, required = [] } = body ? z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) : {};
  const fields = Object.entries(properties).map(([field, schema]) => [field, fieldOf(field, schema, required)]);
  return { [verb]: { text: operation.summary, fields: Object.fromEntries(fields) } };
}

function fieldOf(name: string, schema: Schema | boolean, required: readonly string[]) {
  const choices = alternatives(schema);
  const present = choices.filter(({ type }) => type !== "null");
  const [only = {}] = present;
  const words = wordsIn(only);
  return {
    kind: present.length === 1 ? kindOf(only) : "json",
    ...(required.includes(name) ? { isRequired: true } : {}),
    ...(choices.length > present.length ? { isNullable: true } : {}),
    ...(words.length > 0 ? { words } : {}),
    ...(only.type === "integer" ? { min: only.minimum, max: only.maximum } : {}),
    text: typeof schema === "object" ? (schema.description ?? "") : "",
  };
}

function alternatives(schema: Schema | boolean | undefined): Schema[] {
  if (typeof schema !== "object") return [];
  return schema.anyOf?.flatMap(alternatives) ?? [schema];
}

function kindOf({ type, format, enum: words, items }: Schema) {
  if (words) return "choice";
  if (type === "integer") return "number";
  if (type === "boolean") return "flag";
  if (type === "array")
    return typeof items === "object" && "type" in items && items.type === "string" ? "list" : "json";
  if (type !== "string") return "json";
  return format === "date-time" ? "timestamp" : "text";
}

/** The words that a field, or an element of its list, can be. */
function wordsIn(schema: Schema | undefined): string[] {
  const items = schema?.items;
  const element = typeof items === "object" && !Array.isArray(items) ? items : schema;
  return element?.enum?.filter((word) => typeof word === "string") ?? [];
}

/** Schema of a field of an item by its path; nothing if a filter looks at something that the item does not show. */
function schemaAt(schema: Schema | undefined, [first, ...rest]: readonly string[]): Schema | undefined {
  if (first === undefined) return schema;
  const [inner] = alternatives(schema?.properties?.[first]).filter(({ type }) => type !== "null");
  return schemaAt(inner, rest);
}
