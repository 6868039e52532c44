import {
  bodyOf,
  defaultVersion,
  type Operation,
  type parametersOf,
  type Resource,
} from "@holdfast/api/conventions/operation";
import { camelCase, methodName, pathVariables } from "@holdfast/api/reference/client-methods";
import { resources } from "@holdfast/api/resources/index";

/** A method of the client, and the operation that it calls. */
interface ClientMethod {
  name: string;
  operation: Operation;
  /** Returns all of it as a text, not as an item. */
  isText?: true;
}

type Parameter = ReturnType<typeof parametersOf>[string];

/** A file with the client's resources: their types with comments, and the table that their calls are made from. */
export function clientResources(all: readonly Resource[] = resources): string {
  return `// Generated from the declarations in packages/api/src/resources by \`npm run docs\`. Change those, not this file.
import type {
  BodyOf,
  DefaultVersion,
  FilterOf,
  ItemOf,
  ParameterOf,
  SortOf,
  VersionIn,
  VersionOf,
  WantedVersions,
} from "./declared";
import type { ListOptions } from "./list-items";
import type { Listing } from "./listing";
import type { ChangeOptions, CreateOptions } from "./options";
import type { CallOptions } from "./transport";
import type { WatchEvent, WatchOptions } from "./watch-items";

/**
 * Resources of the API and their operations.
 * @example
 * import { type Resources } from "@holdfast/client";
 *
 * const nameOf = async ({ roles }: Pick<Resources, "roles">) => (await roles.read(roleId)).name;
 * console.log(await nameOf(holdfast));
 */
export interface Resources<Versions extends WantedVersions = Record<never, never>> {
${all.map(resourceField).join("\n")}
}

${all.map(resourceInterface).join("\n\n")}

/**
 * The operations of all resources, by the names that they have in the client: the version that the types describe, and for each
 * method the kind of call and the operation's id. Words behind them say more: \`body\` that it takes a body, \`id\` that what is
 * created gets a random id unless it has one, and \`?time_zone\` that the option \`timeZone\` is a query parameter.
 */
export const callTable: Readonly<Record<string, readonly [number, Readonly<Record<string, string>>]>> = {
${all.map(tableEntry).join("\n")}
};
`;
}

function resourceField(resource: Resource): string {
  const { name, description } = resource;
  const type = hasVersions(resource) ? `${pascal(name)}<VersionIn<Versions, "${name}">>` : pascal(name);
  return `  /** ${description} */\n  ${camelCase(name)}: ${type};`;
}

function resourceInterface(resource: Resource): string {
  const { name, description } = resource;
  const versions = hasVersions(resource) ? `<Default extends VersionOf<"${name}"> = DefaultVersion<"${name}">>` : "";
  const methods = methodsOf(resource).map((method) => methodText(resource, method));
  return `/** ${description} */\nexport interface ${pascal(name)}${versions} {\n${methods.join("\n")}\n}`;
}

