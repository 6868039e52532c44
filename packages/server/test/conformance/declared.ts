import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import type {
  ListOperation,
  Operation,
  ReadOperation,
  ReportOperation,
  Resource,
  WriteOperation,
} from "@holdfast/api/conventions/operation";
import {
  defaultVersion,
  isReadOperation,
  isTemplated,
  parametersOf,
  supportedVersions,
} from "@holdfast/api/conventions/operation";
import { resources } from "@holdfast/api/resources/index";

/** One version of one operation: what a statement about all of them is tried on. */
export interface Declared<Kind extends Operation> {
  /** As test names show it. */
  name: string;
  resource: Resource;
  version: number;
  operation: Kind;
  /** The media type that asks for this version. */
  accept: string;
}

/** Every operation in every version. A new resource is tried as soon as it is declared. */
export const everything: Declared<Operation>[] = resources.flatMap((resource) =>
  resource.versions.flatMap(({ version, operations }) =>
    operations.map((operation) => ({
      name: `${operation.id} v${version}`,
      resource,
      version,
      operation,
      accept: versionedMediaType("svc", resource.name, version),
    })),
  ),
);

export const lists: Declared<ListOperation>[] = everything.flatMap(({ operation, ...others }) =>
  operation.kind === "list" ? [{ ...others, operation }] : [],
);

const allReads: Declared<ReadOperation>[] = everything.flatMap(({ operation, ...others }) =>
  operation.kind === "read" ? [{ ...others, operation }] : [],
);

/** Those that read one item of a list. */
export const reads: Declared<ReadOperation>[] = allReads.filter(({ operation }) => isTemplated(operation.path));

/** Every operation that changes nothing and can be asked for without a query. */
export const readings: Declared<ListOperation | ReadOperation>[] = [...lists, ...allReads].filter(
  ({ operation }) => !Object.values(parametersOf(operation)).some((shape) => shape.meta()?.isRequired === true),
);

/** Every operation that changes something and that people may call: what is for service tokens alone has tests of its own. */
export const writes: Declared<WriteOperation>[] = everything.flatMap(({ operation, ...others }) =>
  operation.kind === "write" && !operation.isForServices ? [{ ...others, operation }] : [],
);

/** Every operation that is sent something to write: changes and reports. */
export const writings: Declared<WriteOperation | ReportOperation>[] = everything.flatMap(({ operation, ...others }) =>
  isReadOperation(operation) || operation.isForServices ? [] : [{ ...others, operation }],
);

/** Lists that can be filtered by something. */
export const filteredLists: Declared<ListOperation>[] = lists.filter(
  ({ operation }) => Object.keys(operation.filters).length > 0,
);

/** Lists of what is in a unit and below it, each with an id. Counts and suggestions have none. Keys are the whole control plane's, and roles come from above. */
export const unitLists: Declared<ListOperation>[] = lists.filter(
  ({ operation, resource }) =>
    !operation.requiresRoot && resource.name !== "roles" && !/-(counts|suggestions)$/.test(operation.id),
);

/** The list that shows the items which an operation reads one of. */
export function listOf({ resource, version }: { resource: Resource; version: number }): Declared<ListOperation> {
  const list = lists.find((one) => one.resource.name === resource.name && one.version === version);
  if (!list) throw new Error(`${resource.name} v${version} has no list.`);
  return list;
}

/** A path with a made-up id in the place of a variable. */
export function madeUpPath({ path }: Pick<Operation, "path">): string {
  return path.replace(/\{\w+\}/, "00000000-0000-7000-8000-000000000001");
}

/** Paths of operations that read, and discovery's. */
export const apiPaths: string[] = ["/", ...new Set(readings.map(({ operation }) => madeUpPath(operation)))];

/** Those of them that a role in any unit can be enough for. */
export const unitPaths: string[] = [
  "/",
  ...new Set(readings.filter(({ operation }) => !operation.requiresRoot).map(({ operation }) => madeUpPath(operation))),
];

/** Paths of all operations. */
export const allPaths: string[] = [...new Set(["/", ...everything.map(({ operation }) => madeUpPath(operation))])];

/** Expected Allow header of a path. */
export function allowedAt(path: string): string {
  const methods = everything
    .filter(({ operation }) => madeUpPath(operation) === path)
    .map(({ operation }) => operation.method.toUpperCase());
  const withHead = [...new Set(path === "/" ? ["GET"] : methods)].flatMap((one) =>
    one === "GET" ? [one, "HEAD"] : [one],
  );
  return [...withHead, "OPTIONS"].join(", ");
}

/** The versions that some resource has, newest first. */
export const allVersions: number[] = [...new Set(resources.flatMap(supportedVersions))].sort((a, b) => b - a);

export const defaultMediaType = (resource: Resource) =>
  versionedMediaType("svc", resource.name, defaultVersion(resource));
