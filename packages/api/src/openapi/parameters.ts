import { z } from "zod";
import { type FilterField, type FilterFields, filterLimits, type Operator } from "../conventions/filter";
import type { Operation, ReportOperation } from "../conventions/operation";
import { type ListParameter, listParameters, type PageSizes, pageNumberPattern } from "../conventions/paging";
import { textLimits } from "../conventions/text-limits";
import { unitHeader } from "../conventions/unit-header";
import { variablesOf } from "../reference/operations";

/** Headers that every operation of the API takes. Accept is none of them: OpenAPI reads it from the media types. */
export function sharedParameters(vendor: string) {
  return {
    organizational_unit: {
      name: unitHeader(vendor),
      in: "header",
      description: "The organizational unit to act in. Without it, the one that the token was made for.",
      schema: { type: "string", format: "uuid" },
    },
    if_none_match: {
      name: "If-None-Match",
      in: "header",
      description: "The ETag of an earlier answer; 304 says that nothing has changed since.",
      schema: { type: "string" },
    },
    last_event_id: {
      name: "Last-Event-ID",
      in: "header",
      description: "The id of the last event that was received: the stream goes on after it.",
      schema: { type: "string" },
    },
    if_match: {
      name: "If-Match",
      in: "header",
      description: "The ETag of the item as it was last read; 412 says that it has changed since.",
      schema: { type: "string" },
    },
    idempotency_key: {
      name: "Idempotency-Key",
      in: "header",
      description: "Any text of up to 200 characters. The same request with the same key within a day is done once.",
      schema: { type: "string", maxLength: 200 },
    },
    csrf_token: {
      name: "X-CSRF-Token",
      in: "header",
      description: "Needed with a session cookie, not with a token: the csrf_token of GET /session.",
      schema: { type: "string" },
    },
  };
}

/** Refs to the headers that an operation takes. */
export function sharedParameterRefs({
  kind,
  method,
  path,
  change,
}: Pick<Operation, "kind" | "method" | "path"> & Pick<ReportOperation, "change">): { $ref: string }[] {
  // Reports come in the order of their own numbers, whatever was read before; what changes something instead does not.
  const match = (kind === "write" || change) && isAboutItem({ path }) ? ["if_match"] : [];
  const own = {
    get: [kind === "watch" ? "last_event_id" : "if_none_match"],
    post: ["idempotency_key", ...match],
    patch: match,
    delete: match,
  }[method];
  const names = ["organizational_unit", ...own, ...(method === "get" ? [] : ["csrf_token"])];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** True if an operation is about one item, which may be missing or have changed. */
export function isAboutItem({ path }: Pick<Operation, "path">): boolean {
  return path.includes("{");
}

/** The variables of a path, which are ids of the given items. */
export function pathParameters(path: string, item: z.ZodType | undefined): object[] {
  return variablesOf(path).map((name) => ({
    name,
    in: "path",
    required: true,
    description: `The ${name.replace(/_id$/, "").replaceAll("_", " ")}'s id.`,
    schema: { type: "string", maxLength: textLimits.id, ...idFormatOf(item) },
  }));
}

function idFormatOf(item: z.ZodType | undefined): { format?: string } {
  const id = item && z.toJSONSchema(item).properties?.id;
  return typeof id === "object" && id.format !== undefined ? { format: id.format } : {};
}

/** Query parameters that only one operation takes. */
export function ownQueryParameters(parameters: Readonly<Record<string, z.ZodType>>): object[] {
  return Object.entries(parameters).map(([name, shape]) => {
    const { $schema, description, isRequired, ...schema } = z.toJSONSchema(shape, { io: "input" });
    return { name, in: "query", description, ...(isRequired === true ? { required: true } : {}), schema };
  });
}

/** Those of the parameters of lists that an operation can be asked with. */
export function listQueryParameters(names: readonly ListParameter[], sizes: PageSizes, fields: FilterFields): object[] {
  const described: Record<ListParameter, object> = {
    limit: {
      description: `${listParameters.limit} The maximum is ${sizes.maximum}.`,
      schema: { type: "integer", minimum: 0, default: sizes.default },
    },
    start: {
      description: listParameters.start,
      schema: { type: "string", pattern: pageNumberPattern, default: "1" },
    },
    filter: {
      description: describeFilter(fields),
      // A string, because that is what goes into the address: generated clients would send an object as something else.
      schema: {
        type: "string",
        maxLength: filterLimits.bytes,
        contentMediaType: "application/json",
        contentSchema: filterSchema(fields),
      },
    },
    cursor: { description: listParameters.cursor, schema: { type: "string" } },
  };
  return names.map((name) => ({ name, in: "query", ...described[name] }));
}

function describeFilter(fields: FilterFields): string {
  const { bytes, conditions, values } = filterLimits;
  return [
    'The text of a JSON object, percent-encoded as any parameter: `{"field":{"$operator":"value"}}`.',
    "All fields and all operators in it have to hold; a bare value means `$eq`, and `$in` takes a list.",
    `At most ${bytes} bytes, ${conditions} conditions and ${values} values in an \`$in\`.`,
    "",
    ...Object.entries(fields).map(
      ([name, { operators, description }]) =>
        `- \`${name}\` (${operators.map((operator) => `\`${operator}\``).join(", ")}): ${description}`,
    ),
  ].join("\n");
}

function filterSchema(fields: FilterFields): object {
  return {
    type: "object",
    additionalProperties: false,
    maxProperties: filterLimits.conditions,
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
  };
}

function fieldSchema({ kind, operators, description }: FilterField): object {
  const conditions = {
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: Object.fromEntries(operators.map((operator) => [operator, valueSchema(kind, operator)])),
  };
  return operators.includes("$eq")
    ? { description, anyOf: [valueSchema(kind, "$eq"), conditions] }
    : { description, ...conditions };
}

function valueSchema(kind: FilterField["kind"], operator: Operator): object {
  if (operator === "$in") return { type: "array", items: { type: "string" }, maxItems: filterLimits.values };
  if (kind === "flag") return { type: "boolean" };
  return kind === "timestamp" ? { type: "string", format: "date-time" } : { type: "string" };
}
