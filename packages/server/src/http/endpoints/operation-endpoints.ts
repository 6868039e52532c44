import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { prefersPage, prefersText, type VersionOffer } from "@holdfast/api/conventions/media-type";
import {
  defaultVersion,
  isReadOperation,
  itemVariable,
  type Operation,
  type ReportOperation,
  type Resource,
  supportedVersions,
  type WatchOperation,
  type WriteOperation,
} from "@holdfast/api/conventions/operation";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { describeResources, discovery } from "@holdfast/api/resources/discovery";
import { resources as allResources } from "@holdfast/api/resources/index";
import type { DataVersions } from "../../database/database";
import { authorize, mayCall } from "../../operations/authorize";
import type { ChangeImplementation } from "../../operations/change";
import type { Call, Implementation, TextImplementation } from "../../operations/read";
import type { ReportImplementation } from "../../operations/report";
import { changes, domainOfRead, reads, reports } from "../../resources/index";
import type { TaskReportParts } from "../../resources/tasks/reports/report-tasks";
import { countCacheUse } from "../../telemetry/count-cache-use";
import type { Recorder } from "../../telemetry/registry";
import { type BodyCache, createBodyCache } from "../body-cache";
import type { Endpoint, Exchange, Handler, Method } from "../endpoint";
import { type AnswerChangeParts, handleChange } from "../handle-change";
import { type AnswerReadingParts, type DeclaredRead, handleRead } from "../handle-read";
import { handleReport } from "../handle-report";
import { handleText } from "../handle-text";
import { type AnswerWatchParts, handleWatch } from "../handle-watch";
import type { RequestContext } from "../identify-request";

/** Enough for what some ten open consoles ask for again and again. */
const cachedBytes = 8_000_000;
const methods: Record<Operation["method"], Method> = { get: "GET", post: "POST", patch: "PATCH", delete: "DELETE" };

/** Parts that answering all operations needs. */
export interface OperationEndpointParts
  extends AnswerChangeParts,
    AnswerReadingParts,
    AnswerWatchParts,
    TaskReportParts {
  metrics: Recorder;
}

/** Declarations, and the implementation of each operation, by its id. */
export interface ServedOperations {
  resources: readonly Resource[];
  reads: Readonly<Record<string, Implementation | TextImplementation>>;
  /** The domain that the body of a reading is made of. All others are read again after any commit. */
  domainOfRead: Readonly<Record<string, keyof DataVersions>>;
  changes: Readonly<Record<string, ChangeImplementation>>;
  reports: Readonly<Record<string, ReportImplementation>>;
}

/** The endpoints of all declared operations, and of discovery. */
export function operationEndpoints(
  parts: OperationEndpointParts,
  served: ServedOperations = {
    resources: allResources,
    reads: reads(parts),
    domainOfRead,
    changes: changes(),
    reports: reports(parts),
  },
): Endpoint<OperationEndpointParts>[] {
  const handlers = handlersOf(parts, served);
  const byPath = Map.groupBy(handlers, ({ path }) => path);
  return [...byPath].map(([path, group]) => ({
    path,
    methods: Object.fromEntries(group.map(({ method, handler }) => [method, handler])),
  }));
}

interface Routed {
  path: string;
  method: Method;
  handler: Handler<OperationEndpointParts>;
}

function handlersOf(parts: OperationEndpointParts, served: ServedOperations): Routed[] {
  const bodies = createBodyCache(cachedBytes, countCacheUse(parts.metrics, "bodies"));
  const { resources } = served;
  const declared = resources.flatMap((resource) =>
    operationIds(resource).map((id): Routed => {
      const versions = resource.versions.flatMap(({ version, operations }) =>
        operations.filter((operation) => operation.id === id).map((operation) => ({ version, operation })),
      );
      const [first] = versions;
      if (!first) throw new Error(`The operation ${id} has no version.`);
      const offer: VersionOffer = {
        vendor: parts.vendor,
        resource: resource.name,
        supported: supportedVersions(resource).filter((version) => versions.some((one) => one.version === version)),
        preferred: defaultVersion(resource),
        withoutAccept: defaultVersion(resource),
      };
      const declarations = new Map(versions.map(({ version, operation }) => [version, operation]));
      return {
        path: first.operation.path.replace(/\{(\w+)\}/g, ":$1"),
        method: methods[first.operation.method],
        handler:
          first.operation.kind === "watch"
            ? watchHandler(parts, resource, id, offer, declarations, served.reads)
            : isReadOperation(first.operation)
              ? readHandler(parts, resource, id, declarations, served.reads[id], {
                  offer,
                  bodies,
                  domain: served.domainOfRead[id] ?? "any",
                  hasSecrets: versions.some(({ operation }) => operation.hasSecrets),
                })
              : first.operation.kind === "write"
                ? changeHandler(id, resource, offer, declarations, served.changes[id])
                : reportHandler(id, resource, offer, declarations, served.reports[id], served.changes[id]),
      };
    }),
  );
  return [{ path: discovery.path, method: "GET", handler: discoveryHandler(parts, resources, bodies) }, ...declared];
}

function operationIds(resource: Resource): string[] {
  return [...new Set(resource.versions.flatMap(({ operations }) => operations.map(({ id }) => id)))];
}

