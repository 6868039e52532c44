import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildConsole } from "../../packages/console/build/build-console";
import { version } from "../../packages/server/src/settings/version";
import { billOfMaterials } from "./bill-of-materials";
import { buildExecutable } from "./build-executable";
import { writeChecksums } from "./checksums";
import { findRuntime } from "./find-runtime";
import { readLockedPackages } from "./locked-packages";
import { ownTarget, type Target } from "./targets";

/** Targets and folder of a release. */
export interface ReleaseOptions {
  /** The folder of the finished files. */
  folder: string;
  /** The platforms. That of this machine is `holdfast` without an ending. */
  targets: readonly Target[];
  /** Is called with each file that is ready. */
  tell(line: string): void;
}

/** The name of an executable: that of this machine's platform has no ending. */
export function executableName(target: Target): string {
  return target === ownTarget() ? "holdfast" : `holdfast-${target.name}`;
}

/** Builds the executables, their bill of materials and the checksums of all of them. */
export async function buildRelease({ folder, targets, tell }: ReleaseOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, ".unfinished-"));
  try {
    const consoleFolder = join(scratch, "console");
    const { sources } = await buildConsole({ isQuick: false, folder: consoleFolder });
    const taken = new Set(sources);
    for (const target of targets) {
      const runtime = await findRuntime(target, scratch);
      const outfile = join(folder, executableName(target));
      for (const source of await buildExecutable({ target, runtime, consoleFolder, scratch, outfile })) {
        taken.add(source);
      }
      tell(`Built ${outfile} for ${target.name}.`);
    }
    const packages = await readLockedPackages();
    const bill = billOfMaterials({ version, sources: [...taken], packages, runtimeParts: process.versions });
    await writeFile(join(folder, "holdfast.cdx.json"), bill);
    await writeChecksums(folder);
  } finally {
    await rm(scratch, { recursive: true });
  }
}
