import { z } from "zod";
import { versionedMediaType } from "./conventions/media-type";
import { type Operation, parametersOf, type Resource, supportedVersions } from "./conventions/operation";
import { type ListParameter, listParameterNames, type PageSizes } from "./conventions/paging";
import { unitHeader } from "./conventions/unit-header";
import {
  isAboutItem,
  listQueryParameters,
  ownQueryParameters,
  pathParameters,
  sharedParameterRefs,
  sharedParameters,
} from "./openapi/parameters";
import {
  changeStatuses,
  doneResponse,
  errorResponseRefs,
  errorResponses,
  goodResponses,
  headerRefs,
  operationStatuses,
  reportedResponse,
  responseHeaders,
  streamResponse,
  textContent,
  unreadableStatuses,
} from "./openapi/responses";
import { collectSchemas, discoveryRef, type SchemaCollection } from "./openapi/schemas";
import { type DocumentedOperation, documentedOperations, filtersOf } from "./reference/operations";
import { type PublicPath, publicPaths } from "./reference/public-paths";
import { discovery } from "./resources/discovery";
import { resources as allResources } from "./resources/index";
import { refusalsOf, type SessionPath, sessionPaths } from "./session/session-paths";

/** Facts that differ between control planes and that their descriptions contain. */
export interface DescribedService {
  vendor: string;
  baseUrl: string;
  /** The version of the program. */
  version: string;
  pageSizes: PageSizes;
  underscoreLinks?: boolean;
}

/** Builds the OpenAPI 3.1 document of the whole API from its declarations. */
export function describeApi(service: DescribedService, resources: readonly Resource[] = allResources): object {
  const collection = collectSchemas(resources, service.underscoreLinks ?? false);
  const operations = documentedOperations(resources).map((operation) => ({
    path: operation.newest.path,
    method: operation.newest.method,
    described: describeOperation(operation, collection, service),
  }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdfast",
      version: service.version,
      summary: "A control plane for data protection.",
      description: introduction(service),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: service.baseUrl }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [
      { name: "discovery", description: "What the caller may use, and where it is." },
      ...resources.map(({ name, description }) => ({ name, description })),
      { name: "session", description: "For people: signing in and out. A token is of no use there." },
      { name: "service", description: "The service itself. None of it needs a token." },
    ],
    paths: {
      [discovery.path]: { get: describeDiscovery(service, resources) },
      ...groupByPath(operations),
      ...groupByPath(sessionPaths.map((one) => ({ ...one, described: describeSessionPath(one) }))),
      ...Object.fromEntries(publicPaths.map((one) => [one.path, { get: describePublicPath(one) }])),
    },
    components: {
      schemas: collection.schemas,
      parameters: sharedParameters(service.vendor),
      headers: responseHeaders,
      responses: errorResponses(),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An API token of this control plane, personal or service.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: `${service.baseUrl.startsWith("https:") ? "__Host-" : ""}holdfast_session`,
          description: "A person who has signed in. All but GET also needs the CSRF token in X-CSRF-Token.",
        },
      },
    },
  };
}

function introduction({ vendor }: DescribedService): string {
  return [
    `Each resource has versions. Ask for one in \`Accept\`, such as \`${versionedMediaType(vendor, "users", 2)}\`;`,
    "without it the default version is served. `Content-Type` says which one came.",
    `\`${unitHeader(vendor)}\` chooses the organizational unit. Each path also answers to OPTIONS, and to HEAD where it can be read.`,
  ].join(" ");
}

function groupByPath(operations: { path: string; method: string; described: object }[]): object {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map(({ method, described }) => [method, described])),
    ]),
  );
}

function describeOperation(documented: DocumentedOperation, schemas: SchemaCollection, service: DescribedService) {
  const { resource, newest, versions } = documented;
  const typed = versions.map(({ version, operation }): [string, object] => [
    versionedMediaType(service.vendor, resource.name, version),
    { schema: schemas.refOf(operation) },
  ]);
  const content = Object.fromEntries(newest.kind === "watch" ? [] : typed);
  return {
    operationId: newest.id,
    tags: [resource.name],
    summary: newest.summary,
    description: describePermission(newest),
    security: [...permissionsOf(newest).map((held) => ({ bearer: held })), { session: [] }],
    parameters: [
      ...pathParameters(newest.path, itemOf(resource)),
      ...listQueryParameters(listParametersOf(newest), service.pageSizes, filtersOf(documented)),
      ...ownQueryParameters(parametersOf(newest)),
      ...sharedParameterRefs(newest),
    ],
    ...requestBody(schemas.bodyRefOf(newest)),
    responses: describeResponses(newest, content),
  };
}

