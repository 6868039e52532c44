/** A platform that the executable is built for. */
export interface Target {
  /** The end of the file's name: `dist/holdfast-linux-x64`. */
  name: string;
  /** The platform in the words of the runtime. */
  runtimeTarget: Bun.Build.CompileTarget;
  /** The package of the npm registry that has the runtime for it. Version and hash are those of the lock file. */
  runtimePackage: string;
  /** Debian's name of the processor, if it has a package for it. */
  debian?: string;
}

/** Every platform, this machine's or not. */
export const targets: readonly Target[] = [
  { name: "linux-x64", runtimeTarget: "bun-linux-x64", runtimePackage: "@oven/bun-linux-x64", debian: "amd64" },
  { name: "linux-arm64", runtimeTarget: "bun-linux-arm64", runtimePackage: "@oven/bun-linux-aarch64", debian: "arm64" },
  { name: "darwin-x64", runtimeTarget: "bun-darwin-x64", runtimePackage: "@oven/bun-darwin-x64" },
  { name: "darwin-arm64", runtimeTarget: "bun-darwin-arm64", runtimePackage: "@oven/bun-darwin-aarch64" },
];

/** The platform of this machine. */
export function ownTarget(): Target {
  const name = `${process.platform}-${process.arch}`;
  const found = targets.find((target) => target.name === name);
  if (found) return found;
  throw new Error(`No executable is built for ${name}. There is one for ${targets.map((one) => one.name).join(", ")}.`);
}
