import { join } from "node:path";
import { version } from "../../packages/server/src/settings/version";
import { runCommand } from "../run-command";
import { buildDebianPackage, type DebianBuild } from "./build-debian-package";
import { executableName } from "./build-release";
import { commandLineFiles } from "./command-line-files";
import { debianPackages } from "./debian-packages";
import { workspace } from "./locked-packages";
import type { Target } from "./targets";

const packaging = join(workspace, "packaging/debian");

/** Options of a package. */
export interface DebianOptions {
  /** The folder with the executable of the platform, in which the packages are made, too. */
  folder: string;
  target: Target;
  packing: DebianBuild["packing"];
  /** The version of the packages; that of the program, unless a trial needs another one. */
  debianVersion?: string;
  /** Is called with each package that is ready. */
  tell(line: string): void;
}

/** Builds the Debian packages of a platform, and gives their files. */
export async function packageForDebian(options: DebianOptions): Promise<string[]> {
  const { folder, target, packing, debianVersion = `${version}-1`, tell } = options;
  const { debian: architecture } = target;
  if (architecture === undefined) throw new Error(`Debian has no ${target.name}.`);
  const packages = debianPackages({
    executable: join(folder, executableName(target)),
    billOfMaterials: join(folder, "holdfast.cdx.json"),
    version: debianVersion,
    ...(await commandLineFiles()),
    packaging,
  });
  const build = { version: debianVersion, architecture, packaging, folder, packing, changedAt: await changedAt() };
  const made: string[] = [];
  for (const described of packages) {
    made.push(await buildDebianPackage(described, build));
    tell(`Built ${made.at(-1)}.`);
  }
  return made;
}

/** When the sources were last changed, in seconds: what the environment says, else the last commit, else now. */
async function changedAt(): Promise<number> {
  const { output } = await runCommand(["git", "-C", workspace, "log", "-1", "--format=%ct"]).catch(() => ({
    output: "",
  }));
  return Number(process.env.SOURCE_DATE_EPOCH ?? output.trim()) || Math.floor(Date.now() / 1000);
}
