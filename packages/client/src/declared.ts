import type { FilterField, FilterFields } from "@holdfast/api/conventions/filter";
import type { Operation } from "@holdfast/api/conventions/operation";
import type { declaredResources } from "@holdfast/api/resources/index";
import type { z } from "zod";

/** The declarations of all resources, by name. Only their types are used: no declaration is in the built client. */
type Declared = { [One in (typeof declaredResources)[number] as One["name"]]: One };

export type ResourceName = keyof Declared;

type DeclaredVersion<Name extends ResourceName> = Declared[Name]["versions"][number];

/** The versions that a resource has. */
export type VersionOf<Name extends ResourceName> = DeclaredVersion<Name>["version"];

/** The version that a resource is served in where the caller accepts any. */
export type DefaultVersion<Name extends ResourceName> = Declared[Name] extends { defaultVersion: infer Version }
  ? Version
  : VersionOf<Name>;

/** The versions of resources that a client may be asked for. */
export type WantedVersions = { [Name in ResourceName]?: VersionOf<Name> | undefined };

/** The version that a client asks for: the default one where none is wanted. */
export type VersionIn<Versions extends WantedVersions, Name extends ResourceName> = Versions extends {
  [One in Name]: infer Version extends VersionOf<Name>;
}
  ? Version
  : DefaultVersion<Name>;

type OperationsOf<Name extends ResourceName, Version> = Extract<
  DeclaredVersion<Name>,
  { version: Version }
>["operations"][number];

/** The ids of the operations of a resource, in any of its versions. */
export type OperationId<Name extends ResourceName> = DeclaredVersion<Name>["operations"][number]["id"];

type DeclaredOperation<Name extends ResourceName, Id, Version> = Extract<OperationsOf<Name, Version>, { id: Id }>;

/**
 * Response of an operation: the item, or an item of the list.
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
 * Sort orders of a list, `-` before it for downwards; nothing for a list with one order.
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

/** A query parameter that an operation takes. One that is not only a text, such as a number, is not given as a text. */
export type ParameterOf<
  Name extends ResourceName,
  Id extends OperationId<Name>,
  Parameter extends string,
  Version = DefaultVersion<Name>,
> =
  DeclaredOperation<Name, Id, Version> extends { parameters: { [One in Parameter]: infer Schema extends z.ZodType } }
    ? NotText<z.input<Schema>>
    : never;

type NotText<Input> = [Exclude<Input, string>] extends [never] ? Input : Exclude<Input, string>;

type Comparison<Field extends FilterField> =
  | { [Name in Field["operators"][number]]?: Name extends "$in" ? readonly string[] : ValueOf<Field> }
  | ("$eq" extends Field["operators"][number] ? ValueOf<Field> : never);

type ValueOf<Field extends FilterField> = Field["kind"] extends "timestamp"
  ? string | Date
  : Field["kind"] extends "flag"
    ? boolean
    : string;

/**
 * Call of an operation, as discovery describes it.
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
