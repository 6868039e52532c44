import { chmodSync, mkdirSync } from "node:fs";

/** Why no disk can be mounted here. */
export const noDisk = process.getuid?.() === 0 ? "" : " (not run: mounting a disk needs root)";

/** Mounts a disk of a few megabytes that everybody may write to. */
export function mountSmallDisk(path: string, megabytes: number): { [Symbol.dispose](): void } {
  mkdirSync(path, { recursive: true });
  run(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
  chmodSync(path, 0o777);
  return { [Symbol.dispose]: () => run(["umount", "-l", path]) };
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
