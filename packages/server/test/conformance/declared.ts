import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { ListOperation, Operation, ReadOperation, Resource } from "@holdfast/api/conventions/operation";
import { defaultVersion, supportedVersions } from "@holdfast/api/conventions/operation";
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
export const declared: Declared<Operation>[] = resources.flatMap((resource) =>
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

export const lists: Declared<ListOperation>[] = declared.flatMap(({ operation, ...others }) =>
  operation.kind === "list" ? [{ ...others, operation }] : [],
);

export const reads: Declared<ReadOperation>[] = declared.flatMap(({ operation, ...others }) =>
  operation.kind === "read" ? [{ ...others, operation }] : [],
);

/** The list that shows the items which an operation reads one of. */
export function listOf({ resource, version }: { resource: Resource; version: number }): Declared<ListOperation> {
  const list = lists.find((one) => one.resource.name === resource.name && one.version === version);
  if (!list) throw new Error(`${resource.name} v${version} has no list.`);
  return list;
}

/** Paths of operations with a made-up id in the place of a variable, and discovery's. */
export const apiPaths: string[] = [
  "/",
  ...new Set(
    declared.map(({ operation }) => operation.path.replace(/\{\w+\}/, "00000000-0000-7000-8000-000000000001")),
  ),
];

/** The versions that some resource has, newest first. */
export const allVersions: number[] = [...new Set(resources.flatMap(supportedVersions))].sort((a, b) => b - a);

export const defaultMediaType = (resource: Resource) =>
  versionedMediaType("svc", resource.name, defaultVersion(resource));
