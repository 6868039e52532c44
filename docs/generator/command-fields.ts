import type { Resource } from "@holdfast/api/conventions/operation";
import { declaredVerbs } from "@holdfast/api/reference/declared-verbs";
import { resources } from "@holdfast/api/resources/index";

/**
 * A file with what the command line needs of the declarations: the operations behind the five verbs of a noun, with filters, sorts
 * and fields of bodies. The declarations themselves would load Zod, which takes longer than most commands.
 */
export function commandFields(all: readonly Resource[] = resources): string {
  const declared = Object.fromEntries(all.map((resource) => [resource.name, declaredVerbs(resource)]));
  return `// Generated from the declarations in packages/api/src/resources by \`npm run docs\`. Change those, not this file.
import type { DeclaredResource } from "./declared-resource";

export const declared = ${literal(declared, "")} as const satisfies Record<string, DeclaredResource>;
`;
}

/** A value as the formatter writes it: an object or a list on one line if it fits. */
function literal(value: unknown, indent: string, before = indent.length): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const key = (name: string) => (isList ? "" : `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: `);
  const flat = entries.map(([name, inner]) => `${key(name)}${literal(inner, indent)}`).join(", ");
  const line = isList ? `[${flat}]` : entries.length === 0 ? "{}" : `{ ${flat} }`;
  if (before + line.length < 118 && !line.includes("\n")) return line;
  const inside = entries.map(([name, inner]) => {
    const start = `${indent}  ${key(name)}`;
    return `${start}${literal(inner, `${indent}  `, start.length)},`;
  });
  return isList ? `[\n${inside.join("\n")}\n${indent}]` : `{\n${inside.join("\n")}\n${indent}}`;
}
