import type { z } from "zod";
import type { FilterFields } from "./filter";
import type { Permission } from "./permissions";

interface OperationBase {
  /** Verb, dash, resource: unique in the service, the same in every version of the resource. */
  id: string;
  method: "get";
  /** A path, with variables in braces where it has any: `/tasks/{task_id}`. */
  path: string;
  permission: Permission;
  summary: string;
}

/** An operation that answers with a page of items. */
export interface ListOperation extends OperationBase {
  kind: "list";
  item: z.ZodType;
  filters: FilterFields;
}

/** An operation that answers with one item, found by the variable of its path. */
export interface ReadOperation extends OperationBase {
  kind: "read";
  item: z.ZodType;
}

export type Operation = ListOperation | ReadOperation;

/** One version of a resource: what its items look like and what can be done with them. */
export interface ResourceVersion {
  version: number;
  operations: readonly Operation[];
}

/** A resource, its versions newest first. Adding a version is adding one element. */
export interface Resource {
  name: string;
  description: string;
  /** Served to callers who accept any version; the newest where it is not said. */
  defaultVersion?: number;
  versions: readonly [ResourceVersion, ...ResourceVersion[]];
}

/** The versions that a resource has, newest first. */
export function supportedVersions(resource: Resource): number[] {
  return resource.versions.map(({ version }) => version).sort((a, b) => b - a);
}

/** The version that is served to a caller who accepts any. */
export function defaultVersion(resource: Resource): number {
  return resource.defaultVersion ?? Math.max(...supportedVersions(resource));
}

/** Whether a path has variables, which makes it a URI template. */
export function isTemplated(path: string): boolean {
  return path.includes("{");
}
