import { join, relative, resolve } from "node:path";

const workspace = resolve(import.meta.dir, "../../..");

/** Programs of the tests that load much of the service, and are started again and again. */
const helpers = [
  "packages/server/test/faults/write-and-tell.ts",
  "packages/server/test/move/move-and-die.ts",
  "packages/server/test/upgrades/migrate-and-die.ts",
  "packages/server/test/walk/write-tasks.ts",
  "packages/server/test/webhooks/report-and-deliver.ts",
  "packages/cli/test/make-data.ts",
].map((path) => join(workspace, path));

/** The command line, and the impatient one of the tests: they are started some hundred times in a run of all tests. */
const commandLine = join(workspace, "packages/cli/src/main.ts");
const shortTimeoutsCommandLine = join(workspace, "packages/cli/test/short-timeouts-main.ts");

/**
 * The files to start the command lines by: what was built of them for this run of the tests, which takes half as long to
 * start, or else their sources.
 */
export function commandLines(): { default: string; shortTimeouts: string } {
  const folder = process.env.HOLDFAST_TEST_PROGRAMS;
  return { default: builtFrom(commandLine, folder), shortTimeouts: builtFrom(shortTimeoutsCommandLine, folder) };
}

/** The file to start one of the helpers by: built, where it was, else its source. */
export function helper(source: string): string {
  if (!helpers.includes(source)) throw new Error(`${source} is not built. Add it to the helpers.`);
  return builtFrom(source, process.env.HOLDFAST_TEST_PROGRAMS);
}

/**
 * Builds the command lines into a folder, one file each, with what the engine would compile at each start; and the helpers,
 * which share files.
 */
export async function buildCommandLines(folder: string): Promise<void> {
  await Bun.build({
    entrypoints: helpers,
    root: workspace,
    outdir: folder,
    target: "bun",
    format: "esm",
    splitting: true,
  });
  await Bun.build({
    entrypoints: [commandLine, shortTimeoutsCommandLine],
    root: workspace,
    outdir: folder,
    target: "bun",
    format: "cjs",
    bytecode: true,
  });
}

function builtFrom(source: string, folder: string | undefined): string {
  return folder === undefined ? source : join(folder, relative(workspace, source).replace(/\.ts$/, ".js"));
}