/** The methods of a resource. Its default version decides; an operation that only older versions have is not offered. */
function methodsOf(resource: Resource): ClientMethod[] {
  const methods = operationsOf(resource).flatMap((operation): ClientMethod[] => {
    const name = methodName(resource.name, operation);
    const method = { name, operation };
    const hasText = operation.kind === "read" && operation.isTextToo;
    return hasText ? [method, { name: name.replace("read", "download"), operation, isText: true }] : [method];
  });
  const names = methods.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two operations of ${resource.name} make the method ${twice}. Rename one.`);
  return methods;
}

function operationsOf(resource: Resource): readonly Operation[] {
  return resource.versions.find(({ version }) => version === defaultVersion(resource))?.operations ?? [];
}

function methodText(resource: Resource, method: ClientMethod): string {
  const { operation, name } = method;
  const example = method.isText
    ? `const text = await holdfast.${camelCase(resource.name)}.${name}(${pathVariables(operation).map(camelCase).join(", ")});`
    : operation.example;
  if (example === undefined) throw new Error(`${operation.id} has no example. Write one in its declaration.`);
  const sentence = method.isText ? "Read all of it as text, to the end." : operation.summary;
  const comment = [...wrap(sentence), "@example", ...dedent(example)].map((line) => `   * ${line}`.trimEnd());
  return ["  /**", ...comment, "   */", signature(resource, method)].join("\n");
}

function signature(resource: Resource, { operation, name, isText }: ClientMethod): string {
  const isVersioned = versionsWith(resource, operation) > 1;
  const generic = isVersioned ? `<Version extends VersionOf<"${resource.name}"> = Default>` : "";
  const version = isVersioned ? ", Version" : "";
  const of = (kind: string) => `${kind}<"${resource.name}", "${operation.id}"${version}>`;
  const ids = pathVariables(operation);
  const body = bodyOf(operation);
  const parameters = isText ? [] : optionParameters(operation);
  const isRequired = parameters.some(([, schema]) => isRequiredParameter(schema));
  const options = [
    optionsType(operation, of),
    ...(parameters.length > 0 ? [`{\n${parameters.map((one) => parameterText(one, of)).join("\n")}\n  }`] : []),
    ...(isVersioned ? ["{ version?: Version | undefined }"] : []),
  ].join(" & ");
  const given = [
    ...ids.map((id) => `${ids.length === 1 ? "id" : camelCase(id)}: string`),
    ...(body ? [`body${isBodyOptional(operation, body) ? "?" : ""}: ${of("BodyOf")}`] : []),
    `options${isRequired ? "" : "?"}: ${options}`,
  ];
  const result = isText ? "Promise<string>" : resultType(operation, of);
  const line = `  ${name}${generic}(${given.join(", ")}): ${result};`;
  if (line.length <= 120) return line;
  return `  ${name}${generic}(\n${given.map((one) => `    ${one.replace(/\n/g, "\n  ")},`).join("\n")}\n  ): ${result};`;
}

function optionsType(operation: Operation, of: (kind: string) => string): string {
  switch (operation.kind) {
    case "list": {
      const hasFilter = Object.keys(operation.filters).length > 0;
      if (!hasFilter) return 'Omit<ListOptions<never>, "filter">';
      return `ListOptions<${of("FilterOf")}${operation.sorts ? `, ${of("SortOf")}` : ""}>`;
    }
    case "watch":
      return `WatchOptions<${of("FilterOf")}>`;
    case "write":
      return operation.method === "post" ? "CreateOptions" : "ChangeOptions";
    default:
      return "CallOptions";
  }
}

function resultType(operation: Operation, of: (kind: string) => string): string {
  if (operation.kind === "list") return `Listing<${of("ItemOf")}>`;
  if (operation.kind === "watch") return `AsyncGenerator<WatchEvent<${of("ItemOf")}>, void, undefined>`;
  return `Promise<${operation.item ? of("ItemOf") : "void"}>`;
}

function parameterText([name, schema]: [string, Parameter], of: (kind: string) => string): string {
  const type = of("ParameterOf").replace(/>$/, `, "${name}">`);
  const field = isRequiredParameter(schema) ? `: ${type}` : `?: ${type} | undefined`;
  return `    /** ${schema.description ?? ""} */\n    ${camelCase(name)}${field};`;
}

/** The query parameters that a call has as options. Those of a stream are the stream's own business. */
function optionParameters(operation: Operation): [string, Parameter][] {
  return operation.kind !== "watch" && "parameters" in operation ? Object.entries(operation.parameters ?? {}) : [];
}

function isRequiredParameter(schema: Parameter): boolean {
  return schema.meta()?.isRequired === true;
}

/** Returns true if nothing has to be said: a change that does not, as an update does, consist of what is said. */
function isBodyOptional({ kind, method }: Operation, body: NonNullable<ReturnType<typeof bodyOf>>): boolean {
  return kind === "write" && method === "post" && body.safeParse({}).success;
}

function tableEntry(resource: Resource): string {
  const calls = methodsOf(resource).map(({ name, operation, isText }) => {
    const words = [
      isText ? "text" : operation.kind,
      operation.id,
      ...(bodyOf(operation) ? ["body"] : []),
      ...(choosesId(operation) ? ["id"] : []),
      ...(isText ? [] : optionParameters(operation).map(([parameter]) => `?${parameter}`)),
    ];
    return `      ${name}: "${words.join(" ")}",`;
  });
  return `  ${camelCase(resource.name)}: [\n    ${defaultVersion(resource)},\n    {\n${calls.join("\n")}\n    },\n  ],`;
}

/** Returns true if the caller chooses the id of what it creates, which makes the request repeatable. */
function choosesId(operation: Operation): boolean {
  return operation.kind === "report" && operation.method === "post" && pathVariables(operation).length === 0
    ? "id" in operation.body.shape
    : false;
}

function hasVersions({ versions }: Resource): boolean {
  return versions.length > 1;
}

function versionsWith({ versions }: Resource, { id }: Operation): number {
  return versions.filter(({ operations }) => operations.some((operation) => operation.id === id)).length;
}

/** Breaks a sentence into lines of a comment. */
function wrap(sentence: string): string[] {
  return sentence.match(/.{1,110}(?= |$)/g)?.map((line) => line.trim()) ?? [];
}

/** Removes the indentation that all lines of an example have in its declaration. */
function dedent(text: string): string[] {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents)));
}

function pascal(name: string): string {
  return camelCase(`-${name}`);
}
