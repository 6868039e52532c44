import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientExamples } from "./generator/client-examples";
import { clientResources } from "./generator/client-resources";
import { commandFields } from "./generator/command-fields";
import { referencePages } from "./generator/reference-pages";
import { pagesWithFigures, withFigures } from "./generator/speed-figures";

/** The names of the pages in a folder that are missing or not what the code says now. */
export async function stalePages(folder: string, pages?: ReadonlyMap<string, string>): Promise<string[]> {
  return [...(pages ?? (await referencePages()))]
    .filter(([name, text]) => readPage(join(folder, name)) !== text)
    .map(([name]) => name);
}

/** Writes all pages into a folder. */
export async function writePages(folder: string, pages?: ReadonlyMap<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages ?? (await referencePages())) writeFileSync(join(folder, name), text);
}

function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The generated files of the client that are not what the code says now: its resources, and the examples that are run. */
export function staleClientFiles(files: ReadonlyMap<string, () => string> = clientFiles): string[] {
  return [...files].filter(([name, generate]) => readPage(join(repository, name)) !== generate()).map(([name]) => name);
}

/** The pages in a folder whose figures are not those of the kept runs of the benchmark. */
export function staleFigures(folder: string): string[] {
  return pagesWithFigures.filter((name) => {
    const page = readFileSync(join(folder, name), "utf8");
    return withFigures(page) !== page;
  });
}

const repository = join(import.meta.dir, "..");

/** In this order: the reference and the examples are read from the comments in the first. */
const clientFiles: ReadonlyMap<string, () => string> = new Map([
  ["packages/client/src/resources.ts", () => clientResources()],
  ["packages/client/test/examples.ts", clientExamples],
  ["packages/cli/src/grammar/declared.ts", () => commandFields()],
]);

if (import.meta.main) {
  const folder = join(import.meta.dir, "reference");
  if (process.argv.includes("--check")) {
    const stale = [
      ...(await stalePages(folder)).map((name) => `docs/reference/${name}`),
      ...staleFigures(import.meta.dir).map((name) => `docs/${name}`),
      ...staleClientFiles(),
    ];
    if (stale.length > 0) {
      process.stderr.write(`Not current: ${stale.join(", ")}. Run \`npm run docs\` and commit them.\n`);
      process.exitCode = 1;
    }
  } else {
    for (const [name, generate] of clientFiles) writeFileSync(join(repository, name), generate());
    await writePages(folder);
    for (const name of pagesWithFigures) {
      const file = join(import.meta.dir, name);
      writeFileSync(file, withFigures(readFileSync(file, "utf8")));
    }
  }
}
