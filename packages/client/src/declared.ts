import type { FilterField, FilterFields } from "@holdfast/api/conventions/filter";
import type { Operation } from "@holdfast/api/conventions/operation";
import type { apiTokens } from "@holdfast/api/resources/api-tokens";
import type { auditEvents } from "@holdfast/api/resources/audit-events";
import type { caller } from "@holdfast/api/resources/caller";
import type { entities } from "@holdfast/api/resources/entities";
import type { keys } from "@holdfast/api/resources/keys";
import type { monitors } from "@holdfast/api/resources/monitors";
import type { organizationalUnits } from "@holdfast/api/resources/organizational-units";
import type { pingKeys } from "@holdfast/api/resources/ping-keys";
import type { roles } from "@holdfast/api/resources/roles";
import type { tasks } from "@holdfast/api/resources/tasks";
import type { users } from "@holdfast/api/resources/users";
import type { webhookDeliveries } from "@holdfast/api/resources/webhook-deliveries";
import type { webhooks } from "@holdfast/api/resources/webhooks";
import type { z } from "zod";

/** The declarations of all resources, by name. Only their types are used: no declaration is in the built client. */
interface Declared {
  users: typeof users;
  tasks: typeof tasks;
  monitors: typeof monitors;
  "ping-keys": typeof pingKeys;
  entities: typeof entities;
  "organizational-units": typeof organizationalUnits;
  roles: typeof roles;
  "api-tokens": typeof apiTokens;
  keys: typeof keys;
  "audit-events": typeof auditEvents;
  webhooks: typeof webhooks;
  "webhook-deliveries": typeof webhookDeliveries;
  caller: typeof caller;
}

export type ResourceName = keyof Declared;

type DeclaredVersion<Name extends ResourceName> = Declared[Name]["versions"][number];

/** The versions that a resource has. */
export type VersionOf<Name extends ResourceName> = DeclaredVersion<Name>["version"];

/** The version that a resource is served in where the caller accepts any. */
export type DefaultVersion<Name extends ResourceName> = Declared[Name] extends { defaultVersion: infer Version }
  ? Version
  : VersionOf<Name>;

type OperationsOf<Name extends ResourceName, Version> = Extract<
  DeclaredVersion<Name>,
  { version: Version }
>["operations"][number];

/** The ids of the operations of a resource, in any of its versions. */
export type OperationId<Name extends ResourceName> = DeclaredVersion<Name>["operations"][number]["id"];

type DeclaredOperation<Name extends ResourceName, Id, Version> = Extract<OperationsOf<Name, Version>, { id: Id }>;

/**
 * What an operation answers with: the item, or an item of the list.
 * @example
 * import { type ItemOf } from "@holdfast/client";
 *
 * const caller: ItemOf<"caller", "read-caller"> = await holdfast.caller.read();
 * console.log(caller.kind);
 */
export type ItemOf<Name extends ResourceName, Id extends OperationId<Name>, Version = DefaultVersion<Name>> =
  DeclaredOperation<Name, Id, Version> extends { item: infer Item extends z.ZodType } ? z.infer<Item> : undefined;

/**
 * The body that an operation takes.
 * @example
 * import { type BodyOf } from "@holdfast/client";
 *
 * const body: BodyOf<"tasks", "create-task"> = { category: "backup", type: "tar_create", status: "completed" };
 * await holdfast.tasks.create(body);
 */
export type BodyOf<Name extends ResourceName, Id extends OperationId<Name>, Version = DefaultVersion<Name>> =
  DeclaredOperation<Name, Id, Version> extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined;

/**
 * The filter that a list takes: a field and what it is compared with. All of it has to hold.
 * @example
 * import { type FilterOf } from "@holdfast/client";
 *
 * const filter: FilterOf<"tasks", "list-tasks"> = { outcome: { $in: ["error", "lost"] } };
 * await holdfast.tasks.list({ filter }).first(1);
 */
export type FilterOf<Name extends ResourceName, Id extends OperationId<Name>, Version = DefaultVersion<Name>> =
  DeclaredOperation<Name, Id, Version> extends { filters: infer Fields extends FilterFields }
    ? { [Field in keyof Fields]?: Comparison<Fields[Field]> | undefined }
    : never;

/**
 * What a list can be sorted by, `-` before it for downwards; nothing for a list with one order.
 * @example
 * import { type SortOf } from "@holdfast/client";
 *
 * const sort: SortOf<"api-tokens", "list-api-tokens"> = "-expires_timestamp";
 * await holdfast.apiTokens.list({ sort }).first(1);
 */
export type SortOf<Name extends ResourceName, Id extends OperationId<Name>, Version = DefaultVersion<Name>> =
  DeclaredOperation<Name, Id, Version> extends { sorts: { names: infer Names } }
    ? (keyof Names & string) | `-${keyof Names & string}`
    : never;

type Comparison<Field extends FilterField> =
  | { [Name in Field["operators"][number]]?: Name extends "$in" ? readonly string[] : ValueOf<Field> }
  | ("$eq" extends Field["operators"][number] ? ValueOf<Field> : never);

type ValueOf<Field extends FilterField> = Field["kind"] extends "timestamp"
  ? string | Date
  : Field["kind"] extends "flag"
    ? boolean
    : string;

/**
 * How an operation is called, as discovery describes it.
 * @example
 * import { type OperationDescriptor } from "@holdfast/client";
 *
 * const list: OperationDescriptor | undefined = (await holdfast.discover()).tasks?.v1?.["list-tasks"];
 * console.log(list?.href);
 */
export interface OperationDescriptor {
  href: string;
  type: Operation["method"];
  templated: boolean;
}

/** The versions that the calls of this client are built for: the ones that its types describe. */
export const builtFor = {
  users: 2,
  tasks: 1,
  monitors: 1,
  "ping-keys": 1,
  entities: 1,
  "organizational-units": 1,
  roles: 1,
  "api-tokens": 1,
  keys: 1,
  "audit-events": 1,
  webhooks: 1,
  "webhook-deliveries": 1,
  caller: 1,
} as const satisfies { [Name in ResourceName]: DefaultVersion<Name> };
