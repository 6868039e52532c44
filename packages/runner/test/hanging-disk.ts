import { closeSync, mkdirSync, openSync } from "node:fs";

/**
 * Mounts a disk on which nothing is ever answered, as on one whose server has gone: the kernel asks the process that holds
 * the device, and that never reads a question. Whatever touches the folder waits until it is unmounted.
 */
export function mountHangingDisk(path: string): { [Symbol.dispose](): void } {
  mkdirSync(path, { recursive: true });
  const device = openSync("/dev/fuse", "r+");
  const flags = "fd=3,rootmode=40000,user_id=0,group_id=0";
  run(["mount", "-i", "-t", "fuse", "-o", flags, "hanging", path], device);
  return {
    [Symbol.dispose]() {
      run(["umount", "-l", path]);
      closeSync(device);
    },
  };
}

function run(command: string[], device?: number): void {
  const given = device === undefined ? [] : [device];
  const { exitCode, stderr } = Bun.spawnSync(command, { stdio: ["ignore", "ignore", "pipe", ...given] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
