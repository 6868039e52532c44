import { camelCase, pathVariables } from "@holdfast/api/reference/client-methods";
import { resources } from "@holdfast/api/resources/index";
import { clientModules, readClientExports } from "./client-source";

/** Clients in examples that are not declared there, beside the ids of items. */
const clients = ["holdfast", "signedIn"];
const others = [
  "token",
  "invitedUserId",
  "unitId",
  "emptyUnitId",
  "reporterRoleId",
  "oldKeyId",
  "ownEmail",
  "ownPassword",
];

/** The ids of items, by the variables of paths: `roleId` for `{role_id}`. */
const ids = resources.flatMap(({ versions }) =>
  versions.flatMap(({ operations }) => operations.flatMap((operation) => pathVariables(operation).map(camelCase))),
);
const free = [...new Set([...clients, ...others, ...ids])];

/** A file with every example of the client as a function, so that examples are compiled and run. */
export function clientExamples(): string {
  const examples = readClientExports().flatMap(({ name, example, members }) => [
    { name, example },
    ...members.map((member) => ({ name: `${name}.${member.name}`, example: member.example })),
  ]);
  const given = examples.flatMap(({ name, example }) => (example === undefined ? [] : [{ name, example }]));
  const lines = ['import { type Client } from "@holdfast/client";', ...given.map(({ example }) => example)].join("\n");
  const imports = Object.entries(clientModules).map(([module, file]) => {
    const names = [...lines.matchAll(importLine)].flatMap(([, some = "", from]) =>
      from === module ? some.split(",") : [],
    );
    const unique = [...new Set(names.map((name) => name.trim()))].sort();
    return `import { ${unique.join(", ")} } from "../src/${file}";`;
  });
  return `// Generated from the comments in packages/client/src by \`npm run docs\`. Change those, not this file.
${imports.join("\n")}

/** Values that examples use without declaring them. */
export interface Given {
${free.map((name) => `  ${name}: ${clients.includes(name) ? "Client" : "string"};`).join("\n")}
}

/** Every example of the client, by what it is an example of. */
export const examples: Record<string, (given: Given) => Promise<void>> = {
${given.map(({ name, example }) => functionOf(name, example)).join("\n")}
};
`;
}

const importLine = /^import \{ (.*) \} from "(@holdfast\/client(?:\/report)?)";\n+/gm;

function functionOf(name: string, example: string): string {
  const body = example.replace(importLine, "");
  const used = free.filter((one) => new RegExp(`(?<![.\\w])${one}\\b`).test(body) && !isDeclared(one, body));
  return `  "${name}": async ({ ${used.join(", ")} }) => {\n${body.replace(/^(?=.)/gm, "    ")}\n  },`;
}

function isDeclared(name: string, body: string): boolean {
  return new RegExp(`const (\\{[^}]*)?\\b${name}\\b`).test(body);
}
