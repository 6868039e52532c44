import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Why no such root can be made here. */
export const obstacle = process.getuid?.() === 0 ? "" : " (not run: changing the root needs root)";

/** A root folder for a process, with nothing in it but an executable and the C library. */
export interface BareRoot {
  /** Command that runs the executable inside, as a user who may write to /data alone. */
  command(...args: string[]): string[];
  [Symbol.dispose](): void;
}

/** Makes such a root in an empty folder. */
export function bareRoot(executable: string, folder: string): BareRoot {
  for (const name of ["proc", "data", "bin", "tmp"]) mkdirSync(join(folder, name));
  linkSync(executable, join(folder, "bin/holdfast"));
  const listed = Bun.spawnSync(["ldd", executable]).stdout.toString();
  for (const [library] of listed.matchAll(/\/\S+/g)) {
    mkdirSync(join(folder, dirname(library)), { recursive: true });
    copyFileSync(library, join(folder, library));
  }
  must(["chmod", "755", folder]);
  must(["chmod", "1777", join(folder, "data"), join(folder, "tmp")]);
  must(["mount", "-t", "proc", "proc", join(folder, "proc")]);
  const chroot = Bun.which("chroot", { PATH: "/usr/sbin:/sbin:/usr/bin:/bin" }) ?? "chroot";
  return {
    command: (...args) => [chroot, "--userspec=65534:65534", folder, "/bin/holdfast", ...args],
    [Symbol.dispose]: () => must(["umount", join(folder, "proc")]),
  };
}

function must(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
