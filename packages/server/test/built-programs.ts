import { join, relative, resolve } from "node:path";

const workspace = resolve(import.meta.dir, "../../..");

/** The command line, and the impatient one of the tests: they are started some hundred times in a run of all tests. */
const commandLine = join(workspace, "packages/cli/src/main.ts");
const impatientCommandLine = join(workspace, "packages/cli/test/impatient-main.ts");

/**
 * The files to start the command lines by: what was built of them for this run of the tests, which takes half as long to
 * start, or else their sources.
 */
export function commandLines(): { usual: string; impatient: string } {
  const folder = process.env.HOLDFAST_TEST_PROGRAMS;
  return { usual: builtFrom(commandLine, folder), impatient: builtFrom(impatientCommandLine, folder) };
}

/** Builds the command lines into a folder, one file each, with what the engine would compile at each start. */
export async function buildCommandLines(folder: string): Promise<void> {
  await Bun.build({
    entrypoints: [commandLine, impatientCommandLine],
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
