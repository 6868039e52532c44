import type { Operation } from "../conventions/operation";

/** The method of the client that calls an operation: `list-roles` is `roles.list`, `rotate-webhook-secret` `webhooks.rotateSecret`. */
export function methodName(resource: string, { id, kind }: Pick<Operation, "id" | "kind">): string {
  const singular = resource.replace(/ies$/, "y").replace(/s$/, "");
  const [verb = "", ...others] = id.split("-");
  const object = others.join("-");
  if (object === singular) return verb;
  if (object === resource) return kind === "write" ? `${verb}All` : verb;
  if (!object.startsWith(`${singular}-`)) return camelCase(id);
  const part = object.slice(singular.length + 1);
  return camelCase(kind === "list" ? part : `${verb}-${part}`);
}

/** The variables of a path, in their order. */
export function pathVariables({ path }: Pick<Operation, "path">): string[] {
  return path.match(/(?<=\{)\w+(?=\})/g) ?? [];
}

/** A name of the API as the client spells it. */
export function camelCase(name: string): string {
  return name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}
