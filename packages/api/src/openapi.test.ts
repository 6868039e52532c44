import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { errorCatalogue } from "./conventions/error-catalogue";
import { doneStatus as goodStatus, supportedVersions } from "./conventions/operation";
import { defaultPageSizes, listParameterNames } from "./conventions/paging";
import { sortValues } from "./conventions/sort";
import { describeApi } from "./openapi";
import { variablesOf } from "./reference/operations";
import { publicPaths } from "./reference/public-paths";
import { discovery } from "./resources/discovery";
import { resources } from "./resources/index";

const service = { vendor: "svc", baseUrl: "https://backup.example.org", version: "1.2.3", pageSizes: defaultPageSizes };

const record = z.record(z.string(), z.unknown());
const described = z.object({
  operationId: z.string(),
  security: z.array(record).optional(),
  parameters: z.array(z.looseObject({ name: z.string().optional(), description: z.string().optional() })).default([]),
  requestBody: z.object({ required: z.literal(true), content: record }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: record.optional(), headers: record.optional() })),
});
const documentShape = z.object({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), described)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({ properties: record.optional() })),
    parameters: z.record(z.string(), z.object({ name: z.string(), in: z.string(), schema: record })),
    responses: z.record(z.string(), z.object({ description: z.string() })),
  }),
});

const raw = describeApi(service);
const document = documentShape.parse(raw);

const declared = resources.flatMap((resource) =>
  resource.versions.flatMap(({ version, operations }) =>
    operations.map((operation) => ({ name: `${operation.id} v${version}`, resource, version, operation })),
  ),
);

const writes = declared.flatMap(({ operation, ...others }) =>
  operation.kind === "write" ? [{ ...others, operation }] : [],
);
const reports = declared.flatMap(({ operation, ...others }) =>
  operation.kind === "report" ? [{ ...others, operation }] : [],
);
const bodied = [...writes, ...reports].flatMap(({ name, version, operation: { body, ...operation } }) =>
  body ? [{ name, version, operation, body }] : [],
);
const withItems = declared.flatMap(({ operation, ...others }) =>
  operation.item && operation.kind !== "watch" ? [{ ...others, operation, item: operation.item }] : [],
);

const choices = z.looseObject({ properties: record.default({}), anyOf: z.array(z.unknown()).default([]) });

/** The names of the fields of a schema: of each of its choices, where there are several. */
function fieldsOf(schema: unknown): string[][] {
  const { $ref } = z.looseObject({ $ref: z.string().optional() }).parse(schema);
  const named = $ref === undefined ? schema : resolve($ref.replace("#/", "").split("/"));
  const { properties, anyOf } = choices.parse(named);
  return anyOf.length > 0 ? anyOf.flatMap(fieldsOf) : [Object.keys(properties)];
}

function operationAt(path: string, method = "get") {
  return described.parse(document.paths[path]?.[method]);
}

