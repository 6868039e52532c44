import { z } from "zod";

/** A JSON schema, as far as the description of the API uses it. */
export interface JsonSchema {
  type?: string | undefined;
  properties?: Record<string, JsonSchema> | undefined;
  required?: string[] | undefined;
  items?: JsonSchema | undefined;
  enum?: string[] | undefined;
  anyOf?: JsonSchema[] | undefined;
  oneOf?: JsonSchema[] | undefined;
  const?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  examples?: Record<string, unknown>[] | undefined;
  format?: string | undefined;
  $ref?: string | undefined;
}

/** A parameter of a query. */
export interface QueryParameter {
  name: string;
  /** Of a filter: what its JSON may hold. */
  json: JsonSchema | undefined;
  /** An allowed value, if the operation needs the parameter. */
  needed: string | undefined;
}

/** An operation as /openapi.json describes it. */
export interface DescribedOperation {
  id: string;
  method: string;
  path: string;
  query: QueryParameter[];
  /** The headers that it takes. */
  headers: string[];
  body: JsonSchema | undefined;
  /** Every status that it may answer with, and the media types of its body there. */
  responses: Map<number, string[]>;
  /** Ways in which a caller is identified: with a token, a session, or not at all. */
  callers: ("bearer" | "session")[];
}

const schema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional().catch(undefined),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    enum: z.array(z.string()).optional().catch(undefined),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
    const: z.unknown().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    examples: z.array(z.record(z.string(), z.unknown())).optional().catch(undefined),
    format: z.string().optional(),
    $ref: z.string().optional(),
  }),
);
const content = z.record(z.string(), z.object({ schema: schema.optional() }));
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  schema: z
    .object({ contentSchema: schema.optional(), examples: z.array(z.string()).optional().catch(undefined) })
    .optional(),
});
const response = z.object({ content: content.optional() });
const reference = z.object({ $ref: z.string() });
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
});
const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), schema),
    parameters: z.record(z.string(), parameter),
    responses: z.record(z.string(), response),
  }),
  security: z.array(z.record(z.string(), z.unknown())),
});

/** Reads every operation from the description, with what it refers to put in its place. */
export function readDescription(text: string): DescribedOperation[] {
  const { paths, components, security } = description.parse(JSON.parse(text));

  function named<Part>(parts: Record<string, Part>, ref: string): Part {
    const found = parts[ref.split("/").at(-1) ?? ""];
    if (found === undefined) throw new Error(`The description has no ${ref}.`);
    return found;
  }
  const whole = (given: JsonSchema): JsonSchema =>
    given.$ref === undefined ? given : named(components.schemas, given.$ref);

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const parameters = one.parameters.map((given) =>
        "$ref" in given ? named(components.parameters, given.$ref) : given,
      );
      const body = one.requestBody?.content["application/json"]?.schema;
      const responses = Object.entries(one.responses).map(([status, given]): [number, string[]] => [
        Number(status),
        Object.keys(("$ref" in given ? named(components.responses, given.$ref) : given).content ?? {}),
      ]);
      const schemes = new Set((one.security ?? security).flatMap((choice) => Object.keys(choice)));
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path,
        query: parameters
          .filter((given) => given.in === "query")
          .map((given) => ({
            name: given.name,
            json: given.schema?.contentSchema,
            needed: given.required === true ? given.schema?.examples?.[0] : undefined,
          })),
        headers: parameters.filter((given) => given.in === "header").map((given) => given.name),
        body: body && whole(body),
        responses: new Map(responses),
        callers: (["bearer", "session"] as const).filter((scheme) => schemes.has(scheme)),
      };
    }),
  );
}
