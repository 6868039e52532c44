import type { z } from "zod";
import type { FilterFields } from "./filter";
import type { Permission } from "./permissions";

interface OperationBase {
  /** Verb, dash, resource: unique in the service, the same in every version of the resource. */
  id: string;
  /** A path, with variables in braces where it has any: `/tasks/{task_id}`. */
  path: string;
  permission: Permission;
  /** Whether people may call it without the permission as well, for what is their own. Services may not. */
  allowsSelf?: boolean;
  /** Whether it concerns the whole control plane, so that the permission has to be held in the root. */
  requiresRoot?: boolean;
  summary: string;
}

/** An operation that answers with a page of items. */
export interface ListOperation extends OperationBase {
  kind: "list";
  method: "get";
  item: z.ZodType;
  filters: FilterFields;
}

/** An operation that answers with one item, found by the variable of its path. */
export interface ReadOperation extends OperationBase {
  kind: "read";
  method: "get";
  item: z.ZodType;
}

/** An operation that changes something. */
export interface WriteOperation extends OperationBase {
  kind: "write";
  method: "post" | "patch" | "delete";
  /** What has to be sent, where anything has. */
  body?: z.ZodObject;
  /** Query parameters that it takes, with what they mean. */
  parameters?: Readonly<Record<string, string>>;
  /** What it is answered with when it was done: 201 has an address in `Location`, 204 has no body. */
  status: 200 | 201 | 204;
  /** What is in the answer; nothing with 204. */
  item?: z.ZodType;
}

export type Operation = ListOperation | ReadOperation | WriteOperation;

/** One version of a resource: what its items look like and what can be done with them. */
export interface ResourceVersion {
  version: number;
  operations: readonly Operation[];
}

/** A resource, its versions newest first. Adding a version is adding one element. */
export interface Resource {
  name: string;
  description: string;
  /** Fields of an item that change by themselves as it is used, without a change request: If-Match ignores them. */
  volatileFields?: readonly string[];
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
