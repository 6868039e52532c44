import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const repository = join(import.meta.dir, "..");
const page = readFileSync(join(import.meta.dir, "how-to/add-an-engine.md"), "utf8");

/** The files of the example, by their paths. */
const files = new Map(
  [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, path = "", text = ""]) => [
    join(repository, path),
    text,
  ]),
);

/** Compiles the example as if its files lay where the page puts them, and gives what is wrong. */
function compile(): string[] {
  const names = join(repository, "packages/runner/src/engines/engine-names.ts");
  const named = readFileSync(names, "utf8").replace('"kopia",', '"kopia",\n  "mysqldump",');
  const all = new Map([...files, [names, named]]);
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repository);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => all.has(path) || fileExists(path);
  host.directoryExists = (path) =>
    [...all.keys()].some((file) => file.startsWith(`${path}/`)) || ts.sys.directoryExists(path);
  host.readFile = (path) => all.get(path) ?? readFile(path);
  host.getSourceFile = (path, language) => {
    const text = all.get(path);
    return text === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("the engine of the how-to has the files of an engine, and compiles", () => {
  const expected = ["recognise.ts", "errors.ts", "progress.ts", "ending.ts", "index.ts"];
  expect([...files.keys()].map((path) => path.split("/").at(-1) ?? "")).toEqual(expected);
  expect(compile()).toEqual([]);
});