describe("the OpenAPI document", () => {
  test("is valid by a public validator", async () => {
    const result = await new Validator().validate(record.parse(structuredClone(raw)));
    expect(result).toEqual({ valid: true });
  });

  test("has no reference that leads nowhere", () => {
    const refs = [...JSON.stringify(raw).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => String(match[1]));
    const lost = refs.filter((ref) => resolve(ref.split("/")) === undefined);
    expect(refs.length).toBeGreaterThan(50);
    expect(lost).toEqual([]);
  });

  test("has no schema that claims a dialect or an address of its own", () => {
    expect(JSON.stringify(raw)).not.toMatch(/"\$(schema|id)":/);
  });

  test("has each operation id once", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBe(new Set(ids).size);
  });

  test.each(declared)("answers $name in its own media type", ({ resource, version, operation }) => {
    const { operationId, security, responses } = operationAt(operation.path, operation.method);
    expect(operationId).toBe(operation.id);
    const permissions = [operation.permission, ...(operation.otherPermissions ?? [])];
    const further = operation.furtherPermissions ?? [];
    const bearers =
      operation.allowsSelf || !operation.permission
        ? [{ bearer: [] }]
        : permissions.map((one) => ({ bearer: [one, ...further] }));
    expect(security).toEqual([...bearers, { session: [] }]);
    const versioned = resource.versions
      .filter((one) => one.operations.some(({ id }) => id === operation.id))
      .map((one) => `application/api.svc.${resource.name}=v${one.version}+json`);
    expect(versioned).toContain(`application/api.svc.${resource.name}=v${version}+json`);
    const isTextToo = operation.kind === "read" && operation.isTextToo;
    const mediaTypes =
      operation.kind === "watch" ? ["text/event-stream"] : [...versioned, ...(isTextToo ? ["text/plain"] : [])];
    const shown = Object.keys(responses[goodStatus(operation)]?.content ?? {});
    expect(shown.sort()).toEqual(operation.item ? mediaTypes.sort() : []);
    // A report that was received before is not made again.
    const isRepeatable = operation.kind === "report" && operation.status === 201;
    expect(Object.keys(responses).filter((status) => /^2/.test(status))).toEqual([
      ...(isRepeatable ? ["200"] : []),
      String(goodStatus(operation)),
    ]);
  });

  test.each(withItems)("shows every field of an item of $name", ({ resource, version, operation, item }) => {
    const { responses } = operationAt(operation.path, operation.method);
    const content =
      responses[goodStatus(operation)]?.content?.[`application/api.svc.${resource.name}=v${version}+json`];
    const { $ref } = z.object({ schema: z.object({ $ref: z.string() }) }).parse(content).schema;
    const answered = $ref.split("/").at(-1) ?? "";
    const page = JSON.stringify(document.components.schemas[answered]?.properties);
    const own = operation.kind === "list" ? (/"items":\{"\$ref":"[^"]*\/([^"/]+)"/.exec(page)?.[1] ?? "") : answered;
    const schema = document.components.schemas[own];
    expect(fieldsOf(schema ?? {})).toEqual(fieldsOf(z.toJSONSchema(item)));
  });

  test.each(bodied)(
    "says what has to be sent to $name, and that nothing else may be",
    ({ operation, body, version }) => {
      const { requestBody } = operationAt(operation.path, operation.method);
      const name = String(JSON.stringify(requestBody?.content).match(/schemas\/([^"]+)"/)?.[1]);
      expect(requestBody?.content).toEqual({
        "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
      });
      expect(name).toStartWith(`${operation.id}_v`);
      const schema = document.components.schemas[`${operation.id}_v${version}_body`];
      expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(body.shape));
      expect(schema?.additionalProperties).toBe(false);
    },
  );

  test.each(writes)("names the headers and parameters of $name", ({ operation }) => {
    const { parameters, responses } = operationAt(operation.path, operation.method);
    const refs = [...JSON.stringify(parameters).matchAll(/parameters\/(\w+)/g)].map((match) => match[1]);
    const repeated = operation.method === "post" ? ["idempotency_key"] : [];
    const matched = operation.path.includes("{") ? ["if_match"] : [];
    expect(refs).toEqual(["organizational_unit", ...repeated, ...matched, "csrf_token"]);
    expect(Object.hasOwn(responses, 412)).toBe(matched.length > 0);
    const names = parameters.flatMap(({ name }) => name ?? []);
    expect(names).toEqual([...variablesOf(operation.path), ...Object.keys(operation.parameters ?? {})]);
    expect(Object.keys(responses[operation.status]?.headers ?? {}).includes("Location")).toBe(operation.status === 201);
  });

  test.each(reports)("names the headers of $name", ({ operation }) => {
    const { parameters, responses } = operationAt(operation.path, operation.method);
    const refs = [...JSON.stringify(parameters).matchAll(/parameters\/(\w+)/g)].map((match) => match[1]);
    const repeated = operation.method === "post" ? ["idempotency_key"] : [];
    const matched = operation.change ? ["if_match"] : [];
    expect(refs).toEqual(["organizational_unit", ...repeated, ...matched, "csrf_token"]);
    expect(Object.hasOwn(responses, 412)).toBe(matched.length > 0);
    expect(Object.keys(responses[operation.status]?.headers ?? {}).includes("Location")).toBe(operation.status === 201);
  });

  const lists = declared.flatMap(({ name, operation }) => (operation.kind === "list" ? [{ name, operation }] : []));

  test.each(lists)("names every parameter, filter and operator of $name", ({ operation }) => {
    const { parameters } = operationAt(operation.path, operation.method);
    expect(parameters.flatMap(({ name }) => name ?? [])).toEqual([
      ...listParameterNames,
      ...(operation.sorts ? ["sort"] : []),
      ...Object.keys(operation.parameters ?? {}),
    ]);
    const sorts = operation.sorts ? [{ type: "string", enum: sortValues(operation.sorts) }] : [];
    expect(parameters.flatMap(({ name, schema }) => (name === "sort" ? [schema] : []))).toEqual(sorts);
    const filter = parameters.find(({ name }) => name === "filter");
    const lines = Object.entries(operation.filters).map(
      ([name, field]) =>
        `- \`${name}\` (${field.operators.map((one) => `\`${one}\``).join(", ")}): ${field.description}`,
    );
    expect(filter?.description?.split("\n")).toEqual(expect.arrayContaining(lines));
    expect(filter).toMatchObject({
      schema: {
        type: "string",
        maxLength: 8192,
        contentMediaType: "application/json",
        contentSchema: {
          additionalProperties: false,
          properties: Object.fromEntries(Object.keys(operation.filters).map((name) => [name, expect.anything()])),
        },
      },
    });
  });

  test("names the parameters of a stream, with those of the list that it takes, and where it goes on", () => {
    const { parameters, responses } = operationAt("/task-events");
    expect(parameters.flatMap(({ name }) => name ?? [])).toEqual(["limit", "filter", "snapshot", "last_event_id"]);
    expect(parameters).toContainEqual({ $ref: "#/components/parameters/last_event_id" });
    expect(document.components.parameters.last_event_id).toMatchObject({ name: "Last-Event-ID", in: "header" });
    expect(Object.keys(responses)).toEqual("200 400 401 403 406 413 414 429 431 500 503".split(" "));
  });

  test("names the parameters of a reading", () => {
    const { parameters } = operationAt("/tasks/{task_id}/log");
    expect(parameters.flatMap(({ name }) => name ?? [])).toEqual(["task_id", "offset", "limit", "tail"]);
  });

  test("asks a path's variables of the caller", () => {
    expect(operationAt("/users/{user_id}").parameters[0]).toEqual({
      name: "user_id",
      in: "path",
      required: true,
      description: "The user's id.",
      schema: { type: "string", maxLength: 128, format: "uuid" },
    });
  });

  test("T37: says how long the texts and lists of a body may be", () => {
    const { properties } = document.components.schemas["create-role_v1_body"] ?? {};
    expect(properties).toMatchObject({
      name: { type: "string", minLength: 1, maxLength: 100 },
      description: { type: "string", maxLength: 1000 },
      permissions: { type: "array", maxItems: 100, items: { type: "string", maxLength: 100 } },
    });
    expect(operationAt("/session", "post").requestBody?.content["application/json"]).toMatchObject({
      schema: {
        properties: { email: { maxLength: 254 }, password: { maxLength: 1024 }, code: { maxLength: 4096 } },
      },
    });
  });

  test("gives every timestamp its format, and every number of a body its range", () => {
    const named = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).map(([field, property]) => ({ name: `${name} ${field}`, property })),
    );
    const unformatted = named.filter(
      ({ name, property }) => /_timestamp$/.test(name) && !JSON.stringify(property).includes('"format":"date-time"'),
    );
    expect(unformatted.map(({ name }) => name)).toEqual([]);
    const bodies = named.filter(({ name }) => /_body /.test(name));
    expect(bodies.find(({ name }) => name === "rotate-api-token_v1_body overlap_seconds")?.property).toMatchObject({
      type: "integer",
      minimum: 0,
      maximum: 604_800,
    });
    expect(bodies.find(({ name }) => name === "create-user_v2_body email")?.property).toMatchObject({
      maxLength: 254,
      format: "idn-email",
    });
    expect(bodies.find(({ name }) => name === "create-api-token_v1_body role_id")?.property).toMatchObject({
      format: "uuid",
    });
  });

  test("has discovery in every version that some resource has", () => {
    const versions = [...new Set(resources.flatMap(supportedVersions))].sort((a, b) => b - a);
    const { operationId, responses } = operationAt("/");
    expect(operationId).toBe(discovery.id);
    expect(Object.keys(responses[200]?.content ?? {})).toEqual(
      versions.map((version) => `application/api.svc.*=v${version}+json`),
    );
  });

  test.each([...publicPaths])("needs no token for $path", ({ path }) => {
    expect(operationAt(path).security).toEqual([]);
  });

  test("explains every error code under its status", () => {
    const told = Object.entries(errorCatalogue).map(([, { code, meaning }]) => ({
      code,
      isTold: document.components.responses[`error_${Math.floor(code / 100)}`]?.description
        .split("\n")
        .includes(`- \`${code}\`: ${meaning}`),
    }));
    expect(told).toEqual(told.map(({ code }) => ({ code, isTold: true })));
  });

  test("lists 404 for one item, but not for a list", () => {
    expect(Object.keys(operationAt("/tasks/{task_id}").responses)).toEqual(
      "200 304 400 401 403 404 406 413 414 429 431 500 503".split(" "),
    );
    expect(Object.keys(operationAt("/tasks").responses)).toEqual(
      "200 304 400 401 403 406 413 414 429 431 500 503".split(" "),
    );
  });

  test("lists what can be in the way of a change", () => {
    expect(Object.keys(operationAt("/roles/{role_id}", "delete").responses)).toEqual(
      "204 400 401 403 404 406 409 412 413 414 415 422 429 431 500 503".split(" "),
    );
    expect(Object.keys(operationAt("/roles", "post").responses)).toEqual(
      "201 400 401 403 406 409 413 414 415 422 429 431 500 503".split(" "),
    );
  });

  test("names the vendor, the base URL and the page sizes of the service that it describes", () => {
    const other = documentShape.parse(
      describeApi({
        ...service,
        vendor: "acme",
        baseUrl: "https://acme.example.org",
        pageSizes: { default: 7, maximum: 70 },
      }),
    );
    expect(other.servers).toEqual([{ url: "https://acme.example.org" }]);
    expect(other.components.parameters.organizational_unit).toMatchObject({
      name: "x-acme-organizationalunit-context",
      schema: { type: "string", format: "uuid" },
    });
    expect(Object.keys(other.paths["/users"]?.get?.responses[200]?.content ?? {})).toEqual([
      "application/api.acme.users=v2+json",
      "application/api.acme.users=v1+json",
    ]);
    expect(other.paths["/users"]?.get?.parameters[0]).toMatchObject({
      name: "limit",
      description: expect.stringContaining("The maximum is 70."),
      schema: { default: 7 },
    });
    expect(JSON.stringify(other)).not.toContain("svc");
  });

  test("names links with an underscore only where the service does", () => {
    const withUnderscores = documentShape.parse(describeApi({ ...service, underscoreLinks: true }));
    const linkNames = (from: typeof document) => {
      const links = z
        .object({ properties: record })
        .parse(from.components.schemas["list-users_v2"]?.properties?._links);
      return Object.keys(links.properties).join(" ");
    };
    expect(linkNames(document)).toBe("self first last next prev");
    expect(linkNames(withUnderscores)).toBe("self first last next prev _self _first _last _next _prev");
  });
});

function resolve(steps: string[]): unknown {
  return steps.reduce<unknown>((at, step) => record.safeParse(at).data?.[step], raw);
}
