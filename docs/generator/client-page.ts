import { type ClientExport, type ClientMember, clientModules, readClientExports } from "./client-source";
import { code, codeBlock, page, table } from "./markdown";

const [mainModule] = Object.keys(clientModules);

/** The page of the client, from the comments in its source. */
export function clientPage(): string {
  const exported = readClientExports();
  return page("Client", [
    "Exports of `@holdfast/client`, and of `@holdfast/client/report` where that is said. How to use it: [Use the client](../how-to/use-the-client.md). In the examples, `holdfast` is a client: `const holdfast = connect({ token })`.",
    ...exported.filter(({ isValue }) => isValue).flatMap(section),
    ...exported.filter(({ isValue }) => !isValue).flatMap(section),
  ]);
}

function section({ name, module, sentence, signature, example, members }: ClientExport): string[] {
  const fields = members.filter(({ isMethod }) => !isMethod);
  const methods = members.filter(({ isMethod, sentence }) => isMethod && sentence !== "");
  return [
    `## ${name}`,
    module === mainModule ? sentence : `${sentence} Import it from \`${module}\`.`,
    codeBlock("ts", signature),
    ...exampleBlock(example),
    ...(fields.length > 0 ? [fieldTable(fields)] : []),
    ...methods.flatMap((method) => [
      `### ${name}.${method.name}`,
      method.sentence,
      codeBlock("ts", method.signature),
      ...exampleBlock(method.example),
    ]),
  ];
}

function exampleBlock(example: string | undefined): string[] {
  return example === undefined ? [] : ["Example:", codeBlock("ts", example)];
}

function fieldTable(fields: readonly ClientMember[]): string {
  return table(
    ["field", "meaning"],
    fields.map(({ signature, sentence }) => [code(signature.split(" = ")[0] ?? ""), sentence]),
  );
}
