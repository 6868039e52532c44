import type { Check } from "./check";

/** The part of `package-lock.json` that is read here. */
interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  resolved?: string;
  link?: boolean;
  integrity?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const mayRunInstallScript = "node_modules/bun";
/** Of the workspace, and of the peer of the benchmark. */
const lockFiles = ["package-lock.json", "bench/peer/package-lock.json"];

/** A lock file names no registry, pins every package by its hash, and lets only Bun run a script on installation. */
export const lockFile: Check = {
  name: "lock file",
  async find() {
    const faults = lockFiles.map(async (path) =>
      lockFileFaults(await Bun.file(path).json()).map((fault) => `${path}: ${fault}`),
    );
    return (await Promise.all(faults)).flat();
  },
};

/** Finds faults in a lock file. */
export function lockFileFaults({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    const { resolved, link, integrity, hasInstallScript, optionalDependencies = {} } = locked;
    const faults: string[] = [];
    if (resolved !== undefined && !(link && resolved.startsWith("packages/"))) {
      faults.push(`${path} is bound to ${resolved}. Run npm install here, where .npmrc leaves that out.`);
    }
    if (path.startsWith("node_modules/") && !link && integrity === undefined) {
      faults.push(`${path} has no integrity hash. Install it from the registry.`);
    }
    if (hasInstallScript && path !== mayRunInstallScript) {
      faults.push(`${path} runs a script when it is installed. Only Bun may: choose another package.`);
    }
    // npm leaves out what its registry does not have for another platform, and npm ci then refuses the lock file.
    for (const name of Object.keys(optionalDependencies)) {
      if (!isLocked(packages, path, name)) {
        faults.push(`${path} wants ${name}, which is not locked. Choose a version that has it for every platform.`);
      }
    }
    return faults;
  });
}

/** True if a package can find another one: in its own folder, or in that of any package around it. */
function isLocked(packages: LockFile["packages"], path: string, name: string): boolean {
  if (`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages) return true;
  const around = path.lastIndexOf("/node_modules/");
  return around > 0 && isLocked(packages, path.slice(0, around), name);
}
