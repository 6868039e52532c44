import type { Check } from "./check";
import { readSourceFiles, type SourceFile } from "./source-files";

/** A name means one thing in a package, and a comment begins with what something is or does, so that both can be searched. */
export const words: Check = {
  name: "an exported type name occurs once in a package, and comments begin with a noun or a verb",
  async find() {
    const files = await readSourceFiles("{packages,scripts,docs,bench}/**/*.{ts,tsx}");
    return [...repeatedTypes(files.filter(({ path }) => path !== generated)), ...files.flatMap(questionComments)];
  },
};

/** A generated file: its interfaces have the names of resources, and the client extends one of them under the same name. */
const generated = "packages/client/src/resources.ts";

/** Gives a sentence for each type or class that several files of a package export. */
export function repeatedTypes(files: readonly SourceFile[]): string[] {
  const exported = files.flatMap(({ path, text }) => {
    const names = text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm);
    const [owner = ""] = /^packages\/[^/]+|^[^/]+/.exec(path) ?? [];
    return [...new Set([...names].map(([, name = ""]) => name))].map((name) => ({
      key: `${owner} ${name}`,
      name,
      path,
    }));
  });
  return [...Map.groupBy(exported, ({ key }) => key).values()]
    .filter(({ length }) => length > 1)
    .map(
      (same) => `${same[0]?.name} is exported by ${same.map(({ path }) => path).join(" and ")}. Rename all but one.`,
    );
}

/** Gives a sentence for each comment that begins like a question. A line that continues a comment does not begin one. */
export function questionComments({ path, text }: SourceFile): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const before = lines[at - 1]?.trim() ?? "";
    const isContinued = /^\s*\/\//.test(line) && before.startsWith("//");
    const begins = /^\s*\/[/*]|[\s;{},)]\/\/ /.test(line) || (/^\s*\* /.test(line) && /^\/\*\*?$/.test(before));
    const [, word] = /(?:^|\s)(?:\/\*\*?|\/\/|\*) (What|How|Whether|The same)\b/.exec(line) ?? [];
    if (word === undefined || !begins || isContinued) return [];
    return [`${path}:${at + 1}: a comment begins with "${word}". Begin with a noun or a verb: what it is, or does.`];
  });
}
