import { chmod, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { workspace } from "./locked-packages";
import type { Target } from "./targets";

/** Parts of an executable. */
export interface ExecutableParts {
  target: Target;
  /** The runtime of that platform, as a file. */
  runtime: string;
  /** A folder named `console` with the built web console. */
  consoleFolder: string;
  /** A folder for what is not finished. */
  scratch: string;
  outfile: string;
}

/** The command line, and the thread that copies a database: both lie at the root of the executable, by these names. */
const entries = ["packages/cli/src/main.ts", "packages/server/src/database/sqlite/backup-worker.ts"];

/** Builds the executable of a platform, and gives the source files that are in it. */
export async function buildExecutable(parts: ExecutableParts): Promise<string[]> {
  const { target, runtime, consoleFolder, scratch, outfile } = parts;
  // Its name is in the file, so every platform's has the same until it is whole.
  const unfinished = join(scratch, `built-${target.name}`, "holdfast");
  await mkdir(join(scratch, `built-${target.name}`), { recursive: true });
  const built = await Bun.build({
    entrypoints: entries.map((entry) => join(workspace, entry)),
    root: workspace,
    naming: { entry: "[name].[ext]" },
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    // A command loads only its own part: a backup waits for holdfast run.
    splitting: true,
    metafile: true,
    compile: {
      target: target.runtimeTarget,
      executablePath: runtime,
      outfile: unfinished,
      assets: [consoleFolder],
      // Neither code nor variables of the folder that it is called in.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  });
  await chmod(unfinished, 0o755);
  await rename(unfinished, outfile);
  return Object.keys(built.metafile?.inputs ?? {});
}
