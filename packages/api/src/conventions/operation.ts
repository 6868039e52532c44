import { z } from "zod";
import type { FilterFields } from "./filter";
import type { Permission } from "./permissions";
import { type SortNames, sortValues } from "./sort";

interface OperationBase {
  /** Verb, dash, resource: unique in the service, the same in every version of the resource. */
  id: string;
  /** A path, with variables in braces where it has any: `/tasks/{task_id}`. */
  path: string;
  /** Permission that a role must have; null if every caller may call it. */
  permission: Permission | null;
  /** Permissions each of which suffices for some bodies: the body decides which one is needed. */
  otherPermissions?: readonly Permission[];
  /** Permissions that are needed as well, whichever the body is. */
  furtherPermissions?: readonly Permission[];
  /** True if people may call it without the permission as well, for what is their own. Services may not. */
  allowsSelf?: boolean;
  /** Set if only service tokens may call it, for themselves. */
  isForServices?: true;
  /** True if it concerns the whole control plane, so that the permission has to be held in the root. */
  requiresRoot?: boolean;
  /**
   * Set if an answer can hold a secret beside text that others choose. It is never compressed: who sees how long it is could guess the
   * secret bit by bit (BREACH).
   */
  hasSecrets?: true;
  summary: string;
  /**
   * A call of it in TypeScript: `holdfast` is a client, and `roleId` the value of the path's variable `{role_id}`. It is in the
   * client's documentation, and the client's tests run it.
   */
  example?: string;
}

/** An operation that answers with a page of items. */
export interface ListOperation extends OperationBase {
  kind: "list";
  method: "get";
  item: z.ZodType;
  filters: FilterFields;
  /** Names that it can be sorted by; undefined if it has only one order. */
  sorts?: SortNames;
  /** Query parameters that it takes beside those of every list, with what they mean. */
  parameters?: Readonly<Record<string, z.ZodType>>;
}

/** An operation that answers with one item, found by the variable of its path. */
export interface ReadOperation extends OperationBase {
  kind: "read";
  method: "get";
  item: z.ZodType;
  /** Query parameters that it takes, with what they mean. */
  parameters?: Readonly<Record<string, z.ZodType>>;
  /** True if `Accept: text/plain` gives all of it as a text to download. */
  isTextToo?: true;
}

/** An operation that answers with a stream of events: a page of items first, and then what changes. */
export interface WatchOperation extends OperationBase {
  kind: "watch";
  method: "get";
  item: z.ZodType;
  filters: FilterFields;
  /** Query parameters that it takes beside the filter and the size of the page, with what they mean. */
  parameters: Readonly<Record<string, z.ZodType>>;
}

/** An operation that changes something. */
export interface WriteOperation extends OperationBase {
  kind: "write";
  method: "post" | "patch" | "delete";
  /** Schema of the request body, if there is one. */
  body?: z.ZodObject;
  /** Query parameters that it takes, with what they mean. */
  parameters?: Readonly<Record<string, z.ZodType>>;
  /** Status of a successful response: 201 has an address in `Location`, 204 has no body. */
  status: 200 | 201 | 204;
  /** Schema of the response body; undefined with 204. */
  item?: z.ZodType;
}

/**
 * An operation that programs call many times a minute to say how their work goes. Many of them are written together in one
 * transaction, and none is an audit event: what is reported is its own record.
 */
export interface ReportOperation extends OperationBase {
  kind: "report";
  method: "post" | "patch";
  /** Schema of the request body. */
  body: z.ZodObject;
  /** Status of a successful response: 201 has an address in `Location`, and 200 says that it had been before. */
  status: 200 | 201;
  /** Schema of the response body. */
  item: z.ZodType;
  /** Which bodies ask for a change instead: it is made by itself, audited, and has a permission of its own. */
  change?: { permission: Permission; isAskedBy: (body: Record<string, unknown>) => boolean };
}

export type Operation = ListOperation | ReadOperation | WatchOperation | WriteOperation | ReportOperation;

/** True if an operation only reads. */
export function isReadOperation(operation: Operation): operation is ListOperation | ReadOperation | WatchOperation {
  return operation.kind === "list" || operation.kind === "read" || operation.kind === "watch";
}

/** The query parameters that this operation takes beside those of every list. */
export function parametersOf(operation: Operation): Readonly<Record<string, z.ZodType>> {
  const own = ("parameters" in operation ? operation.parameters : undefined) ?? {};
  return operation.kind === "list" && operation.sorts ? { sort: sortParameter(operation.sorts), ...own } : own;
}

function sortParameter(sorts: SortNames): z.ZodType {
  const meanings = Object.entries(sorts.names).map(([name, meaning]) => `\`${name}\` (${meaning})`);
  const defaultValue = sorts.default === undefined ? "" : ` \`${sorts.default}\` where it is left out.`;
  return z
    .enum(sortValues(sorts))
    .describe(`What the list is sorted by: ${meanings.join(", ")}; with \`-\` before it, downwards.${defaultValue}`);
}

/** Schema of an operation's request body; undefined if it takes none. */
export function bodyOf(operation: Operation): z.ZodObject | undefined {
  return isReadOperation(operation) ? undefined : operation.body;
}

/**
 * The status of an operation that succeeds.
 * @public Clients and tests of every operation compare with it.
 */
export function doneStatus(operation: Operation): 200 | 201 | 204 {
  return isReadOperation(operation) ? 200 : operation.status;
}

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

/** The variable of a path that has the id of the item which an operation is about: the last one. A list is about none. */
export function itemVariable({ kind, path }: Pick<Operation, "kind" | "path">): string | undefined {
  return kind === "list" ? undefined : path.match(/(?<=\{)\w+(?=\})/g)?.at(-1);
}

/** True if a path has variables, which makes it a URI template. */
export function isTemplated(path: string): boolean {
  return path.includes("{");
}