/** The parameters of lists that an operation takes. */
function listParametersOf({ kind }: Operation): readonly ListParameter[] {
  if (kind === "watch") return ["limit", "filter"];
  return kind === "list" ? listParameterNames : [];
}

/** Schema of the items of a resource. */
function itemOf({ versions }: Resource): z.ZodType | undefined {
  return versions[0].operations.find(({ item }) => item)?.item;
}

/** The permissions of which each suffices together with what is needed as well, as OpenAPI lists alternatives. */
function permissionsOf(operation: Operation): string[][] {
  const { permission, otherPermissions = [], furtherPermissions = [], allowsSelf } = operation;
  if (allowsSelf || permission === null) return [[]];
  return [permission, ...otherPermissions].map((one) => [one, ...furtherPermissions]);
}

function describePermission(operation: Operation): string {
  const { permission, furtherPermissions, allowsSelf, isForServices, requiresRoot } = operation;
  if (isForServices) return "Needs a service token, but no permission.";
  if (permission === null) return "Needs no permission.";
  if (furtherPermissions) {
    return `Needs the permissions ${[permission, ...furtherPermissions].map((one) => `\`${one}\``).join(" and ")}.`;
  }
  const where = requiresRoot ? " in the root" : "";
  const own = allowsSelf ? "; people need none for what is their own" : "";
  return `Needs the permission \`${permission}\`${where}${own}.`;
}

function requestBody(ref: { $ref: string } | undefined): object {
  return ref ? { requestBody: { required: true, content: { "application/json": { schema: ref } } } } : {};
}

function describeResponses(operation: Operation, content: object): object {
  const isFound = isAboutItem(operation) ? [404] : [];
  if (operation.kind === "write") {
    // Only what exists already can have changed since it was read.
    const isMatched = isAboutItem(operation) ? [412] : [];
    const refusals = [...operationStatuses, ...isFound, ...changeStatuses, ...isMatched];
    return { ...doneResponse(operation.status, content), ...errorResponseRefs(refusals) };
  }
  if (operation.kind === "report") {
    const isMatched = operation.change ? [412] : [];
    const refusals = [...operationStatuses, ...isFound, ...changeStatuses, ...isMatched];
    return { ...reportedResponse(operation.status, content), ...errorResponseRefs(refusals) };
  }
  if (operation.kind === "watch") return { ...streamResponse(), ...errorResponseRefs(operationStatuses) };
  const isText = operation.kind === "read" && operation.isTextToo;
  return {
    ...goodResponses(
      operation.kind === "list" ? "One page of the list." : "The item.",
      isText ? { ...content, ...textContent } : content,
    ),
    ...errorResponseRefs([...operationStatuses, ...isFound]),
  };
}

function describeDiscovery({ vendor }: DescribedService, resources: readonly Resource[]) {
  const versions = new Set(resources.flatMap(supportedVersions));
  const content = [...versions]
    .sort((a, b) => b - a)
    .map((version) => [versionedMediaType(vendor, "*", version), { schema: discoveryRef }]);
  return {
    operationId: discovery.id,
    tags: ["discovery"],
    summary: discovery.summary,
    description: `Needs a token, but no permission: it shows what the token may do. ${discovery.inBrowser}`,
    parameters: sharedParameterRefs({ kind: "read", method: "get", path: discovery.path }),
    responses: {
      ...goodResponses("Resources by name.", Object.fromEntries(content)),
      303: { description: "A browser is led to the console.", headers: headerRefs(["X-Request-Id"]) },
      ...errorResponseRefs(operationStatuses),
    },
  };
}

function describeSessionPath(path: SessionPath) {
  const { id, summary, body, needsSession, status, answer, parameters = {} } = path;
  const given = [...pathParameters(path.path, undefined), ...ownQueryParameters(parameters)];
  return {
    operationId: id,
    tags: ["session"],
    summary,
    security: needsSession ? [{ session: [] }] : [],
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: inlineSchema(body) } } } }
      : {}),
    responses: {
      [status]: {
        description: "It was done.",
        headers: headerRefs(["X-Request-Id"]),
        ...(answer ? { content: { "application/json": { schema: inlineSchema(answer) } } } : {}),
      },
      ...errorResponseRefs([...unreadableStatuses, ...refusalsOf(path)]),
    },
  };
}

function inlineSchema(shape: z.ZodType): object {
  const { $schema, ...schema } = z.toJSONSchema(shape, { io: "input" });
  return schema;
}

function describePublicPath({ id, summary, mediaType, refusals = [] }: PublicPath) {
  return {
    operationId: id,
    tags: ["service"],
    summary,
    security: [],
    responses: {
      200: {
        description: "What was asked for.",
        headers: headerRefs(["X-Request-Id"]),
        content: { [mediaType]: {} },
      },
      ...errorResponseRefs([...unreadableStatuses, ...refusals]),
    },
  };
}
