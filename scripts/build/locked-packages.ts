import { join, resolve } from "node:path";

export const workspace = resolve(import.meta.dir, "../..");

/** The part of `package-lock.json` that is read here. */
interface LockFile {
  packages: Record<string, { version?: string; integrity?: string; license?: string }>;
}

/** A package as the lock file has it. */
export interface LockedPackage {
  name: string;
  version: string;
  /** The hash of what the registry delivers, as `sha512-…`. */
  integrity: string;
  license: string | undefined;
}

/** Reads what the lock file says of the packages in `node_modules`, by their folder. */
export async function readLockedPackages(): Promise<ReadonlyMap<string, LockedPackage>> {
  const { packages }: LockFile = await Bun.file(join(workspace, "package-lock.json")).json();
  const found = new Map<string, LockedPackage>();
  for (const [path, { version, integrity, license }] of Object.entries(packages)) {
    const [, name] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || version === undefined || integrity === undefined) continue;
    found.set(path, { name, version, integrity, license });
  }
  return found;
}

/** The package of that name in the workspace's own folder. */
export function requireLocked(packages: ReadonlyMap<string, LockedPackage>, name: string): LockedPackage {
  const found = packages.get(`node_modules/${name}`);
  if (found) return found;
  throw new Error(`package-lock.json has no ${name}. Run npm install.`);
}