function readHandler(
  parts: OperationEndpointParts,
  resource: Resource,
  id: string,
  declarations: ReadonlyMap<number, Operation>,
  implementation: Implementation | TextImplementation | undefined,
  declared: Omit<DeclaredRead, "volatileFields">,
): Handler<OperationEndpointParts> {
  if (!implementation) throw new Error(`The operation ${id} is declared, but nothing implements it.`);
  const isOfItem = [...declarations.values()].some(({ kind }) => kind === "read");
  const reading = { ...declared, volatileFields: (isOfItem && resource.volatileFields) || [] };
  const prepare = (exchange: Pick<Exchange, "address" | "variables">, { version, caller, context }: RequestContext) => {
    const operation = declarations.get(version);
    if (!operation) throw new Error(`Version ${version} of ${id} is offered, but nothing declares it.`);
    const call: Call = {
      parts,
      scope: { caller, unitId: context.unitId, permission: operation.permission },
      resource: resource.name,
      version,
      path: operation.path,
      query: exchange.address.query,
      variables: exchange.variables,
    };
    const query = implementation.parse(call);
    authorize(operation, caller, context.permissions);
    return { call, read: (signal: AbortSignal) => implementation.read(call, query, signal) };
  };
  return {
    name: id,
    itemVariable: itemVariableOf(declarations),
    answer(exchange) {
      if ("readText" in implementation && prefersText(exchange.request.headers.get("accept"), declared.offer)) {
        return handleText(exchange, declared.offer, (identified) =>
          implementation.readText(prepare(exchange, identified).call),
        );
      }
      return handleRead(exchange, reading, (identified) => prepare(exchange, identified).read);
    },
  };
}

/** A stream begins with what the list of the same resource answers. */
function watchHandler(
  parts: OperationEndpointParts,
  resource: Resource,
  id: string,
  offer: VersionOffer,
  declarations: ReadonlyMap<number, Operation>,
  reads: ServedOperations["reads"],
): Handler<OperationEndpointParts> {
  const operations = new Map<number, WatchOperation>();
  for (const [version, operation] of declarations) if (operation.kind === "watch") operations.set(version, operation);
  const list = resource.versions.flatMap((version) => version.operations).find(({ kind }) => kind === "list");
  const implementation = list && reads[list.id];
  if (!list || !implementation) throw new Error(`The operation ${id} watches what no list of its resource has.`);
  return {
    name: id,
    answer: (exchange) =>
      handleWatch(exchange, offer, operations, async ({ caller, context, version }, query, signal) => {
        const call: Call = {
          parts,
          scope: { caller, unitId: context.unitId, permission: list.permission },
          resource: resource.name,
          version,
          path: list.path,
          query,
          variables: {},
        };
        const { body } = await implementation.read(call, implementation.parse(call), signal);
        return parts.nameLinks(body);
      }),
  };
}

function changeHandler(
  id: string,
  { volatileFields = [] }: Resource,
  offer: VersionOffer,
  operations: ReadonlyMap<number, Operation>,
  implementation: ChangeImplementation | undefined,
): Handler<OperationEndpointParts> {
  if (!implementation) throw new Error(`The operation ${id} is declared, but nothing implements it.`);
  const versions = new Map<number, WriteOperation>();
  for (const [version, operation] of operations) {
    if (operation.kind !== "write") continue;
    if (operation.body && operation.body !== implementation.body) {
      throw new Error(`The operation ${id} declares another body than the one that its implementation reads.`);
    }
    versions.set(version, operation);
  }
  const declared = { offer, versions, volatileFields };
  return {
    name: id,
    itemVariable: itemVariableOf(operations),
    answer: (exchange) => handleChange(exchange, declared, implementation),
  };
}

/** All versions of an operation have the same path. */
function itemVariableOf([...declarations]: ReadonlyMap<number, Operation>): string | undefined {
  return declarations[0] && itemVariable(declarations[0][1]);
}

function reportHandler(
  id: string,
  { volatileFields = [] }: Resource,
  offer: VersionOffer,
  operations: ReadonlyMap<number, Operation>,
  report: ReportImplementation | undefined,
  change: ChangeImplementation | undefined,
): Handler<OperationEndpointParts> {
  if (!report) throw new Error(`The operation ${id} is declared, but nothing implements it.`);
  const versions = new Map<number, ReportOperation>();
  for (const [version, operation] of operations) if (operation.kind === "report") versions.set(version, operation);
  const declared = { offer, versions, volatileFields };
  return {
    name: id,
    kind: "report",
    itemVariable: itemVariableOf(operations),
    answer: (exchange) => handleReport(exchange, declared, { report, change }),
  };
}

/** Discovery speaks of all resources, so its versions are those that any of them has. */
function discoveryHandler(
  parts: OperationEndpointParts,
  resources: readonly Resource[],
  bodies: BodyCache,
): Handler<OperationEndpointParts> {
  const basePath = new URL(parts.baseUrl).pathname.replace(/\/$/, "");
  const versions = [...new Set(resources.flatMap(supportedVersions))].sort((a, b) => b - a);
  const offer: VersionOffer = {
    vendor: parts.vendor,
    resource: "*",
    supported: versions,
    preferred: 1,
    withoutAccept: Math.max(...versions),
  };
  const reading: DeclaredRead = { offer, bodies, domain: "access", volatileFields: [], hasSecrets: false };
  return {
    name: discovery.id,
    answer(exchange) {
      const { headers } = exchange.request;
      // A person who types the address into a browser wants the console.
      if (!headers.has("authorization") && prefersPage(headers.get("accept"), offer)) {
        return { status: 303, headers: { Location: `${basePath}/console/` }, body: null };
      }
      return handleRead(exchange, reading, ({ caller, context }) => {
        const faults: Fault[] = [];
        parseParameters(exchange.address.query, [], faults);
        refuseAll(faults);
        const index = describeResources(resources, (operation) => mayCall(operation, caller, context.permissions));
        return async () => ({ body: JSON.stringify(index) });
      });
    },
  };
}
