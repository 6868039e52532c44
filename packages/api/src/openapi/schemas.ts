import { z } from "zod";
import type { ErrorBody } from "../conventions/api-error";
import { link } from "../conventions/hal";
import { bodyOf, type Operation, type Resource } from "../conventions/operation";
import { listEnvelope } from "../conventions/paging";
import { discoveryIndex } from "../resources/discovery";

type Schema = z.core.JSONSchema.BaseSchema;

const errorBody: z.ZodType<ErrorBody> = z.object({
  errors: z
    .array(
      z.object({
        error_code: z.int().describe("Stable. Its first three digits are the HTTP status."),
        error_message: z.string().describe("What to do about it."),
        field: z
          .string()
          .optional()
          .describe("Which part of the request it is about: a JSON pointer into the body, or a parameter's name."),
      }),
    )
    .describe("What is wrong with the request, one element for each fault."),
});

/** The schemas of a document, and where each operation finds its own. */
export interface SchemaCollection {
  schemas: Record<string, Schema>;
  /** Of what an operation answers with; nothing where that has no body. */
  refOf: (operation: Operation) => { $ref: string } | undefined;
  /** Of what has to be sent; nothing where there is no body. */
  bodyRefOf: (operation: Operation) => { $ref: string } | undefined;
}

export const discoveryRef = schemaRef("discovery");
export const errorRef = schemaRef("error");

/** Writes every item and every page of the resources as a JSON schema, each once. */
export function collectSchemas(resources: readonly Resource[], underscoreLinks: boolean): SchemaCollection {
  const registry = z.registry<{ id: string }>();
  registry.add(link, { id: "link" });
  registry.add(discoveryIndex, { id: "discovery" });
  registry.add(errorBody, { id: "error" });
  const itemNames = new Map<z.ZodType, string>();
  const names = new Map<Operation, string>();
  const bodyNames = new Map<Operation, string>();
  for (const { name, versions } of resources) {
    for (const { version, operations } of versions) {
      for (const operation of operations) {
        const ownName = `${operation.id}_v${version}`;
        const body = bodyOf(operation);
        if (body) {
          // Requests are read more strictly than responses: unknown fields are refused.
          registry.add(body.strict().meta(body.meta() ?? {}), { id: `${ownName}_body` });
          bodyNames.set(operation, `${ownName}_body`);
        }
        if (!operation.item) continue;
        const itemName = itemNames.get(operation.item) ?? freeName(itemNames, `${name}_v${version}`, operation.id);
        itemNames.set(operation.item, itemName);
        if (operation.kind === "list") registry.add(listEnvelope(operation.item), { id: ownName });
        names.set(operation, operation.kind === "list" ? ownName : itemName);
      }
    }
  }
  for (const [item, id] of itemNames) registry.add(item, { id });
  // As for input: a client has to put up with fields that it does not know, which is not what Zod says of output.
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => schemaRef(id).$ref });
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
        name,
        underscoreLinks ? withUnderscoreLinks(schema) : schema,
      ]),
    ),
    refOf: (operation) => refTo(names.get(operation)),
    bodyRefOf: (operation) => refTo(bodyNames.get(operation)),
  };
}

/** Operations of one version share the schema of their item; one that has its own gets a name of its own. */
function freeName(taken: ReadonlyMap<z.ZodType, string>, wanted: string, operationId: string): string {
  return [...taken.values()].includes(wanted) ? `${wanted}_${operationId}` : wanted;
}

function withUnderscoreLinks(schema: Schema): Schema {
  const links = schema.properties?._links;
  if (typeof links !== "object") return schema;
  const named = Object.entries(links.properties ?? {}).map(([name, target]) => [`_${name}`, target]);
  const properties = { ...links.properties, ...Object.fromEntries(named) };
  return { ...schema, properties: { ...schema.properties, _links: { ...links, properties } } };
}

function refTo(name: string | undefined): { $ref: string } | undefined {
  return name === undefined ? undefined : schemaRef(name);
}

function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
