import type { Check } from "./check";
import { readSourceFiles, type SourceFile } from "./source-files";

const folder = "packages/server/src/database/migrations";
const record = "bun scripts/record-steps.ts";
/** Goes with the first release: from then on there are databases that have made the step. */
const untilRelease = `Until the first release: ${record} --changed, and then keep its data again with bun packages/server/test/upgrades/keep-data.ts .`;

/** The hashes of the files of all steps, by their paths. */
export type Hashes = Readonly<Record<string, string>>;

export const hashFile = `${folder}/hashes.json`;

/** A step of the schema that databases have made is not edited: each file of a step has the hash that was recorded for it. */
export const schemaSteps: Check = {
  name: "steps of the schema are as they were recorded",
  find: async () => stepFaults(await readSteps(), await readHashes()),
};

/** The files of all steps. */
export function readSteps(): Promise<SourceFile[]> {
  return readSourceFiles(`${folder}/**/*.ts`);
}

export async function readHashes(): Promise<Hashes> {
  return Bun.file(hashFile).json();
}

export function hashOf({ text }: SourceFile): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Finds faults in the files of steps. */
export function stepFaults(files: readonly SourceFile[], hashes: Hashes): string[] {
  const missing = Object.keys(hashes).filter((path) => !files.some((file) => file.path === path));
  return [
    ...missing.map((path) => `${path} is missing, and databases have made this step. Put it back.`),
    ...files.flatMap((file) => {
      const [recorded, faults] = [hashes[file.path], importFaults(file)];
      if (recorded === undefined) return [...faults, `${file.path} is not recorded. When it is complete: ${record}`];
      if (recorded === hashOf(file)) return faults;
      const advice = "A step that a database has made is not made again: write what you change as a new step";
      return [...faults, `${file.path} has changed. ${advice}. ${untilRelease}`];
    }),
  ];
}

/** A step that imports what is beside it would change with that. */
function importFaults({ path, text }: SourceFile): string[] {
  const own = `./${path.slice(folder.length + 1).replace(/(\.ts|\/.*)$/, "")}/`;
  return new Bun.Transpiler({ loader: "ts" })
    .scanImports(text)
    .filter((imported) => !imported.path.startsWith(own))
    .map((imported) => `${path} imports ${imported.path}, which may change. Write what the step does as literal SQL.`);
}
