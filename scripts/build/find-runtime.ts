import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../run-command";
import { type LockedPackage, readLockedPackages, requireLocked, workspace } from "./locked-packages";
import { ownTarget, type Target } from "./targets";

/** Fetched files are kept here. The folder is not in the repository. */
const cacheFolder = join(workspace, "node_modules/.cache/holdfast-runtimes");

/** The runtime of a platform, as a file: that of this machine as npm has installed it, others from the registry. */
export async function findRuntime(target: Target, scratch: string): Promise<string> {
  if (target.name === ownTarget().name) return process.execPath;
  const locked = requireLocked(await readLockedPackages(), target.runtimePackage);
  const archive = await fetchArchive(locked);
  // Each time: what lies in the cache may have been changed since.
  requireIntegrity(await readFile(archive), locked);
  const folder = join(scratch, target.name);
  await mkdir(folder, { recursive: true });
  await mustSucceed(["tar", "-xzf", archive, "-C", folder, "package/bin/bun"]);
  return join(folder, "package/bin/bun");
}

async function fetchArchive({ name, version }: LockedPackage): Promise<string> {
  const archive = join(cacheFolder, `${name.replaceAll(/[@/]/g, "")}-${version}.tgz`);
  if (existsSync(archive)) return archive;
  const folder = `${archive}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    // npm asks the registry that this machine is set up for.
    await mustSucceed(["npm", "pack", "--silent", "--pack-destination", folder, `${name}@${version}`]);
    const [fetched = ""] = await readdir(folder);
    await rename(join(folder, fetched), archive);
  } finally {
    await rm(folder, { recursive: true });
  }
  return archive;
}

/** Refuses what is not what the lock file names. */
export function requireIntegrity(bytes: Uint8Array, { name, version, integrity }: LockedPackage): void {
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found === integrity) return;
  throw new Error(
    `What the registry gave for ${name}@${version} is not what package-lock.json names (${found}). Delete ${cacheFolder} and try again.`,
  );
}

async function mustSucceed(command: string[]): Promise<void> {
  const { exitCode, report } = await runCommand(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${report}`);
}
